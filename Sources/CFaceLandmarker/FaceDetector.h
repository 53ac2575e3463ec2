// Finding faces in a whole picture: MediaPipe's BlazeFace, short range.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

#include "Crop.h"
#include "Models.h"
#include "Network.h"

namespace faceplay {

class FaceDetector {
 public:
  /// Throws `ModelError`, or `std::bad_alloc`.
  explicit FaceDetector(const Models &models);

  /// The faces in a BGR picture, surest first, in its pixels.
  std::vector<fl_face> detect(const cv::Mat &picture);

 private:
  Network network_;
  Crop crop_;
};

}  // namespace faceplay
