// How the fused engine computes a graph: recognising layers in the graph, then working out and checking their shapes.
#include "FusedPlan.h"

#include <algorithm>

namespace faceplay {
namespace {

/// Far above the largest network there is (40 million multiplications, a million values), and low enough that whatever
/// is accepted runs in bounded time and memory.
constexpr size_t kMostMultiplications = size_t(1) << 28;
constexpr size_t kMostValues = size_t(1) << 24;
constexpr int kLargestWindow = 16;
/// As many channels as the widest vectors hold: a layer with fewer costs as much.
constexpr size_t kMostLanes = 16;

constexpr int kDepthwiseSide = 3;

[[noreturn]] void refuse(std::string_view what, const std::string &reason) {
  throw UnsupportedGraph(std::string(what.substr(0, 60)) + ": " + reason);
}

[[noreturn]] void refuse(const OnnxNode &node, const std::string &reason) { refuse(node.output, reason); }

/// A window's padding as ONNX names it: SAME_UPPER or VALID.
struct WindowRule {
  int side;
  int step;
  bool isSame;

  /// The number of windows that fit into `size`, and where the first one starts. Throws when none fits.
  int count(int size, int &before) const {
    before = 0;
    if (!isSame) {
      if (size < side) throw UnsupportedGraph("a window larger than what it slides over");
      return (size - side) / step + 1;
    }
    const int windows = (size + step - 1) / step;
    before = std::max((windows - 1) * step + side - size, 0) / 2;
    return windows;
  }
};

size_t paddedChannels(size_t channels) { return (channels + kMostLanes - 1) / kMostLanes * kMostLanes; }

/// The weights kept for a layer, each multiplied once a pixel.
size_t keptWeights(const FusedLayer &layer) {
  const size_t channels = layer.bias.size();
  return layer.weights.size() / channels * paddedChannels(channels) + layer.depthwise.size();
}

/// A layer as the graph holds it, before shapes are known.
struct Recognised {
  std::string_view source;
  std::string_view output;
  WindowRule rule;
  FusedLayer layer;
  size_t inputChannels;
};

/// Finds the layers that lead to the outputs.
class Recogniser {
 public:
  explicit Recogniser(const OnnxGraph &graph) : graph_(graph) {
    for (const OnnxNode &node : graph.nodes) producers_[node.output] = &node;
  }

