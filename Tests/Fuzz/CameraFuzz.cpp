// The camera decoder against arbitrary pictures in any mode: each fills its target, or is damaged.
#include <linux/videodev2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

extern "C" {
#include <CV4L2.h>
}

namespace {

const uint32_t kFormats[] = {
    V4L2_PIX_FMT_MJPEG,  V4L2_PIX_FMT_YUYV,   V4L2_PIX_FMT_NV12,   V4L2_PIX_FMT_YUV420, V4L2_PIX_FMT_JPEG,
    V4L2_PIX_FMT_RGB24,  V4L2_PIX_FMT_GREY,   V4L2_PIX_FMT_MPEG4,  V4L2_PIX_FMT_UYVY,   V4L2_PIX_FMT_YVYU,
    V4L2_PIX_FMT_RGB565, V4L2_PIX_FMT_YVU420, V4L2_PIX_FMT_BGR24,  V4L2_PIX_FMT_SBGGR8, V4L2_PIX_FMT_SGBRG8,
    V4L2_PIX_FMT_SGRBG8,
};

/// Libraries that the address sanitizer does not see write past a target into this.
const size_t kGuardSize = 4096;
const uint8_t kGuard = 0xA7;

/// A target of exactly the memory that it needs, if it has none to spare; writing past it is caught.
camera_decoding decode(
    camera_decoder *decoder, const camera_mode &mode, const std::vector<uint8_t> &picture, camera_layout layout,
    size_t padding) {
  const size_t width = mode.width, height = mode.height, wide = (width + 15) / 16 * 16 + padding * 2;
  size_t stride = wide, rows = height;
  if (layout == CAMERA_BGR24) stride = width * 3;
  if (layout == CAMERA_YUYV) stride = wide * 2;
  if (layout == CAMERA_NV12 || layout == CAMERA_I420) rows += (height + 1) / 2;
  if (layout == CAMERA_I422) rows *= 2;
  std::vector<uint8_t> pixels(stride * rows + kGuardSize, kGuard);
  const camera_target target = {layout, stride, pixels.data(), stride * rows};
  const camera_decoding decoding = camera_decode(decoder, &mode, picture.data(), picture.size(), &target);
  if (std::any_of(pixels.begin() + stride * rows, pixels.end(), [](uint8_t byte) { return byte != kGuard; })) {
    std::fprintf(stderr, "broken: pixels are written past the target\n");
    std::abort();
  }
  return decoding;
}

}  // namespace

/// A format and a mode, then the picture.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static camera_decoder *const decoder = camera_decoder_create();
  struct {
    uint8_t format, width, height, stride, layout, padding;
  } input;
  if (size < sizeof input) return 0;
  std::memcpy(&input, bytes, sizeof input);
  camera_mode mode = {};
  mode.format = kFormats[input.format % std::size(kFormats)];
  mode.width = input.width + 1u;
  mode.height = input.height + 1u;
  mode.bytes_per_line = input.stride;
  const std::vector<uint8_t> picture(bytes + sizeof input, bytes + size);
  const camera_layout layout = camera_layout_of(decoder, &mode, picture.data(), picture.size());
  const camera_decoding decoding = decode(decoder, mode, picture, layout, input.padding % 4);
  if ((decoding == CAMERA_UNKNOWN_FORMAT) != !camera_decodes(mode.format)) {
    std::fprintf(stderr, "broken: a format is taken for known or unknown\n");
    std::abort();
  }
  // Nor does a target of another layout do harm.
  decode(decoder, mode, picture, camera_layout(input.layout % (CAMERA_I422 + 1)), 0);
  return 0;
}
