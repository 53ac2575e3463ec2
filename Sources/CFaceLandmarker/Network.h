// One convolutional network: fill its input, run it, read its outputs. How it is computed is its engine's matter.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "Kernels.h"

namespace faceplay {

/// A tensor of one batch.
struct TensorShape {
  int channels;
  int height;
  int width;

  constexpr size_t count() const { return static_cast<size_t>(channels) * height * width; }
};

constexpr bool operator==(TensorShape a, TensorShape b) {
  return a.channels == b.channels && a.height == b.height && a.width == b.width;
}

/// Where a tensor's values lie: each engine has an order of its own. Steps are in values.
template <typename Value>
struct TensorView {
  Value *values;
  size_t channelStep;
  size_t rowStep;
  size_t columnStep;

  Value *at(int row, int column) const { return values + row * rowStep + column * columnStep; }
  Value &at(int channel, int row, int column) const { return at(row, column)[channel * channelStep]; }
};

class Network {
 public:
  struct Output {
    std::string name;
    TensorShape shape;
  };

  /// What an engine makes of a network file.
  class Runner {
   public:
    virtual ~Runner() = default;
    virtual TensorView<float> input() = 0;
    virtual void run() = 0;
    virtual TensorView<const float> output(size_t index) const = 0;
  };

  /// Parses `onnx` and runs it once, so that a file with other inputs or outputs is found here and the first picture
  /// is not slower than the next. Runs on OpenCV's dnn module without `kernels`, else on the fused engine, which throws
  /// `UnsupportedGraph` when it does not know the graph. Throws `std::exception`.
  Network(
      const std::vector<char> &onnx, TensorShape input, std::vector<Output> outputs, const Kernels *kernels);

  /// The input, to be written before `run`.
  TensorView<float> input() { return runner_->input(); }

  /// Throws `std::exception`.
  void run() { runner_->run(); }

  /// The output listed at `index`; valid until the next `run`.
  TensorView<const float> output(size_t index) const { return runner_->output(index); }

  /// The values of an output of one row and column, one after the other.
  const float *values(size_t index) const { return output(index).values; }

 private:
  std::unique_ptr<Runner> runner_;
};

}  // namespace faceplay
