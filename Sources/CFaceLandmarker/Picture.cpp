// A picture as it lies in memory, whatever its format: three planes and what makes colour of them.
#include "Picture.h"

#include <algorithm>

#include "BadArgument.h"

namespace faceplay {
namespace {

/// Where chroma lies and how much memory that takes.
struct Layout {
  /// The fewest bytes of a row.
  size_t rowBytes;
  /// Rows of the image's `bytes_per_row`, chroma's included.
  size_t rows;
  /// Bytes that the last of these rows must have.
  size_t lastRowBytes;
};

Layout layoutOf(const fl_image &image) {
  const size_t width = size_t(image.width), height = size_t(image.height), pairs = (width + 1) / 2;
  const size_t chromaRows = (height + 1) / 2;
  switch (image.format) {
    case FL_BGR24: return {3 * width, height, 3 * width};
    case FL_YUYV: return {4 * pairs, height, 4 * pairs};
    case FL_NV12: return {2 * pairs, height + chromaRows, 2 * pairs};
    // Two rows of chroma stand in one of luma's.
    case FL_I420: return {2 * pairs, height + chromaRows, image.bytes_per_row};
    case FL_I422: return {2 * pairs, 2 * height, image.bytes_per_row};
  }
  throw BadArgument("no such picture format");
}

std::array<Plane, 3> planesOf(const fl_image &image) {
  const uint8_t *bytes = image.pixels;
  const size_t row = image.bytes_per_row, height = size_t(image.height);
  switch (image.format) {
    case FL_YUYV: return {{{bytes, row, 2, 0, 0}, {bytes + 1, row, 4, 1, 0}, {bytes + 3, row, 4, 1, 0}}};
    case FL_NV12: {
      const uint8_t *chroma = bytes + row * height;
      return {{{bytes, row, 1, 0, 0}, {chroma, row, 2, 1, 1}, {chroma + 1, row, 2, 1, 1}}};
    }
    case FL_I420:
    case FL_I422: {
      const int rowShift = image.format == FL_I420;
      const uint8_t *blue = bytes + row * height;
      const uint8_t *red = blue + row / 2 * ((height + size_t(rowShift)) >> rowShift);
      return {{{bytes, row, 1, 0, 0}, {blue, row / 2, 1, 1, rowShift}, {red, row / 2, 1, 1, rowShift}}};
    }
    default: return {{{bytes + 2, row, 3, 0, 0}, {bytes + 1, row, 3, 0, 0}, {bytes, row, 3, 0, 0}}};
  }
}

/// From luma, Cb and Cr to red, green and blue, 0…255: ITU-R BT.601 and BT.709; full range as in JFIF.
ColourMatrix matrixOf(const fl_image &image) {
  if (image.format == FL_BGR24) return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const float red = image.matrix == FL_BT709 ? 0.2126f : 0.299f, blue = image.matrix == FL_BT709 ? 0.0722f : 0.114f;
  const float green = 1 - red - blue;
  const float luma = image.is_full_range ? 1 : 255 / 219.0f, chroma = image.is_full_range ? 1 : 255 / 224.0f;
  const float fromRed = 2 * (1 - red) * chroma, fromBlue = 2 * (1 - blue) * chroma;
  ColourMatrix matrix = {
      {{luma, 0, fromRed, 0}, {luma, -fromBlue * blue / green, -fromRed * red / green, 0}, {luma, fromBlue, 0, 0}}};
  const float black = image.is_full_range ? 0 : 16;
  for (auto &row : matrix.rows) row[3] = -row[0] * black - (row[1] + row[2]) * 128;
  return matrix;
}

}  // namespace

Picture Picture::of(const fl_image &image) {
  require(image.pixels, "no picture");
  require(image.width > 0 && image.width <= FL_MAXIMUM_SIDE, "picture width out of range");
  require(image.height > 0 && image.height <= FL_MAXIMUM_SIDE, "picture height out of range");
  require(image.matrix == FL_BT601 || image.matrix == FL_BT709, "no such colour matrix");
  const Layout layout = layoutOf(image);
  require(image.bytes_per_row >= layout.rowBytes, "picture rows shorter than its width");
  const bool halvesRows = image.format == FL_I420 || image.format == FL_I422;
  require(!halvesRows || image.bytes_per_row % 2 == 0, "picture rows of an odd number of bytes");
  require(image.byte_count >= layout.lastRowBytes, "picture memory too small");
  require((image.byte_count - layout.lastRowBytes) / image.bytes_per_row >= layout.rows - 1, "picture memory too small");
  require(image.bytes_per_row <= UINT32_MAX / layout.rows, "picture rows too long");
  return {image.width, image.height, image.format == FL_BGR24, planesOf(image), matrixOf(image)};
}

std::array<float, 3> Picture::colour(int row, int column) const {
  std::array<float, 3> colour;
  for (int channel = 0; channel < 3; ++channel) {
    const auto &weights = matrix.rows[channel];
    float value = weights[3];
    for (int plane = 0; plane < 3; ++plane) value += weights[plane] * planes[plane].at(row, column);
    colour[channel] = std::clamp(value, 0.0f, 255.0f);
  }
  return colour;
}

}  // namespace faceplay
