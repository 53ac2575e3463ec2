// JPEG pictures by libjpeg-turbo; see the header.
#include "Jpeg.h"

#include <jerror.h>

static jpeg_decoder *decoder_of(j_common_ptr codec) { return codec->client_data; }

static void on_error(j_common_ptr codec) { longjmp(decoder_of(codec)->failure, 1); }

/// Stray bytes between segments and no end marker after a whole picture are common in cameras, and harmless.
static void on_message(j_common_ptr codec, int level) {
  int code = codec->err->msg_code;
  bool is_harmless = level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JPEG_EOF;
  if (!is_harmless) decoder_of(codec)->is_damaged = true;
}

bool jpeg_open(jpeg_decoder *decoder) {
  decoder->codec.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_error;
  decoder->errors.emit_message = on_message;
  decoder->codec.client_data = decoder;
  if (setjmp(decoder->failure) != 0) return false;
  jpeg_create_decompress(&decoder->codec);
  return true;
}

void jpeg_close(jpeg_decoder *decoder) { jpeg_destroy_decompress(&decoder->codec); }

/// Of a picture whose header has been read.
static camera_layout layout_of(const struct jpeg_decompress_struct *codec) {
  if (codec->jpeg_color_space != JCS_YCbCr || codec->num_components != 3) return CAMERA_BGR24;
  const jpeg_component_info *luma = codec->comp_info, *blue = luma + 1, *red = luma + 2;
  bool is_alike = blue->h_samp_factor == red->h_samp_factor && blue->v_samp_factor == red->v_samp_factor;
  if (!is_alike || luma->h_samp_factor != 2 * blue->h_samp_factor) return CAMERA_BGR24;
  // 4:2:2 may be written as 2x1, 1x1, 1x1 or as 2x2, 1x2, 1x2.
  if (luma->v_samp_factor == blue->v_samp_factor) return CAMERA_I422;
  return luma->v_samp_factor == 2 * blue->v_samp_factor ? CAMERA_I420 : CAMERA_BGR24;
}

camera_layout jpeg_layout(jpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
  volatile camera_layout layout = CAMERA_BGR24;
  if (setjmp(decoder->failure) == 0) {
    jpeg_mem_src(&decoder->codec, bytes, count);
    jpeg_read_header(&decoder->codec, TRUE);
    layout = layout_of(&decoder->codec);
  }
  jpeg_abort_decompress(&decoder->codec);
  return layout;
}

static void read_colours(struct jpeg_decompress_struct *codec, const camera_target *target) {
  codec->out_color_space = JCS_EXT_BGR;
  jpeg_start_decompress(codec);
  while (codec->output_scanline < codec->output_height) {
    JSAMPROW row = target->pixels + codec->output_scanline * target->bytes_per_row;
    jpeg_read_scanlines(codec, &row, 1);
  }
}

/// Whether the planes' rows, which end with a whole block of eight, fit the target's.
static bool read_planes(struct jpeg_decompress_struct *codec, const camera_target *target) {
  enum { MOST_ROWS = MAX_SAMP_FACTOR * DCTSIZE };
  const jpeg_component_info *components = codec->comp_info;
  const size_t strides[3] = {target->bytes_per_row, target->bytes_per_row / 2, target->bytes_per_row / 2};
  uint8_t *planes[3];
  size_t heights[3];
  uint8_t *next = target->pixels;
  for (int i = 0; i < 3; i++) {
    if ((size_t)components[i].width_in_blocks * DCTSIZE > strides[i]) return false;
    bool is_halved = i > 0 && target->layout == CAMERA_I420;
    heights[i] = is_halved ? ((size_t)codec->image_height + 1) / 2 : codec->image_height;
    planes[i] = next;
    next += strides[i] * heights[i];
  }
  codec->raw_data_out = TRUE;
  codec->out_color_space = JCS_YCbCr;
  jpeg_start_decompress(codec);
  // Blocks reach below the picture.
  JSAMPARRAY spare = codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE, (JDIMENSION)strides[0], 1);
  size_t done[3] = {0};
  while (codec->output_scanline < codec->output_height) {
    JSAMPROW rows[3][MOST_ROWS];
    JSAMPARRAY all[3] = {rows[0], rows[1], rows[2]};
    for (int i = 0; i < 3; i++) {
      for (int row = 0; row < components[i].v_samp_factor * DCTSIZE; row++, done[i]++)
        rows[i][row] = done[i] < heights[i] ? planes[i] + done[i] * strides[i] : *spare;
    }
    jpeg_read_raw_data(codec, all, MOST_ROWS);
  }
  return true;
}

static bool read_picture(struct jpeg_decompress_struct *codec, const camera_mode *mode, const camera_target *target) {
  jpeg_read_header(codec, TRUE);
  if (codec->image_width != mode->width || codec->image_height != mode->height) return false;
  // No camera sends pictures in several scans, of which a few bytes each can keep the decoder busy for minutes.
  if (jpeg_has_multiple_scans(codec)) return false;
  if (layout_of(codec) != target->layout) return false;
  if (target->layout != CAMERA_BGR24) return read_planes(codec, target);
  read_colours(codec, target);
  return true;
}

bool jpeg_decode(
    jpeg_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, const camera_target *target) {
  decoder->is_damaged = false;
  if (setjmp(decoder->failure) == 0) {
    jpeg_mem_src(&decoder->codec, bytes, count);
    if (!read_picture(&decoder->codec, mode, target)) decoder->is_damaged = true;
  } else {
    decoder->is_damaged = true;
  }
  jpeg_abort_decompress(&decoder->codec);
  return !decoder->is_damaged;
}
