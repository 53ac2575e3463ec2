// Cutting a square, rotated region out of a picture in the form a network takes it, and finding the way back.
#pragma once

#include <opencv2/core.hpp>

#include "CFaceLandmarker.h"

namespace faceplay {

/// From the pixels of a region's crop to those of the picture. The region's corners fall on 0 and the crop's side, as in
/// MediaPipe: no half-pixel shift.
class CropTransform {
 public:
  CropTransform(const fl_region &region, int side);

  fl_point toPicture(fl_point point) const;
  const cv::Matx23d &matrix() const { return matrix_; }

 private:
  cv::Matx23d matrix_;
};

/// What a region holds beyond the picture's edge.
enum class Beyond { black, edgeRepeated };

class Crop {
 public:
  /// Crops have `side` x `side` pixels; a colour value v (0…255) becomes v * factor + offset.
  Crop(int side, Beyond beyond, float factor, float offset);

  /// Writes the region's red, green and blue plane, one after the other, to `planes` (3 * side * side values).
  CropTransform cut(const cv::Mat &picture, const fl_region &region, float *planes);

 private:
  const int side_;
  const int border_;
  const float factor_;
  const float offset_;
  cv::Mat pixels_;
};

}  // namespace faceplay
