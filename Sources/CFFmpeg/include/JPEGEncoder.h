// One picture as JPEG, through libavcodec.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Encodes full-range I420 whose rows are `strides` bytes apart. Returns the file's bytes, `*size` of them, for
/// `jpeg_free`; NULL when memory is short or the library refuses the size.
uint8_t *jpeg_encode(
  int width, int height, const uint8_t *const planes[3], const int strides[3], size_t *size);

void jpeg_free(uint8_t *bytes);
