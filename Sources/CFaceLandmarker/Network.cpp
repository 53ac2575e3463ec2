// One convolutional network on OpenCV's dnn module.
#include "Network.h"

#include <stdexcept>

namespace faceplay {

Network::Network(const std::vector<char> &onnx, TensorShape input, std::vector<Output> outputs)
    : net_(cv::dnn::readNetFromONNX(onnx.data(), onnx.size())), outputs_(std::move(outputs)) {
  net_.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net_.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  const int sizes[] = {1, input.channels, input.height, input.width};
  input_ = cv::Mat::zeros(4, sizes, CV_32F);
  for (const Output &output : outputs_) outputNames_.push_back(output.name);
  run();
}

void Network::run() {
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
