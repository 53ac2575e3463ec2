// FFmpeg's libraries for Swift: no callback crosses over. Pictures out of a video file; the other ways are included.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "JPEGEncoder.h"
#include "MP4Writer.h"
#include "PictureScaler.h"

#define CLIP_MESSAGE_SIZE 256
/// A timestamp the file does not give.
static const int64_t CLIP_NO_TIME = INT64_MIN;

typedef enum __attribute__((enum_extensibility(closed))) {
  CLIP_OK,
  /// No picture is left.
  CLIP_END,
  CLIP_CANCELLED,
  /// No container format knows the content, or it is damaged beyond opening.
  CLIP_NOT_VIDEO,
  CLIP_NO_VIDEO_STREAM,
  /// The codec, or its pixel format, cannot be decoded here.
  CLIP_NO_DECODER,
  /// A side longer than asked for.
  CLIP_TOO_LARGE,
  CLIP_OUT_OF_MEMORY,
} clip_status;

/// One open file. Everything but `clip_cancel` belongs to one thread at a time.
typedef struct clip_reader clip_reader;

/// How `clip_write` writes a picture.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Blue, green, red, interleaved.
  CLIP_BGR24,
  /// Luma, then Cb, then Cr for each two by two pixels, in rows half as far apart as luma's.
  CLIP_I420,
  /// As CLIP_I420, for each two pixels of a row.
  CLIP_I422,
} clip_format;

/// One decoded picture, upright, with square pixels.
typedef struct {
  clip_format format;
  /// What luma and chroma mean: ITU-R BT.709 or else BT.601; black and white at 0 and 255 or else at 16 and 235.
  bool is_bt709, is_full_range;
  /// Pixels.
  int width, height;
  /// Nanoseconds on the file's own clock, or CLIP_NO_TIME. Neither rebased nor guaranteed to rise.
  int64_t timestamp;
  /// Nanoseconds the picture is shown for; 0 when unknown.
  int64_t duration;
} clip_picture;

/// Opens the best video stream of the regular file behind `fd`, which is the reader's from here on, also on failure.
/// Nothing but `fd` is ever opened: no other file, device or address that the content may name.
/// On failure `message` says what was wrong, and `*reader` is NULL.
clip_status clip_open(int fd, int max_side, clip_reader **reader, char message[CLIP_MESSAGE_SIZE]);

/// Decodes the next picture, which the reader holds until the next call. Damaged packets are skipped and counted.
/// CLIP_TOO_LARGE, CLIP_NO_DECODER and CLIP_OUT_OF_MEMORY say why in `message`.
clip_status clip_next(clip_reader *reader, clip_picture *picture, char message[CLIP_MESSAGE_SIZE]);

/// Writes the held picture in its format, luma's or blue-green-red rows `bytes_per_row` bytes apart: an even number. The
/// rows should have room for the width rounded up to 32 pixels: libswscale's fast paths leave out the last columns of
/// tighter ones.
clip_status clip_write(clip_reader *reader, uint8_t *pixels, size_t bytes_per_row);

/// Frames a second as the file states it; 0 when unknown.
double clip_frame_rate(const clip_reader *reader);

/// Nanoseconds from the first picture to the end as the file states it; 0 when unknown.
int64_t clip_duration(const clip_reader *reader);

/// Nanoseconds from the first picture to the end that the file's header promises; 0 when it does not: where the duration
/// is worked out from what is there, it says nothing about what is missing.
int64_t clip_promised(const clip_reader *reader);

/// Packets and pictures so far that were damaged, whether skipped or patched up by the decoder.
int64_t clip_damaged(const clip_reader *reader);

/// Packets skipped so far.
int64_t clip_skipped(const clip_reader *reader);

/// Makes the running and every later `clip_next` return CLIP_CANCELLED soon. From any thread.
void clip_cancel(clip_reader *reader);

void clip_close(clip_reader *reader);
