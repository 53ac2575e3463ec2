// A network on the fused engine: the graphs of models/, several times faster than OpenCV runs them.
//
// Values of a pixel lie together (channels last), layers are computed row by row, and a layer's row as soon as the rows
// it reads are there: what one layer writes is still in the cache when the next reads it.
#pragma once

#include "FusedPlan.h"
#include "Kernels.h"
#include "Network.h"

namespace faceplay {

class FusedNetwork : public Network::Runner {
 public:
  /// Throws `std::bad_alloc`.
  FusedNetwork(const FusedPlan &plan, const Kernels &kernels);

  TensorView<float> input() override;
  void run() override;
  TensorView<const float> output(size_t index) const override;

 private:
  /// Values aligned to a cache line, zero at first.
  class Values {
   public:
    explicit Values(size_t count) : lines_((count + kPerLine - 1) / kPerLine) {}
    float *data() { return lines_.empty() ? nullptr : lines_.front().values; }
    const float *data() const { return lines_.empty() ? nullptr : lines_.front().values; }

   private:
    static constexpr size_t kPerLine = 16;
    struct alignas(64) Line {
      float values[kPerLine] = {};
    };
    std::vector<Line> lines_;
  };

  /// A tensor with zeros around it, and in the channels that fill its last vector.
  struct Tensor {
    TensorShape shape;
    size_t pixelStep;
    size_t rowStep;
    /// Rows and columns of zeros before the first.
    int before;
    Values values;

    /// Row and column may lie in the zeros around the tensor.
    float *at(int row, int column);
    const float *at(int row, int column) const;
  };

  struct Layer {
    int input;
    int output;
    Window window;
    bool hasDepthwise;
    FusedLayer::Residual residual;
    /// As `Kernels` take them.
    Values depthwise;
    Values weights;
    Values bias;
    Values slopes;
  };

  struct Step {
    int layer;
    int row;
  };

  size_t padded(size_t channels) const;
  Tensor makeTensor(const FusedPlan::Tensor &planned, bool isPadded) const;
  Layer makeLayer(const FusedLayer &planned) const;
  Values packDepthwise(const FusedLayer &planned) const;
  Values packWeights(const FusedLayer &planned) const;
  Values packChannels(const std::vector<float> &values) const;
  void schedule(int tensor, int rows, std::vector<int> &scheduled);
  void runRow(const Layer &layer, int row);

  const Kernels &kernels_;
  std::vector<Tensor> tensors_;
  std::vector<Layer> layers_;
  std::vector<int> outputs_;
  std::vector<Step> steps_;
  /// One row after a depthwise convolution.
  Values between_;
};

}  // namespace faceplay
