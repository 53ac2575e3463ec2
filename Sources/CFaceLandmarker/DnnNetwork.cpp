// A network on OpenCV's dnn module: any graph, any CPU.
#include "DnnNetwork.h"

#include <stdexcept>

namespace faceplay {
namespace {

/// OpenCV keeps tensors channel by channel, row by row.
template <typename Value>
TensorView<Value> planes(Value *values, TensorShape shape) {
  return {values, size_t(shape.height) * shape.width, size_t(shape.width), 1};
}

}  // namespace

DnnNetwork::DnnNetwork(const std::vector<char> &onnx, TensorShape input, std::vector<Network::Output> outputs)
    : net_(cv::dnn::readNetFromONNX(onnx.data(), onnx.size())), inputShape_(input), outputs_(std::move(outputs)) {
  net_.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net_.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  const int sizes[] = {1, input.channels, input.height, input.width};
  input_ = cv::Mat::zeros(4, sizes, CV_32F);
  for (const Network::Output &output : outputs_) outputNames_.push_back(output.name);
}

TensorView<float> DnnNetwork::input() { return planes(input_.ptr<float>(), inputShape_); }

TensorView<const float> DnnNetwork::output(size_t index) const {
  return planes(results_[index].ptr<float>(), outputs_[index].shape);
}

void DnnNetwork::run() {
  net_.setInput(input_);
  net_.forward(results_, outputNames_);
  if (results_.size() != outputs_.size()) throw std::runtime_error("the network gave other outputs than asked for");
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const cv::Mat &result = results_[i];
    if (result.type() != CV_32F || !result.isContinuous() || result.total() != outputs_[i].shape.count()) {
      throw std::runtime_error("output " + outputs_[i].name + " has an unexpected shape");
    }
  }
}

}  // namespace faceplay
