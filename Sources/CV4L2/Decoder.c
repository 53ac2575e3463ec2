// Camera pictures to frames: JPEG by libjpeg-turbo, planes as they are, all else by libv4lconvert; see the header.
#include "CV4L2.h"

#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <limits.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>

#include "Jpeg.h"

struct camera_decoder {
  jpeg_decoder jpeg;
  struct v4lconvert_data *converter;
};

/// Answers for the device that libv4lconvert asks. There is none, so that it only converts, without turning pictures by
/// its list of cameras, which JPEG pictures would not share. The one format offered needs no conversion: otherwise the
/// library would add picture controls of its own, which it keeps in a file under /dev/shm.
static int no_device(void *state, int fd, unsigned long code, void *argument) {
  (void)state, (void)fd;
  struct v4l2_fmtdesc *format = argument;
  if (code == VIDIOC_QUERYCAP) {
    memset(argument, 0, sizeof(struct v4l2_capability));
  } else if (code == VIDIOC_ENUM_FMT && format->index == 0) {
    format->pixelformat = V4L2_PIX_FMT_BGR24;
  } else {
    errno = ENOTTY;
    return -1;
  }
  return 0;
}

static const struct libv4l_dev_ops no_device_operations = {.ioctl = no_device};

camera_decoder *camera_decoder_create(void) {
  camera_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  if (jpeg_open(&decoder->jpeg)) decoder->converter = v4lconvert_create_with_dev_ops(-1, NULL, &no_device_operations);
  if (decoder->converter) return decoder;
  camera_decoder_destroy(decoder);
  return NULL;
}

void camera_decoder_destroy(camera_decoder *decoder) {
  jpeg_close(&decoder->jpeg);
  if (decoder->converter) v4lconvert_destroy(decoder->converter);
  free(decoder);
}

bool camera_is_jpeg(uint32_t format) { return format == V4L2_PIX_FMT_MJPEG || format == V4L2_PIX_FMT_JPEG; }

/// Of a picture in an uncompressed format; 0 when the format cannot be converted.
static uint32_t bits_per_pixel(uint32_t format) {
  switch (format) {
    case V4L2_PIX_FMT_YUYV:
    case V4L2_PIX_FMT_UYVY:
    case V4L2_PIX_FMT_YVYU:
    case V4L2_PIX_FMT_RGB565: return 16;
    case V4L2_PIX_FMT_NV12:
    case V4L2_PIX_FMT_YUV420:
    case V4L2_PIX_FMT_YVU420: return 12;
    case V4L2_PIX_FMT_RGB24:
    case V4L2_PIX_FMT_BGR24: return 24;
    case V4L2_PIX_FMT_GREY:
    case V4L2_PIX_FMT_SBGGR8:
    case V4L2_PIX_FMT_SGBRG8:
    case V4L2_PIX_FMT_SGRBG8:
    case V4L2_PIX_FMT_SRGGB8: return 8;
    default: return 0;
  }
}

bool camera_decodes(uint32_t format) { return camera_is_jpeg(format) || bits_per_pixel(format) > 0; }

/// Bytes from a picture's first to its last pixel: 12 bits a pixel are a luma plane, and half as much for chroma.
static uint64_t picture_size(uint32_t bits, const camera_mode *mode, uint32_t stride) {
  uint64_t luma = (uint64_t)stride * mode->height;
  return bits == 12 ? luma * 3 / 2 : luma;
}

static uint32_t stride_of(uint32_t bits, const camera_mode *mode) {
  uint32_t tight = bits == 12 ? mode->width : mode->width * bits / 8;
  return mode->bytes_per_line > tight ? mode->bytes_per_line : tight;
}

/// Whether an uncompressed picture's sides leave the colours that its neighbouring pixels share undefined: libv4lconvert
/// writes past the pixels of such pictures, and of Bayer mosaics with hardly a neighbour.
static bool is_undefined(const camera_mode *mode) {
  bool is_odd_wide = mode->width % 2 != 0, is_odd_high = mode->height % 2 != 0;
  switch (mode->format) {
    case V4L2_PIX_FMT_YUYV:
    case V4L2_PIX_FMT_UYVY:
    case V4L2_PIX_FMT_YVYU: return is_odd_wide;
    case V4L2_PIX_FMT_NV12:
    case V4L2_PIX_FMT_YUV420:
    case V4L2_PIX_FMT_YVU420: return is_odd_wide || is_odd_high;
    case V4L2_PIX_FMT_SBGGR8:
    case V4L2_PIX_FMT_SGBRG8:
    case V4L2_PIX_FMT_SGRBG8:
    case V4L2_PIX_FMT_SRGGB8: return is_odd_wide || is_odd_high || mode->width < 4 || mode->height < 4;
    default: return false;
  }
}

