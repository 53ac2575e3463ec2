// How the fused engine computes a graph: few layers, each of several operations that need not touch memory in between.
#pragma once

#include <vector>

#include "Network.h"
#include "OnnxGraph.h"

namespace faceplay {

/// A square window that slides over the rows and columns of a tensor.
struct Window {
  int side;
  int step;
  /// Zeros before the first row and column that the first window covers.
  int before;
};

/// One layer: [3x3 depthwise convolution, then] a convolution over all channels, [plus the layer's own input, halved by
/// 2x2 maximum pooling where the window steps by two], then an activation for each channel: v < 0 ? v * slope : v.
struct FusedLayer {
  enum class Residual { none, input, pooledInput };

  /// Tensors of the plan.
  int input;
  int output;
  /// Of the depthwise convolution if there is one, else of the convolution.
  Window window;
  /// Row, column, channel; empty when there is none. Its bias is part of `bias`.
  std::vector<float> depthwise;
  /// Row, column, input channel, output channel; one row and column after a depthwise convolution.
  std::vector<float> weights;
  /// A value for each output channel.
  std::vector<float> bias;
  /// 1 without an activation, 0 for ReLU.
  std::vector<float> slopes;
  Residual residual;
};

struct FusedPlan {
  /// A tensor that is kept in memory. `before` and `after` are the rows and columns of zeros around it.
  struct Tensor {
    TensorShape shape;
    int before;
    int after;
  };

  /// The first is the network's input.
  std::vector<Tensor> tensors;
  /// In an order in which they can be computed.
  std::vector<FusedLayer> layers;
  /// The tensor of each output asked for.
  std::vector<int> outputs;

  /// Throws `UnsupportedGraph` when the graph holds what the engine does not know, or does not fit the shapes.
  static FusedPlan make(const OnnxGraph &graph, TensorShape input, const std::vector<Network::Output> &outputs);
};

}  // namespace faceplay
