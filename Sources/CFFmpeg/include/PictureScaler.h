// Pictures of any layout and size to I420, through libswscale.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where blue, green and red or luma and chroma lie; chroma is at half the width and, but for YUYV and I422, height.
typedef enum __attribute__((enum_extensibility(closed))) {
  PICTURE_BGR24,
  PICTURE_YUYV,
  PICTURE_NV12,
  PICTURE_I420,
  PICTURE_I422,
} picture_layout;

/// What is scaled.
typedef struct {
  picture_layout layout;
  /// What luma and chroma mean: ITU-R BT.709 or else BT.601; black and white at 0 and 255 or else at 16 and 235.
  bool is_bt709, is_full_range;
  /// Pixels.
  int width, height;
} picture_source;

/// Made for one source and size. Belongs to one thread at a time.
typedef struct picture_scaler picture_scaler;

/// The target's colours are BT.601's: of limited range, as in video, or of full range, as in JPEG. NULL when sizes are
/// beyond what can be scaled, or memory is short.
picture_scaler *picture_scaler_open(const picture_source *source, int width, int height, bool full_range);

/// Reads the layout's planes, each of rows so many bytes apart, and fills the target's, whose rows are `strides` bytes
/// apart: multiples of 32, for the library's fast paths.
bool picture_scaler_scale(
  picture_scaler *scaler, const uint8_t *const source[3], const int source_strides[3], uint8_t *const planes[3],
  const int strides[3]);

void picture_scaler_close(picture_scaler *scaler);
