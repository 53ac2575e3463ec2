// H.264 through openh264, for Swift: neither its tables of functions nor a callback crosses over.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A picture in I420: 8-bit luma and, at half its width and height, two planes of chroma.
typedef struct {
  /// Luma samples.
  int width, height;
  const uint8_t *planes[3];
  /// Bytes from row to row, of luma and of either chroma plane.
  int strides[2];
} h264_picture;

/// One running encoder. Belongs to one thread at a time.
typedef struct h264_encoder h264_encoder;

/// Constrained baseline in real time: no B-frames, no frame left out, one slice and one thread, each picture encoded
/// before the next comes. Key frames come when asked for, and for the first picture. Sizes are even; `bit_rate` is bits
/// a second, `frame_rate` frames a second. NULL when the library refuses these or memory is short.
h264_encoder *h264_encoder_open(int width, int height, int bit_rate, double frame_rate);

/// Changes both rates from the next picture on; `false` when the library refuses them.
bool h264_encoder_set_rates(h264_encoder *encoder, int bit_rate, double frame_rate);

/// Encodes a picture of the encoder's size and returns the bytes of its access unit, 0 on failure. `milliseconds` rises.
/// `*is_key_frame` becomes whether it is an IDR picture, with parameter sets before it.
size_t h264_encoder_encode(
  h264_encoder *encoder, const h264_picture *picture, int64_t milliseconds, bool key_frame, bool *is_key_frame);

/// Writes that access unit in Annex B, with start codes of four bytes.
void h264_encoder_copy(const h264_encoder *encoder, uint8_t *bytes);

void h264_encoder_close(h264_encoder *encoder);

/// One running decoder. Belongs to one thread at a time.
typedef struct h264_decoder h264_decoder;

typedef enum __attribute__((enum_extensibility(closed))) {
  /// `*picture` holds the access unit's picture, until the next call.
  H264_PICTURE,
  /// Nothing is wrong, and there is no picture: parameter sets alone, say.
  H264_NOTHING,
  H264_DAMAGED,
} h264_decoded;

/// NULL when memory is short.
h264_decoder *h264_decoder_open(void);

/// Decodes one access unit in Annex B at once, without waiting for the next. Nothing is made up for what is damaged.
h264_decoded h264_decoder_decode(h264_decoder *decoder, const uint8_t *bytes, size_t size, h264_picture *picture);

void h264_decoder_close(h264_decoder *decoder);