  std::vector<Recognised> layers(const std::vector<Network::Output> &outputs) const {
    std::map<std::string_view, bool> needed;
    for (const Network::Output &output : outputs) needed[output.name] = true;
    // Every value comes after what it is made of, so that going backwards meets all its readers before its maker.
    std::vector<Recognised> found;
    size_t kept = 0;
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
      if (needed.count(node->output) == 0) continue;
      found.push_back(layer(*node));
      needed[found.back().source] = true;
      kept += keptWeights(found.back().layer);
      if (kept > kMostValues) refuse(*node, "too many weights");
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  /// The layer that ends with `last`.
  Recognised layer(const OnnxNode &last) const {
    Recognised result = {};
    result.output = last.output;
    const OnnxNode *node = takeActivation(last, result);
    const OnnxNode *added = nullptr;
    std::string_view residual;
    if (node->kind == "Add") {
      added = node;
      node = &addedConvolution(*added, residual);
    }
    takeConvolution(*node, result);
    if (added) takeResidual(*added, residual, result);

    FusedLayer &layer = result.layer;
    if (last.kind == "Relu") layer.slopes.assign(layer.bias.size(), 0);
    if (layer.slopes.empty()) layer.slopes.assign(layer.bias.size(), 1);
    if (layer.slopes.size() != layer.bias.size()) refuse(last, "slopes do not fit the channels");
    return result;
  }

  /// The node before the activation; the same node if it is none.
  const OnnxNode *takeActivation(const OnnxNode &node, Recognised &result) const {
    if (node.kind == "Relu") {
      requireInputs(node, 1);
      return &producer(node, 0);
    }
    if (node.kind != "PRelu") return &node;
    requireInputs(node, 2);
    const OnnxConstant &slopes = constant(node, 1);
    if (slopes.sizes.size() != 3 || slopes.sizes[1] != 1 || slopes.sizes[2] != 1) {
      refuse(node, "slopes that are not one a channel");
    }
    result.layer.slopes = slopes.floats();
    return &producer(node, 0);
  }

  /// The convolution among the two that are added; `residual` becomes the other.
  const OnnxNode &addedConvolution(const OnnxNode &add, std::string_view &residual) const {
    requireInputs(add, 2);
    for (const size_t place : {1, 0}) {
      if (const OnnxNode *convolution = producer(add.inputs[place], "Conv")) {
        residual = add.inputs[1 - place];
        return *convolution;
      }
    }
    refuse(add, "an addition without a convolution");
  }

  void takeConvolution(const OnnxNode &node, Recognised &result) const {
    if (node.kind != "Conv") refuse(node, "the operation " + std::string(node.kind.substr(0, 20)));
    const OnnxConstant &weights = convolutionWeights(node);
    if (group(node) != 1) refuse(node, "a convolution in groups that no other follows");
    result.rule = windowRule(node, weights);
    result.source = node.inputs[0];
    result.inputChannels = weights.sizes[1];
    result.layer.weights = outputChannelLast(weights);
    result.layer.bias = constant(node, 2).floats();
    const OnnxNode *before = producer(node.inputs[0], "Conv");
    if (before && result.rule.side == 1 && group(*before) != 1) takeDepthwise(*before, result);
  }

  void takeDepthwise(const OnnxNode &node, Recognised &result) const {
    const OnnxConstant &weights = convolutionWeights(node);
    const size_t channels = weights.sizes[0];
    if (channels != result.inputChannels) refuse(node, "channels that do not fit the next convolution's");
    if (group(node) != int64_t(channels) || weights.sizes[1] != 1) refuse(node, "groups of several channels");
    if (result.rule.step != 1) refuse(node, "a convolution after it that leaves out pixels");
    result.rule = windowRule(node, weights);
    if (result.rule.side != kDepthwiseSide || result.rule.step > 2) refuse(node, "a window other than 3x3");
    result.source = node.inputs[0];
    result.layer.depthwise = outputChannelLast(weights);
    foldBias(constant(node, 2).floats(), result.layer);
  }

  /// Nothing lies between a depthwise convolution and the next: its bias, seen through the next one's weights, is bias.
  static void foldBias(const std::vector<float> &depthwiseBias, FusedLayer &layer) {
    const size_t channels = layer.bias.size();
    for (size_t channel = 0; channel < channels; ++channel) {
      double sum = layer.bias[channel];
      for (size_t i = 0; i < depthwiseBias.size(); ++i) {
        sum += double(depthwiseBias[i]) * layer.weights[i * channels + channel];
      }
      layer.bias[channel] = float(sum);
    }
  }

  /// What is added must be the layer's own input: as it is, pooled, and either with further channels of zeros.
  void takeResidual(const OnnxNode &add, std::string_view residual, Recognised &result) const {
    if (result.layer.depthwise.empty()) refuse(add, "an addition to a convolution without a depthwise one");
    result.layer.residual = FusedLayer::Residual::input;
    size_t padding = 0;
    if (const OnnxNode *pad = producer(residual, "Pad")) {
      padding = channelPadding(*pad);
      residual = pad->inputs[0];
    }
    if (const OnnxNode *pool = producer(residual, "MaxPool")) {
      requireInputs(*pool, 1);
      const WindowRule rule = windowRule(*pool);
      if (rule.side != 2 || rule.step != 2) refuse(*pool, "pooling other than 2x2");
      result.layer.residual = FusedLayer::Residual::pooledInput;
      residual = pool->inputs[0];
    }
    if (residual != result.source) refuse(add, "an addition of something other than the layer's input");
    if (result.inputChannels + padding != result.layer.bias.size()) refuse(add, "an addition of other channels");
  }

  /// How many channels of zeros are appended.
  size_t channelPadding(const OnnxNode &pad) const {
    requireInputs(pad, 2);
    allowAttributes(pad, {"mode"});
    const auto mode = pad.attributes.find("mode");
    if (mode != pad.attributes.end() && mode->second.text != "constant") refuse(pad, "padding with other than zeros");
    // Batch, channels, rows, columns: before each, then after each.
    const std::vector<int64_t> pads = constant(pad, 1).integers();
    if (pads.size() != 8) refuse(pad, "padding of another number of dimensions");
    for (size_t i = 0; i < pads.size(); ++i) {
      if (i == 5 ? pads[i] < 0 || uint64_t(pads[i]) > kMostValues : pads[i] != 0) {
        refuse(pad, "padding other than after the channels");
      }
    }
    return size_t(pads[5]);
  }

  const OnnxConstant &convolutionWeights(const OnnxNode &node) const {
    requireInputs(node, 3);
    allowAttributes(node, {"auto_pad", "group", "kernel_shape", "strides"});
    const OnnxConstant &weights = constant(node, 1);
    const OnnxConstant &bias = constant(node, 2);
    if (weights.sizes.size() != 4 || weights.sizes[2] != weights.sizes[3]) refuse(node, "weights of another shape");
    if (bias.sizes.size() != 1 || bias.sizes[0] != weights.sizes[0]) refuse(node, "a bias that does not fit");
    return weights;
  }

  /// Turns weights from output channel, input channel, row, column to row, column, input channel, output channel. Of a
  /// depthwise convolution, with one input channel, this leaves row, column, channel.
  static std::vector<float> outputChannelLast(const OnnxConstant &weights) {
    const std::vector<float> values = weights.floats();
    const size_t inputs = weights.sizes[1], taps = weights.sizes[2] * weights.sizes[3];
    std::vector<float> turned;
    turned.reserve(values.size());
    for (size_t tap = 0; tap < taps; ++tap) {
      for (size_t input = 0; input < inputs; ++input) {
        for (size_t output = 0; output < weights.sizes[0]; ++output) {
          turned.push_back(values[(output * inputs + input) * taps + tap]);
        }
      }
    }
    return turned;
  }

  static int64_t group(const OnnxNode &node) {
    const auto found = node.attributes.find("group");
    return found == node.attributes.end() ? 1 : found->second.integer;
  }

  static WindowRule windowRule(const OnnxNode &node, const OnnxConstant &weights) {
    const WindowRule rule = windowRule(node);
    if (size_t(rule.side) != weights.sizes[2]) refuse(node, "a window that does not fit the weights");
    return rule;
  }

  static WindowRule windowRule(const OnnxNode &node) {
    allowAttributes(node, {"auto_pad", "group", "kernel_shape", "strides"});
    const auto padding = node.attributes.find("auto_pad");
    if (padding == node.attributes.end()) refuse(node, "a window with padding of its own");
    const bool isSame = padding->second.text == "SAME_UPPER";
    if (!isSame && padding->second.text != "VALID") refuse(node, "a window with padding of its own");
    return {square(node, "kernel_shape"), square(node, "strides"), isSame};
  }

  /// The value of an attribute that holds the same number for rows and columns.
  static int square(const OnnxNode &node, std::string_view name) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) refuse(node, "no window");
    const std::vector<int64_t> &values = found->second.integers;
    if (values.size() != 2 || values[0] != values[1] || values[0] < 1 || values[0] > kLargestWindow) {
      refuse(node, "a window that is not square, or too large");
    }
    return int(values[0]);
  }

