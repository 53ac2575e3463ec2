// One convolutional network: fill its input, run it, read its outputs. The only file that knows how networks are run.
#pragma once

#include <opencv2/dnn.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace faceplay {

/// A tensor of one batch, stored channel by channel, row by row.
struct TensorShape {
  int channels;
  int height;
  int width;

  constexpr size_t count() const { return static_cast<size_t>(channels) * height * width; }
};

class Network {
 public:
  struct Output {
    std::string name;
    TensorShape shape;
  };

  /// Parses `onnx` and runs it once, so that a file with other inputs or outputs is found here and the first picture
  /// is not slower than the next. Throws `std::exception`.
  Network(const std::vector<char> &onnx, TensorShape input, std::vector<Output> outputs);

  /// The input's values, to be written before `run`.
  float *input() { return input_.ptr<float>(); }

  /// Throws `std::exception`.
  void run();

  /// The values of the output listed at `index`; valid until the next `run`.
  const float *output(size_t index) const { return results_[index].ptr<float>(); }

 private:
  cv::dnn::Net net_;
  cv::Mat input_;
  std::vector<Output> outputs_;
  std::vector<cv::String> outputNames_;
  std::vector<cv::Mat> results_;
};

}  // namespace faceplay
