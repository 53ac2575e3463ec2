// Cutting a square, rotated region out of a picture in the form a network takes it, and finding the way back.
#include "Crop.h"

#include <algorithm>
#include <cmath>

namespace faceplay {
namespace {

/// Points this close to where the fast loop may not go are left to the slow one, pixels: far more than the fast loop's
/// coordinates can be wrong by.
constexpr double kSafety = 1.0 / 16;

/// Numbers of the points of a line: those from `first` up to, not including, `end`.
struct Run {
  int first;
  int end;

  /// Leaves only the points whose coordinate, `start + number * step`, is between the two limits.
  void keep(double start, double step, double lowest, double highest) {
    if (!(highest >= lowest)) {
      end = first;
    } else if (step == 0) {
      if (start < lowest || start > highest) end = first;
    } else {
      const auto [from, to] = std::minmax({(lowest - start) / step, (highest - start) / step});
      const double firstKept = std::max(std::ceil(from), double(first)), endKept = std::min(std::floor(to) + 1, double(end));
      end = firstKept < endKept ? int(endKept) : first;
      if (firstKept < endKept) first = int(firstKept);
    }
  }
};

/// The points of a line that the fast loops may sample.
Run fastRun(const Picture &picture, cv::Vec2d start, cv::Vec2d step, int points) {
  Run run = {0, points};
  // A BGR pixel is read with one byte of its right neighbour's; between a first value of chroma and the edge there is
  // none to the left.
  const Plane &chroma = picture.planes[1];
  const double left = chroma.columnShift * 0.5, top = chroma.rowShift * 0.5, right = picture.isBGR ? 2 : 1 + left;
  run.keep(start[0], step[0], left + kSafety, picture.width - right - kSafety);
  run.keep(start[1], step[1], top + kSafety, picture.height - 1 - top - kSafety);
  return run;
}

}  // namespace

CropTransform::CropTransform(const fl_region &region, int side) {
  const double scale = double(region.side) / side;
  const double cosine = std::cos(double(region.rotation)) * scale;
  const double sine = std::sin(double(region.rotation)) * scale;
  const double half = side / 2.0;
  matrix_ = cv::Matx23d(
      cosine, -sine, region.centre.x - (cosine - sine) * half,  //
      sine, cosine, region.centre.y - (sine + cosine) * half);
}

fl_point CropTransform::toPicture(fl_point point) const {
  const auto coordinate = [&](int row) {
    return float(matrix_(row, 0) * point.x + matrix_(row, 1) * point.y + matrix_(row, 2));
  };
  return {coordinate(0), coordinate(1)};
}

Crop::Crop(int side, Beyond beyond, float factor, float offset, const Kernels &kernels)
    : side_(side), beyond_(beyond), factor_(factor), offset_(offset), kernels_(kernels) {}

CropTransform Crop::cut(const Picture &picture, const fl_region &region, TensorView<float> input) const {
  const CropTransform transform(region, side_);
  const cv::Matx23d &matrix = transform.matrix();
  const cv::Vec2d right(matrix(0, 0), matrix(1, 0)), down(matrix(0, 1), matrix(1, 1)), corner(matrix(0, 2), matrix(1, 2));
  for (int row = 0; row < side_; ++row) {
    TensorView<float> output = input;
    output.values = input.at(row, 0);
    cutRow(picture, corner + down * row, right, output);
  }
  return transform;
}

void Crop::cutRow(const Picture &picture, cv::Vec2d start, cv::Vec2d step, TensorView<float> output) const {
  const Run inside = fastRun(picture, start, step, side_);
  const auto slowly = [&](int from, int to) {
    for (int i = from; i < to; ++i) samplePoint(picture, start + step * i, output.at(0, i), output.channelStep);
  };
  slowly(0, inside.first);
  const cv::Vec2d first = start + step * inside.first;
  const SampleLine line = {
      {float(first[0]), float(first[1]), float(step[0]), float(step[1])}, inside.end - inside.first, factor_, offset_,
      output.at(0, inside.first), output.channelStep, output.columnStep};
  if (picture.isBGR) {
    kernels_.sampleBGR(picture.planes[2].bytes, picture.planes[2].bytesPerRow, line);
  } else {
    kernels_.samplePlanes(picture.planes.data(), picture.matrix, line);
  }
  slowly(inside.end, side_);
}

void Crop::samplePoint(const Picture &picture, cv::Vec2d point, float *output, size_t channelStep) const {
  const double column = std::floor(point[0]), row = std::floor(point[1]);
  const float toRight = float(point[0] - column), toBelow = float(point[1] - row);
  const int x = int(column), y = int(row);
  const auto above = colour(picture, y, x), aboveRight = colour(picture, y, x + 1);
  const auto below = colour(picture, y + 1, x), belowRight = colour(picture, y + 1, x + 1);
  for (int channel = 0; channel < 3; ++channel) {
    const float upper = above[channel] + (aboveRight[channel] - above[channel]) * toRight;
    const float lower = below[channel] + (belowRight[channel] - below[channel]) * toRight;
    output[channel * channelStep] = (upper + (lower - upper) * toBelow) * factor_ + offset_;
  }
}

std::array<float, 3> Crop::colour(const Picture &picture, int row, int column) const {
  const bool isInside = row >= 0 && row < picture.height && column >= 0 && column < picture.width;
  if (!isInside && beyond_ == Beyond::black) return {};
  return picture.colour(std::clamp(row, 0, picture.height - 1), std::clamp(column, 0, picture.width - 1));
}

}  // namespace faceplay
