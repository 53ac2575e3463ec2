// The fused engine's readers against arbitrary network files: each is computed or refused.
#include <CFaceLandmarker.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "FusedNetwork.h"
#include "OnnxGraph.h"

namespace {

using namespace faceplay;

/// A network file as shipped, and where in it something other than weights stands.
struct Original {
  std::string bytes;
  std::vector<size_t> structure;
  TensorShape input;
  std::vector<Network::Output> outputs;

  Original(const char *name, TensorShape input, std::vector<Network::Output> outputs)
      : input(input), outputs(std::move(outputs)) {
    std::ifstream file(std::string(std::getenv("FACEPLAY_MODELS")) + "/" + name, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    std::vector<bool> isWeight(bytes.size());
    for (const auto &[constant, content] : OnnxGraph::read(bytes).constants) {
      const size_t first = content.bytes.data() - bytes.data();
      std::fill_n(isWeight.begin() + first, content.bytes.size(), true);
    }
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (!isWeight[i]) structure.push_back(i);
    }
  }
};

/// The loops for one of the instruction sets, or the plainest where this CPU does not have it.
const Kernels &kernels(int choice) {
  using Instructions = Kernels::Instructions;
  const Instructions all[] = {Instructions::baseline, Instructions::avx2, Instructions::avx512};
  const Kernels *found = Kernels::forInstructions(all[choice % 3]);
  return found ? *found : *Kernels::forInstructions(Instructions::baseline);
}

/// Reads, plans and runs the network.
void tryNetwork(const Original &original, std::string_view bytes, const Kernels &kernels) {
  const std::vector<Network::Output> &outputs = original.outputs;
  try {
    const OnnxGraph graph = OnnxGraph::read(bytes);
    FusedNetwork network(FusedPlan::make(graph, original.input, outputs), kernels);
    network.run();
    for (size_t i = 0; i < outputs.size(); ++i) {
      const TensorShape &shape = outputs[i].shape;
      volatile float last = network.output(i).at(shape.channels - 1, shape.height - 1, shape.width - 1);
      (void)last;
    }
  } catch (const UnsupportedGraph &) {
  }
}

}  // namespace

/// The first byte chooses the instructions, and a whole file or changes to one that works: each a place in its structure
/// and a byte.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const Original originals[] = {
      {"landmarks-lips.onnx", {32, 16, 16}, {{"lips", {160, 1, 1}}}},
      {"detector.onnx",
       {3, 128, 128},
       {{"boxes_16x16", {32, 16, 16}}, {"scores_16x16", {2, 16, 16}}, {"boxes_8x8", {96, 8, 8}}}}};
  if (size == 0) return 0;
  const Original &original = originals[bytes[0] & 1];
  const Kernels &loops = kernels(bytes[0] >> 2);
  if (bytes[0] & 2) {
    tryNetwork(original, {reinterpret_cast<const char *>(bytes) + 1, size - 1}, loops);
    return 0;
  }
  std::string altered = original.bytes;
  for (size_t i = 1; i + 3 <= size; i += 3) {
    altered[original.structure[(bytes[i] | bytes[i + 1] << 8) % original.structure.size()]] = char(bytes[i + 2]);
  }
  tryNetwork(original, altered, loops);
  return 0;
}
