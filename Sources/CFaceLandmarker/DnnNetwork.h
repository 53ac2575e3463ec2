// A network on OpenCV's dnn module: any graph, any CPU.
#pragma once

#include <opencv2/dnn.hpp>

#include "Network.h"

namespace faceplay {

class DnnNetwork : public Network::Runner {
 public:
  /// Throws `std::exception`.
  DnnNetwork(const std::vector<char> &onnx, TensorShape input, std::vector<Network::Output> outputs);

  TensorView<float> input() override;
  void run() override;
  TensorView<const float> output(size_t index) const override;

 private:
  cv::dnn::Net net_;
  TensorShape inputShape_;
  cv::Mat input_;
  std::vector<Network::Output> outputs_;
  std::vector<cv::String> outputNames_;
  std::vector<cv::Mat> results_;
};

}  // namespace faceplay
