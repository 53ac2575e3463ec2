// Finding faces in a picture: MediaPipe's BlazeFace, short range.
#pragma once

#include <vector>

#include "Crop.h"
#include "Models.h"
#include "Network.h"

namespace faceplay {

class FaceDetector {
 public:
  /// Throws `ModelError`, or `std::bad_alloc`.
  explicit FaceDetector(const Models &models);

  /// The faces in `region` of a picture, surest first, in the picture's pixels.
  std::vector<fl_face> detect(const Picture &picture, const fl_region &region);

 private:
  Network network_;
  Crop crop_;
};

}  // namespace faceplay
