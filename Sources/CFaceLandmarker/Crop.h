// Cutting a square, rotated region out of a picture in the form a network takes it, and finding the way back.
#pragma once

#include <opencv2/core.hpp>

#include "CFaceLandmarker.h"
#include "Network.h"
#include "Picture.h"

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
  Crop(int side, Beyond beyond, float factor, float offset, const Kernels &kernels);

  /// Writes the region to a network's input, sampled bilinearly: channels red, green, blue.
  CropTransform cut(const Picture &picture, const fl_region &region, TensorView<float> input) const;

 private:
  /// One row of the crop: `start` is its first point in the picture, `step` leads to the next.
  void cutRow(const Picture &picture, cv::Vec2d start, cv::Vec2d step, TensorView<float> output) const;
  /// One point, wherever it lies.
  void samplePoint(const Picture &picture, cv::Vec2d point, float *output, size_t channelStep) const;
  /// Red, green, blue of the pixel, or of what stands for it beyond the picture's edge.
  std::array<float, 3> colour(const Picture &picture, int row, int column) const;

  const int side_;
  const Beyond beyond_;
  const float factor_;
  const float offset_;
  const Kernels &kernels_;
};

}  // namespace faceplay
