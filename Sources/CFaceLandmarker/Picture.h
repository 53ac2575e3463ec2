// A picture as it lies in memory, whatever its format: three planes and what makes colour of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "CFaceLandmarker.h"
#include "Kernels.h"

namespace faceplay {

struct Picture {
  int width;
  int height;
  /// Blue, green, red, interleaved: `planes` are red, green, blue. Otherwise they are luma, Cb, Cr; the latter two have one
  /// geometry.
  bool isBGR;
  std::array<Plane, 3> planes;
  ColourMatrix matrix;

  /// Throws `BadArgument` unless every plane lies within the image's bytes.
  static Picture of(const fl_image &image);

  /// Red, green, blue, 0…255, of a pixel inside the picture.
  std::array<float, 3> colour(int row, int column) const;
};

}  // namespace faceplay
