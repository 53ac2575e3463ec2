// Cutting a square, rotated region out of a picture in the form a network takes it, and finding the way back.
#include "Crop.h"

#include <opencv2/imgproc.hpp>

#include <cmath>

namespace faceplay {

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

Crop::Crop(int side, Beyond beyond, float factor, float offset)
    : side_(side),
      border_(beyond == Beyond::black ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE),
      factor_(factor),
      offset_(offset) {}

CropTransform Crop::cut(const cv::Mat &picture, const fl_region &region, float *planes) {
  const CropTransform transform(region, side_);
  cv::warpAffine(
      picture, pixels_, transform.matrix(), {side_, side_}, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, border_);

  const int area = side_ * side_;
  float *red = planes, *green = planes + area, *blue = planes + 2 * area;
  const uint8_t *pixel = pixels_.ptr();
  for (int i = 0; i < area; ++i, pixel += 3) {
    blue[i] = pixel[0] * factor_ + offset_;
    green[i] = pixel[1] * factor_ + offset_;
    red[i] = pixel[2] * factor_ + offset_;
  }
  return transform;
}

}  // namespace faceplay