  /// An attribute that is not known may change what the operation does.
  static void allowAttributes(const OnnxNode &node, std::initializer_list<std::string_view> known) {
    for (const auto &[name, attribute] : node.attributes) {
      if (std::find(known.begin(), known.end(), name) == known.end()) refuse(node, "an unknown attribute");
    }
  }

  static void requireInputs(const OnnxNode &node, size_t count) {
    if (node.inputs.size() != count) refuse(node, "another number of inputs");
  }

  const OnnxConstant &constant(const OnnxNode &node, size_t input) const {
    const auto found = graph_.constants.find(node.inputs[input]);
    if (found == graph_.constants.end()) refuse(node, "weights that are computed");
    return found->second;
  }

  const OnnxNode &producer(const OnnxNode &node, size_t input) const {
    const auto found = producers_.find(node.inputs[input]);
    if (found == producers_.end()) refuse(node, "nothing to follow");
    return *found->second;
  }

  /// The node that makes `value`, if it is of that kind.
  const OnnxNode *producer(std::string_view value, std::string_view kind) const {
    const auto found = producers_.find(value);
    return found != producers_.end() && found->second->kind == kind ? found->second : nullptr;
  }

  const OnnxGraph &graph_;
  std::map<std::string_view, const OnnxNode *> producers_;
};

/// Works out the tensors between the layers.
class Shaper {
 public:
  Shaper(std::string_view input, TensorShape shape) { add(input, shape); }

