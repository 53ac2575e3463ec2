// What the fused engine makes of fixed inputs, to compare one processor with another: every network's outputs, and crops
// of a picture in each layout.
//
// usage: engine-outputs MODELS_DIRECTORY write|compare FILE. Comparing fails where a value differs by more than
// kTolerance from the file's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "Crop.h"
#include "FusedNetwork.h"
#include "OnnxGraph.h"

namespace {

using namespace faceplay;

/// A hundredth of what landmarks may differ by, in their pixels: additions in another order, or fused with products.
constexpr float kTolerance = 5e-4f;

/// A linear congruential generator (Numerical Recipes, 3rd edition, 7.1.3): the same numbers everywhere, 0…1.
class Numbers {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return float(state_ >> 8) / float(1 << 24);
  }

 private:
  uint32_t state_ = 1;
};

constexpr TensorShape values(int count) { return {count, 1, 1}; }

struct NetworkFile {
  const char *name;
  TensorShape input;
  std::vector<Network::Output> outputs;
};

const NetworkFile kNetworks[] = {
    {"detector.onnx",
     {3, 128, 128},
     {{"boxes_16x16", {32, 16, 16}}, {"scores_16x16", {2, 16, 16}}, {"boxes_8x8", {96, 8, 8}}, {"scores_8x8", {6, 8, 8}}}},
    {"landmarks.onnx", {3, 192, 192}, {{"mesh", values(1404)}, {"presence", values(1)}, {"features", {32, 48, 48}}}},
    {"landmarks-lips.onnx", {32, 16, 16}, {{"lips", values(160)}}},
    {"landmarks-left-eye.onnx", {32, 16, 16}, {{"eye", values(142)}, {"iris", values(10)}}},
    {"landmarks-right-eye.onnx", {32, 16, 16}, {{"eye", values(142)}, {"iris", values(10)}}},
};

/// Calls `visit` with each of a tensor's values.
template <typename Value, typename Visit>
void forEach(TensorShape shape, const TensorView<Value> &view, Visit visit) {
  for (int channel = 0; channel < shape.channels; ++channel)
    for (int row = 0; row < shape.height; ++row)
      for (int column = 0; column < shape.width; ++column) visit(view.at(channel, row, column));
}

void addNetworks(const std::string &models, const Kernels &kernels, Numbers &numbers, std::vector<float> &results) {
  for (const NetworkFile &network : kNetworks) {
    std::ifstream file(models + "/" + network.name, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    FusedNetwork fused(FusedPlan::make(OnnxGraph::read(bytes), network.input, network.outputs), kernels);
    forEach(network.input, fused.input(), [&](float &value) { value = numbers.next(); });
    fused.run();
    for (size_t i = 0; i < network.outputs.size(); ++i)
      forEach(network.outputs[i].shape, fused.output(i), [&](float value) { results.push_back(value); });
  }
}

void addCrops(const Kernels &kernels, Numbers &numbers, std::vector<float> &results) {
  constexpr int kWidth = 320, kHeight = 240, kSide = 192;
  std::vector<uint8_t> pixels(kWidth * kHeight * 3);
  for (uint8_t &byte : pixels) byte = uint8_t(numbers.next() * 256);
  std::vector<float> crop(3 * kSide * kSide);
  const Crop cutter(kSide, Beyond::edgeRepeated, 1 / 255.0f, 0, kernels);
  for (const int format : {FL_BGR24, FL_YUYV, FL_NV12, FL_I420, FL_I422}) {
    fl_image image = {};
    image.pixels = pixels.data();
    image.byte_count = pixels.size();
    image.width = kWidth;
    image.height = kHeight;
    image.bytes_per_row = format == FL_BGR24 ? 3 * kWidth : format == FL_YUYV ? 2 * kWidth : kWidth;
    image.format = format;
    // Upright, turned, and upside down beyond the picture's edges.
    for (const fl_region region : {fl_region{{150, 110}, 90, 0}, {{150, 110}, 200, 0.4f}, {{20, 200}, 400, -2.5f}}) {
      cutter.cut(Picture::of(image), region, {crop.data(), kSide * kSide, kSide, 1});
      results.insert(results.end(), crop.begin(), crop.end());
    }
  }
}

int compare(const std::vector<float> &results, const char *path) {
  std::vector<float> others(results.size() + 1);
  std::FILE *file = std::fopen(path, "rb");
  const size_t count = file ? std::fread(others.data(), sizeof(float), others.size(), file) : 0;
  if (file) std::fclose(file);
  if (count != results.size()) {
    std::printf("failed: %zu values here, %zu in %s\n", results.size(), count, path);
    return 1;
  }
  float greatest = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    const float difference = std::fabs(results[i] - others[i]);
    // Not a number differs from all.
    greatest = std::isnan(difference) ? INFINITY : std::max(greatest, difference);
  }
  std::printf("%zu values, the greatest difference is %.2g\n", results.size(), double(greatest));
  return greatest <= kTolerance ? 0 : 1;
}

}  // namespace

int main(int count, char **words) {
  if (count != 4) return 64;
  Numbers numbers;
  std::vector<float> results;
  const Kernels &kernels = *Kernels::forInstructions(Kernels::Instructions::baseline);
  addNetworks(words[1], kernels, numbers, results);
  addCrops(kernels, numbers, results);
  if (std::strcmp(words[2], "compare") == 0) return compare(results, words[3]);
  std::FILE *file = std::fopen(words[3], "wb");
  if (!file) return 73;
  const bool isWritten = std::fwrite(results.data(), sizeof(float), results.size(), file) == results.size();
  return std::fclose(file) == 0 && isWritten ? 0 : 74;
}