/// Of an uncompressed picture.
static camera_layout uncompressed_layout(const camera_mode *mode) {
  bool is_even = mode->width % 2 == 0 && mode->height % 2 == 0 && mode->bytes_per_line % 2 == 0;
  if (!is_even) return CAMERA_BGR24;
  switch (mode->format) {
    case V4L2_PIX_FMT_YUYV: return CAMERA_YUYV;
    case V4L2_PIX_FMT_NV12: return CAMERA_NV12;
    case V4L2_PIX_FMT_YUV420: return CAMERA_I420;
    default: return CAMERA_BGR24;
  }
}

camera_layout camera_layout_of(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count) {
  return camera_is_jpeg(mode->format) ? jpeg_layout(&decoder->jpeg, bytes, count) : uncompressed_layout(mode);
}

/// Whether the target has room for the mode's pictures in its layout.
static bool has_room(const camera_target *target, const camera_mode *mode) {
  size_t width = mode->width, height = mode->height, pairs = (width + 1) / 2;
  size_t row_bytes = 2 * pairs, rows = height;
  switch (target->layout) {
    // Converters write rows without gaps.
    case CAMERA_BGR24: return target->bytes_per_row == 3 * width && target->byte_count / (3 * width) >= height;
    case CAMERA_YUYV: row_bytes = 4 * pairs; break;
    case CAMERA_NV12:
    case CAMERA_I420: rows = height + (height + 1) / 2; break;
    case CAMERA_I422: rows = 2 * height; break;
  }
  size_t stride = target->bytes_per_row;
  return stride >= row_bytes && stride % 2 == 0 && target->byte_count / stride >= rows;
}

static void copy_rows(
    uint8_t *target, size_t target_stride, const uint8_t *source, size_t source_stride, size_t row_bytes, size_t rows) {
  for (size_t row = 0; row < rows; row++)
    memcpy(target + row * target_stride, source + row * source_stride, row_bytes);
}

/// Copies a picture whose layout is the target's.
static void copy_planes(const camera_mode *mode, const uint8_t *bytes, size_t stride, const camera_target *target) {
  size_t to = target->bytes_per_row, width = mode->width, height = mode->height;
  switch (target->layout) {
    case CAMERA_YUYV: copy_rows(target->pixels, to, bytes, stride, 2 * width, height); break;
    case CAMERA_NV12: copy_rows(target->pixels, to, bytes, stride, width, height + height / 2); break;
    default:
      copy_rows(target->pixels, to, bytes, stride, width, height);
      copy_rows(target->pixels + to * height, to / 2, bytes + stride * height, stride / 2, width / 2, height);
  }
}

static camera_decoding convert(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, uint32_t stride,
    uint8_t *pixels) {
  uint64_t area = (uint64_t)mode->width * mode->height;
  if (count > INT_MAX || area > INT_MAX / 3) return CAMERA_DAMAGED;
  struct v4l2_format from = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE}, to = from;
  from.fmt.pix = (struct v4l2_pix_format){
      .pixelformat = mode->format,
      .width = mode->width,
      .height = mode->height,
      .bytesperline = stride,
      .sizeimage = mode->image_size,
  };
  to.fmt.pix = (struct v4l2_pix_format){
      .pixelformat = V4L2_PIX_FMT_BGR24,
      .width = mode->width,
      .height = mode->height,
      .bytesperline = mode->width * 3,
      .sizeimage = area * 3,
  };
  // The library takes its source as writable, but only reads it.
  int written = v4lconvert_convert(decoder->converter, &from, &to, (uint8_t *)bytes, count, pixels, area * 3);
  return written == (int)(area * 3) ? CAMERA_DECODED : CAMERA_DAMAGED;
}

camera_decoding camera_decode(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, const camera_target *target) {
  if (!camera_decodes(mode->format)) return CAMERA_UNKNOWN_FORMAT;
  if (mode->width == 0 || mode->height == 0 || !has_room(target, mode)) return CAMERA_DAMAGED;
  if (camera_is_jpeg(mode->format))
    return jpeg_decode(&decoder->jpeg, mode, bytes, count, target) ? CAMERA_DECODED : CAMERA_DAMAGED;
  if (is_undefined(mode)) return CAMERA_DAMAGED;
  uint32_t bits = bits_per_pixel(mode->format), stride = stride_of(bits, mode);
  if (count < picture_size(bits, mode, stride)) return CAMERA_DAMAGED;
  if (target->layout == CAMERA_BGR24) return convert(decoder, mode, bytes, count, stride, target->pixels);
  if (target->layout != uncompressed_layout(mode)) return CAMERA_DAMAGED;
  copy_planes(mode, bytes, stride, target);
  return CAMERA_DECODED;
}
