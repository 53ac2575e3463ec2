// The graph of operations in an ONNX file, as far as the fused engine needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faceplay {

/// A file that is no ONNX file, or a graph that the fused engine does not know; `what()` is one line.
struct UnsupportedGraph : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A constant stored in the file.
struct OnnxConstant {
  enum class Type { float32, int64 };

  Type type;
  /// At least 1 each; their product is the number of values.
  std::vector<size_t> sizes;
  /// The values, little-endian, unaligned.
  std::string_view bytes;

  /// Throws `UnsupportedGraph` when the constant is of the other type.
  std::vector<float> floats() const;
  std::vector<int64_t> integers() const;
};

struct OnnxAttribute {
  int64_t integer = 0;
  std::vector<int64_t> integers;
  std::string_view text;
};

struct OnnxNode {
  std::string_view kind;
  std::vector<std::string_view> inputs;
  std::string_view output;
  std::map<std::string_view, OnnxAttribute> attributes;
};

/// Format: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto
struct OnnxGraph {
  /// In an order in which they can be computed: each node's inputs are constants, the input or earlier outputs.
  std::vector<OnnxNode> nodes;
  std::map<std::string_view, OnnxConstant> constants;
  std::string_view input;

  /// Reads a model of opset 11 with one input whose nodes have one output each. The graph refers to `bytes`, which must
  /// outlive it. Throws `UnsupportedGraph`.
  static OnnxGraph read(std::string_view bytes);
};

}  // namespace faceplay
