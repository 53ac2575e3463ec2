// Pictures of BGR24 to I420 of any size, through libswscale.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Made for one pair of sizes. Belongs to one thread at a time.
typedef struct picture_scaler picture_scaler;

/// The target's colours are BT.601's: of limited range, as in video, or of full range, as in JPEG. NULL when sizes are
/// beyond what can be scaled, or memory is short.
picture_scaler *picture_scaler_open(int source_width, int source_height, int width, int height, bool full_range);

/// Reads rows of `bytes_per_row` bytes and fills the target's planes, whose rows are `strides` bytes apart: multiples of
/// 32, for the library's fast paths.
bool picture_scaler_scale(
  picture_scaler *scaler, const uint8_t *bgr, size_t bytes_per_row, uint8_t *const planes[3], const int strides[3]);

void picture_scaler_close(picture_scaler *scaler);
