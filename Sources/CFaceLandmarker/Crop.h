// Cutting a square, rotated region out of a picture in the form a network takes it.
#pragma once

#include <opencv2/core.hpp>

#include "CFaceLandmarker.h"
#include "Network.h"

namespace faceplay {

/// What a region holds beyond the picture's edge.
enum class Beyond { black, edgeRepeated };

class Crop {
 public:
  /// Crops have `side` x `side` pixels; a colour value v (0…255) becomes v * factor + offset.
  Crop(int side, Beyond beyond, float factor, float offset);

  /// Writes the region to a network's input: channels red, green, blue.
  /// The region's corners fall on 0 and `side`, as in MediaPipe: no half-pixel shift.
  void cut(const cv::Mat &picture, const fl_region &region, TensorView<float> input);

 private:
  const int side_;
  const int border_;
  const float factor_;
  const float offset_;
  cv::Mat pixels_;
};

}  // namespace faceplay