  void place(Recognised recognised) {
    FusedLayer &layer = recognised.layer;
    const auto source = tensors_.find(recognised.source);
    if (source == tensors_.end()) refuse(recognised.output, "a constant where a computed value belongs");
    layer.input = source->second;
    const TensorShape from = plan_.tensors[layer.input].shape;
    if (recognised.inputChannels != size_t(from.channels)) refuse(recognised.output, "channels that do not fit");

    const WindowRule &rule = recognised.rule;
    int left = 0;
    layer.window = {rule.side, rule.step, 0};
    const int height = rule.count(from.height, layer.window.before), width = rule.count(from.width, left);
    if (left != layer.window.before) refuse(recognised.output, "a picture that is padded unevenly");
    const TensorShape to = {int(layer.bias.size()), height, width};
    checkResidual(recognised, from, to);
    layer.output = add(recognised.output, to);
    surround(plan_.tensors[layer.input], layer.window, to);
    multiplications_ += size_t(to.height) * to.width * keptWeights(layer);
    if (multiplications_ > kMostMultiplications) refuse(recognised.output, "too much to compute");
    plan_.layers.push_back(std::move(layer));
  }

  FusedPlan finish(const std::vector<Network::Output> &outputs) && {
    size_t values = 0;
    for (const FusedPlan::Tensor &tensor : plan_.tensors) {
      const size_t border = size_t(tensor.before) + tensor.after;
      values += paddedChannels(tensor.shape.channels) * (tensor.shape.height + border) * (tensor.shape.width + border);
    }
    if (values > kMostValues) throw UnsupportedGraph("too many values to keep");
    for (const Network::Output &output : outputs) {
      const auto found = tensors_.find(output.name);
      if (found == tensors_.end()) refuse(output.name, "the network has no such output");
      if (!(plan_.tensors[found->second].shape == output.shape)) refuse(output.name, "an output of another shape");
      plan_.outputs.push_back(found->second);
    }
    return std::move(plan_);
  }

 private:
  int add(std::string_view name, TensorShape shape) {
    const int index = int(plan_.tensors.size());
    plan_.tensors.push_back({shape, 0, 0});
    tensors_[name] = index;
    return index;
  }

  /// Makes room around the tensor for the windows that reach over its edges.
  static void surround(FusedPlan::Tensor &tensor, Window window, TensorShape to) {
    const auto beyond = [&](int windows, int size) {
      return (windows - 1) * window.step + window.side - window.before - size;
    };
    tensor.before = std::max(tensor.before, window.before);
    tensor.after = std::max({tensor.after, beyond(to.height, tensor.shape.height), beyond(to.width, tensor.shape.width)});
  }

  static void checkResidual(const Recognised &recognised, TensorShape from, TensorShape to) {
    const bool isPooled = recognised.layer.residual == FusedLayer::Residual::pooledInput;
    if (recognised.layer.residual == FusedLayer::Residual::none) return;
    const int factor = isPooled ? 2 : 1;
    if (recognised.rule.step != factor || to.height * factor != from.height || to.width * factor != from.width) {
      refuse(recognised.output, "an addition of another shape");
    }
  }

  FusedPlan plan_;
  std::map<std::string_view, int> tensors_;
  size_t multiplications_ = 0;
};

}  // namespace

FusedPlan FusedPlan::make(
    const OnnxGraph &graph, TensorShape input, const std::vector<Network::Output> &outputs) {
  Shaper shaper(graph.input, input);
  for (Recognised &layer : Recogniser(graph).layers(outputs)) shaper.place(std::move(layer));
  return std::move(shaper).finish(outputs);
}

}  // namespace faceplay
