// Camera pictures to pixels: JPEG by libjpeg-turbo, all else by libv4lconvert; see the header.
#include "CV4L2.h"

#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <limits.h>
#include <linux/videodev2.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// These two want stdio.h before them.
#include <jpeglib.h>
#include <jerror.h>

struct camera_decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf failure;
  bool is_damaged;
  struct v4lconvert_data *converter;
};

static void on_jpeg_error(j_common_ptr jpeg) { longjmp(((camera_decoder *)jpeg->client_data)->failure, 1); }

/// Stray bytes between segments and no end marker after a whole picture are common in cameras, and harmless.
static void on_jpeg_message(j_common_ptr jpeg, int level) {
  int code = jpeg->err->msg_code;
  bool is_harmless = level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JPEG_EOF;
  if (!is_harmless) ((camera_decoder *)jpeg->client_data)->is_damaged = true;
}

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
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_jpeg_error;
  decoder->errors.emit_message = on_jpeg_message;
  decoder->jpeg.client_data = decoder;
  if (setjmp(decoder->failure) == 0) {
    jpeg_create_decompress(&decoder->jpeg);
    decoder->converter = v4lconvert_create_with_dev_ops(-1, NULL, &no_device_operations);
  }
  if (decoder->converter) return decoder;
  camera_decoder_destroy(decoder);
  return NULL;
}

void camera_decoder_destroy(camera_decoder *decoder) {
  jpeg_destroy_decompress(&decoder->jpeg);
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

static bool read_jpeg(struct jpeg_decompress_struct *jpeg, const camera_mode *mode, uint8_t *pixels) {
  jpeg_read_header(jpeg, TRUE);
  if (jpeg->image_width != mode->width || jpeg->image_height != mode->height) return false;
  // No camera sends pictures in several scans, of which a few bytes each can keep the decoder busy for minutes.
  if (jpeg_has_multiple_scans(jpeg)) return false;
  jpeg->out_color_space = JCS_EXT_BGR;
  jpeg_start_decompress(jpeg);
  while (jpeg->output_scanline < mode->height) {
    JSAMPROW row = pixels + (size_t)jpeg->output_scanline * mode->width * 3;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  return true;
}

static camera_decoding decode_jpeg(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, uint8_t *pixels) {
  decoder->is_damaged = false;
  if (setjmp(decoder->failure) == 0) {
    jpeg_mem_src(&decoder->jpeg, bytes, count);
    if (!read_jpeg(&decoder->jpeg, mode, pixels)) decoder->is_damaged = true;
  } else {
    decoder->is_damaged = true;
  }
  jpeg_abort_decompress(&decoder->jpeg);
  return decoder->is_damaged ? CAMERA_DAMAGED : CAMERA_DECODED;
}

/// Bytes from a picture's first to its last pixel: 12 bits a pixel are a luma plane, and half as much for chroma.
static uint64_t picture_size(uint32_t bits, const camera_mode *mode, uint32_t stride) {
  uint64_t luma = (uint64_t)stride * mode->height;
  return bits == 12 ? luma * 3 / 2 : luma;
}

camera_decoding camera_decode(
    camera_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, uint8_t *pixels) {
  if (camera_is_jpeg(mode->format)) return decode_jpeg(decoder, mode, bytes, count, pixels);
  uint32_t bits = bits_per_pixel(mode->format);
  if (bits == 0) return CAMERA_UNKNOWN_FORMAT;
  uint64_t area = (uint64_t)mode->width * mode->height;
  if (count > INT_MAX || area > INT_MAX / 3) return CAMERA_DAMAGED;
  uint32_t tight = bits == 12 ? mode->width : mode->width * bits / 8;
  uint32_t stride = mode->bytes_per_line > tight ? mode->bytes_per_line : tight;
  if (count < picture_size(bits, mode, stride)) return CAMERA_DAMAGED;
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
