// JPEG pictures by libjpeg-turbo: into the planes they are made of where a target has such a layout, else into colours.
#pragma once

#include <setjmp.h>
#include <stdio.h>
// These want stdio.h before them.
#include <jpeglib.h>

#include "CV4L2.h"

typedef struct {
  struct jpeg_decompress_struct codec;
  struct jpeg_error_mgr errors;
  jmp_buf failure;
  bool is_damaged;
} jpeg_decoder;

/// Whether there was memory. The decoder must not move after this, and be closed either way.
bool jpeg_open(jpeg_decoder *decoder);
void jpeg_close(jpeg_decoder *decoder);

/// CAMERA_BGR24 where the header cannot be read.
camera_layout jpeg_layout(jpeg_decoder *decoder, const uint8_t *bytes, size_t count);

/// Whether the picture is whole, has the mode's size and the target's layout. The target has been checked.
bool jpeg_decode(
    jpeg_decoder *decoder, const camera_mode *mode, const uint8_t *bytes, size_t count, const camera_target *target);
