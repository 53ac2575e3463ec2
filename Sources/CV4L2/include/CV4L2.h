// V4L2 cameras for Swift: what a device can do, its mode and controls, mapped buffers, and their pictures as pixels.
// Functions that return int give 0 or the errno of the ioctl that failed; an interrupted ioctl is repeated.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: What a device is

typedef struct {
  char driver[16], card[32], bus[32];
  /// The opened node's own capabilities (device_caps), not those of the whole device.
  uint32_t capabilities;
} camera_identity;

int camera_identify(int fd, camera_identity *identity);

/// Whether the node delivers pictures through mapped buffers: metadata and output nodes do not.
bool camera_captures(uint32_t capabilities);

// MARK: What it offers; each list ends with EINVAL (ENOTTY where the driver has none)

/// The pixel format (fourcc) at `index`.
int camera_format_at(int fd, uint32_t index, uint32_t *format);

/// Sizes in pixels; equal ends for a single size.
typedef struct {
  uint32_t min_width, max_width, step_width;
  uint32_t min_height, max_height, step_height;
} camera_sizes;

int camera_sizes_at(int fd, uint32_t format, uint32_t index, camera_sizes *sizes);

/// Seconds a frame, as a fraction.
typedef struct {
  uint32_t numerator, denominator;
} camera_interval;

/// The interval at `index`; of a continuous range only the shortest.
int camera_interval_at(
    int fd, uint32_t format, uint32_t width, uint32_t height, uint32_t index, camera_interval *interval);

// MARK: Mode and controls

typedef struct {
  uint32_t format, width, height;
  /// Zero when the driver does not tell.
  camera_interval interval;
  uint32_t bytes_per_line, image_size;
} camera_mode;

/// Sets format and size, then the interval, and reads both back into `mode`: drivers change what they cannot do.
int camera_set_mode(int fd, camera_mode *mode);

/// Exposure may lengthen the frame interval in poor light (V4L2_CID_EXPOSURE_AUTO_PRIORITY).
extern const uint32_t CAMERA_EXPOSURE_AUTO_PRIORITY;

int camera_get_control(int fd, uint32_t control, int32_t *value);
int camera_set_control(int fd, uint32_t control, int32_t value);

// MARK: Streaming

/// The mapped buffers of one device; belongs to one thread at a time.
typedef struct camera_stream camera_stream;

typedef struct {
  uint32_t index;
  const uint8_t *bytes;
  size_t count;
  uint32_t sequence;
  /// Nanoseconds on the driver's clock.
  int64_t timestamp;
  /// The driver says that its clock is CLOCK_MONOTONIC.
  bool is_monotonic;
  /// The driver says that the content is damaged (V4L2_BUF_FLAG_ERROR).
  bool is_damaged;
} camera_buffer;

/// Maps buffers and starts; on failure `*stream` is NULL. `fd`, opened with O_NONBLOCK, must outlive the stream.
int camera_start(int fd, camera_stream **stream);

/// Stops, and starts again with every buffer queued.
int camera_restart(camera_stream *stream);

/// Takes the oldest filled buffer; EAGAIN when there is none.
int camera_dequeue(camera_stream *stream, camera_buffer *buffer);

int camera_requeue(camera_stream *stream, uint32_t index);

/// Stops and unmaps, whatever state the device is in.
void camera_stop(camera_stream *stream);

// MARK: Pictures

typedef enum __attribute__((enum_extensibility(closed))) {
  CAMERA_DECODED,
  /// Too short, broken, or not of the mode's size.
  CAMERA_DAMAGED,
  CAMERA_UNKNOWN_FORMAT,
} camera_decoding;

/// How `camera_decode` writes a picture.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Blue, green, red, interleaved.
  CAMERA_BGR24,
  /// Y Cb Y Cr for each two pixels of a row.
  CAMERA_YUYV,
  /// Luma, then rows of Cb Cr for each two by two pixels, as far apart as luma's.
  CAMERA_NV12,
  /// Luma, then Cb, then Cr for each two by two pixels, in rows half as far apart as luma's.
  CAMERA_I420,
  /// As CAMERA_I420, for each two pixels of a row.
  CAMERA_I422,
} camera_layout;

/// Where and how to write a picture.
typedef struct {
  camera_layout layout;
  /// From one row's first byte to the next row's, even; luma's where planes are apart.
  size_t bytes_per_row;
  uint8_t *pixels;
  /// Bytes that may be written at `pixels`.
  size_t byte_count;
} camera_target;

typedef struct camera_decoder camera_decoder;

/// NULL without memory.
camera_decoder *camera_decoder_create(void);

/// Whether pictures of this format (fourcc) can be turned into pixels.
bool camera_decodes(uint32_t format);

/// JPEG compressed, whichever of its names the driver uses.
bool camera_is_jpeg(uint32_t format);

/// The layout in which a picture of this mode is written with the least work; `bytes` matter for JPEG alone, whose header
/// says it.
camera_layout camera_layout_of(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count);

/// Writes the picture in the layout that `camera_layout_of` gave for it. JPEG is full range, uncompressed video is not.
/// A JPEG without Huffman tables, with stray bytes or without end marker is read; one whose picture data end early is
/// damaged, as is one that does not fit the target.
camera_decoding camera_decode(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, const camera_target *target);

void camera_decoder_destroy(camera_decoder *decoder);
