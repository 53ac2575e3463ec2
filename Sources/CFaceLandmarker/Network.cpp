// One convolutional network, on the engine that was chosen.
#include "Network.h"

#include "DnnNetwork.h"
#include "FusedNetwork.h"

namespace faceplay {
namespace {

std::unique_ptr<Network::Runner> makeRunner(
    const std::vector<char> &onnx, TensorShape input, std::vector<Network::Output> outputs, const Kernels *kernels) {
  if (kernels == nullptr) return std::make_unique<DnnNetwork>(onnx, input, std::move(outputs));
  const OnnxGraph graph = OnnxGraph::read({onnx.data(), onnx.size()});
  return std::make_unique<FusedNetwork>(FusedPlan::make(graph, input, outputs), *kernels);
}

}  // namespace

Network::Network(
    const std::vector<char> &onnx, TensorShape input, std::vector<Output> outputs, const Kernels *kernels)
    : runner_(makeRunner(onnx, input, std::move(outputs), kernels)) {
  run();
}

}  // namespace faceplay
