// A network on the fused engine: memory and weights laid out for the kernels, and the order of the rows.
#include "FusedNetwork.h"

#include <algorithm>

namespace faceplay {

float *FusedNetwork::Tensor::at(int row, int column) {
  return values.data() + size_t(row + before) * rowStep + size_t(column + before) * pixelStep;
}

const float *FusedNetwork::Tensor::at(int row, int column) const { return const_cast<Tensor *>(this)->at(row, column); }

FusedNetwork::FusedNetwork(const FusedPlan &plan, const Kernels &kernels)
    : kernels_(kernels), outputs_(plan.outputs), between_(0) {
  // The picture's three channels need not fill a vector when no kernel reads them as one.
  const bool isPicturePadded = std::any_of(plan.layers.begin(), plan.layers.end(), [](const FusedLayer &layer) {
    return layer.input == 0 && !layer.depthwise.empty();
  });
  for (const FusedPlan::Tensor &tensor : plan.tensors) {
    tensors_.push_back(makeTensor(tensor, !tensors_.empty() || isPicturePadded));
  }
  size_t longestRow = 0;
  for (const FusedLayer &layer : plan.layers) {
    layers_.push_back(makeLayer(layer));
    const size_t pixels = plan.tensors[layer.output].shape.width;
    longestRow = std::max(longestRow, pixels * tensors_[layer.input].pixelStep);
  }
  between_ = Values(longestRow);
  std::vector<int> scheduled(layers_.size());
  for (const int output : outputs_) schedule(output, tensors_[output].shape.height, scheduled);
}

size_t FusedNetwork::padded(size_t channels) const {
  const size_t lanes = kernels_.lanes;
  return (channels + lanes - 1) / lanes * lanes;
}

FusedNetwork::Tensor FusedNetwork::makeTensor(const FusedPlan::Tensor &planned, bool isPadded) const {
  const TensorShape &shape = planned.shape;
  const size_t border = size_t(planned.before) + planned.after;
  const size_t pixelStep = isPadded ? padded(shape.channels) : shape.channels;
  const size_t rowStep = (shape.width + border) * pixelStep;
  return {shape, pixelStep, rowStep, planned.before, Values((shape.height + border) * rowStep)};
}

FusedNetwork::Layer FusedNetwork::makeLayer(const FusedLayer &planned) const {
  return {
      planned.input,
      planned.output,
      planned.window,
      !planned.depthwise.empty(),
      planned.residual,
      packDepthwise(planned),
      packWeights(planned),
      packChannels(planned.bias),
      packChannels(planned.slopes)};
}

FusedNetwork::Values FusedNetwork::packDepthwise(const FusedLayer &planned) const {
  constexpr size_t taps = 9;
  const size_t channels = planned.depthwise.size() / taps, lanes = kernels_.lanes;
  Values packed(taps * padded(channels));
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t channel = 0; channel < channels; ++channel) {
      packed.data()[(channel / lanes * taps + tap) * lanes + channel % lanes] = planned.depthwise[tap * channels + channel];
    }
  }
  return packed;
}

/// A run of the window's pixels in memory includes what fills up their channels, except the last one's: no weight there.
FusedNetwork::Values FusedNetwork::packWeights(const FusedLayer &planned) const {
  const Tensor &input = tensors_[planned.input];
  const size_t side = planned.depthwise.empty() ? planned.window.side : 1, channels = planned.bias.size();
  const size_t inputs = input.shape.channels, run = (side - 1) * input.pixelStep + inputs, lanes = kernels_.lanes;
  Values packed(side * run * padded(channels));
  const float *weight = planned.weights.data();
  for (size_t tap = 0; tap < side * side; ++tap) {
    const size_t first = tap / side * run + tap % side * input.pixelStep;
    for (size_t i = first; i < first + inputs; ++i) {
      for (size_t channel = 0; channel < channels; ++channel, ++weight) {
        packed.data()[(channel / lanes * side * run + i) * lanes + channel % lanes] = *weight;
      }
    }
  }
  return packed;
}

FusedNetwork::Values FusedNetwork::packChannels(const std::vector<float> &values) const {
  Values packed(padded(values.size()));
  std::copy(values.begin(), values.end(), packed.data());
  return packed;
}

/// Appends the steps that make the first `rows` rows of a tensor: before each row of its layer, those that it reads.
void FusedNetwork::schedule(int tensor, int rows, std::vector<int> &scheduled) {
  const auto layer = std::find_if(layers_.begin(), layers_.end(), [&](const Layer &l) { return l.output == tensor; });
  if (layer == layers_.end()) return;
  const int index = int(layer - layers_.begin()), inputRows = tensors_[layer->input].shape.height;
  for (int &row = scheduled[index]; row < rows; ++row) {
    // The window reaches at least as far as what is added.
    const int end = row * layer->window.step - layer->window.before + layer->window.side;
    schedule(layer->input, std::min(end, inputRows), scheduled);
    steps_.push_back({index, row});
  }
}

TensorView<float> FusedNetwork::input() {
  Tensor &tensor = tensors_.front();
  return {tensor.at(0, 0), 1, tensor.rowStep, tensor.pixelStep};
}

TensorView<const float> FusedNetwork::output(size_t index) const {
  const Tensor &tensor = tensors_[outputs_[index]];
  return {tensor.at(0, 0), 1, tensor.rowStep, tensor.pixelStep};
}

void FusedNetwork::run() {
  for (const Step &step : steps_) runRow(layers_[step.layer], step.row);
}

void FusedNetwork::runRow(const Layer &layer, int row) {
  const Tensor &input = tensors_[layer.input];
  Tensor &output = tensors_[layer.output];
  const Window &window = layer.window;
  const float *corner = input.at(row * window.step - window.before, -window.before);
  const int pixels = output.shape.width, side = layer.hasDepthwise ? 1 : window.side;

  ConvolutionRow convolution = {};
  convolution.input = corner;
  convolution.inputStep = window.step * input.pixelStep;
  if (layer.hasDepthwise) {
    kernels_.depthwise(
        {corner, input.rowStep, window.step, int(input.pixelStep), layer.depthwise.data(), between_.data(), pixels});
    convolution.input = between_.data();
    convolution.inputStep = input.pixelStep;
  }
  convolution.segments = side;
  convolution.segmentLength = int((side - 1) * input.pixelStep) + input.shape.channels;
  convolution.segmentStep = input.rowStep;
  convolution.weights = layer.weights.data();
  convolution.bias = layer.bias.data();
  convolution.slopes = layer.slopes.data();
  if (layer.residual != FusedLayer::Residual::none) {
    convolution.residual = input.at(row * window.step, 0);
    convolution.residualStep = window.step * input.pixelStep;
    convolution.residualChannels = int(input.pixelStep);
  }
  if (layer.residual == FusedLayer::Residual::pooledInput) {
    convolution.poolRowStep = input.rowStep;
    convolution.poolColumnStep = input.pixelStep;
  }
  convolution.output = output.at(row, 0);
  convolution.outputStep = output.pixelStep;
  convolution.channels = int(output.pixelStep);
  convolution.pixels = pixels;
  kernels_.convolve(convolution);
}

}  // namespace faceplay
