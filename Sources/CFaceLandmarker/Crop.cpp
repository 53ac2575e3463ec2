// Cutting a square, rotated region out of a picture in the form a network takes it.
#include "Crop.h"

#include <opencv2/imgproc.hpp>

#include <cmath>

namespace faceplay {

Crop::Crop(int side, Beyond beyond, float factor, float offset)
    : side_(side),
      border_(beyond == Beyond::black ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE),
      factor_(factor),
      offset_(offset) {}

void Crop::cut(const cv::Mat &picture, const fl_region &region, float *planes) {
  const double scale = double(region.side) / side_;
  const double cosine = std::cos(double(region.rotation)) * scale;
  const double sine = std::sin(double(region.rotation)) * scale;
  const double half = side_ / 2.0;
  const cv::Matx23d fromCropToPicture(
      cosine, -sine, region.centre.x - (cosine - sine) * half,  //
      sine, cosine, region.centre.y - (sine + cosine) * half);
  cv::warpAffine(
      picture, pixels_, fromCropToPicture, {side_, side_}, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, border_);

  const int area = side_ * side_;
  float *red = planes, *green = planes + area, *blue = planes + 2 * area;
  const uint8_t *pixel = pixels_.ptr();
  for (int i = 0; i < area; ++i, pixel += 3) {
    blue[i] = pixel[0] * factor_ + offset_;
    green[i] = pixel[1] * factor_ + offset_;
    red[i] = pixel[2] * factor_ + offset_;
  }
}

}  // namespace faceplay
