// The fused engine's inner loops, written once in vector extensions. Kernels.cpp includes this for each instruction set,
// inside a namespace, with KERNEL_TARGET (the function attribute that allows its instructions), kLanes (values in a
// vector) and kTilePixels (pixels whose sums stay in registers beside two vectors of weights) set.
//
// Functions carry the attribute one by one: a pragma around an include would also reach the standard library's inline
// functions, and the linker might keep the copy that only newer CPUs can run.

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
typedef float UnalignedVector __attribute__((vector_size(kLanes * sizeof(float)), aligned(alignof(float)), may_alias));

KERNEL_INLINE Vector load(const float *values) { return *reinterpret_cast<const UnalignedVector *>(values); }

KERNEL_INLINE void store(float *values, Vector vector) { *reinterpret_cast<UnalignedVector *>(values) = vector; }

KERNEL_INLINE Vector greater(Vector a, Vector b) { return a > b ? a : b; }

KERNEL_TARGET static void depthwise(const DepthwiseRow &row) {
  const size_t pixelStep = size_t(row.channels), step = row.step * pixelStep;
  const int pixels = row.pixels;
  for (int channel = 0; channel < row.channels; channel += kLanes) {
    Vector weights[9];
    for (int tap = 0; tap < 9; ++tap) weights[tap] = load(row.weights + size_t(channel) * 9 + size_t(tap) * kLanes);
    const float *upper = row.input + channel, *middle = upper + row.rowStep, *lower = middle + row.rowStep;
    float *output = row.output + channel;
    for (int pixel = 0; pixel < pixels; ++pixel) {
      Vector sum = load(upper) * weights[0];
      sum += load(upper + pixelStep) * weights[1];
      sum += load(upper + 2 * pixelStep) * weights[2];
      sum += load(middle) * weights[3];
      sum += load(middle + pixelStep) * weights[4];
      sum += load(middle + 2 * pixelStep) * weights[5];
      sum += load(lower) * weights[6];
      sum += load(lower + pixelStep) * weights[7];
      sum += load(lower + 2 * pixelStep) * weights[8];
      store(output, sum);
      upper += step;
      middle += step;
      lower += step;
      output += pixelStep;
    }
  }
}

/// What is added to `channel` and the vector's further channels of `pixel`.
KERNEL_INLINE Vector residual(const ConvolutionRow &row, int pixel, int channel) {
  const float *values = row.residual + pixel * row.residualStep + channel;
  if (row.poolRowStep == 0) return load(values);
  const float *below = values + row.poolRowStep;
  return greater(
      greater(load(values), load(values + row.poolColumnStep)), greater(load(below), load(below + row.poolColumnStep)));
}

/// Computes kVectors vectors of channels of kPixels pixels. Every loop over the sums must be unrolled: one that is not
/// makes the compiler keep them in memory.
template <int kPixels, int kVectors>
KERNEL_TARGET static void tile(const ConvolutionRow &row, int pixel, int channel) {
  Vector sums[kPixels][kVectors];
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const Vector bias = load(row.bias + channel + v * kLanes);
#pragma unroll
    for (int p = 0; p < kPixels; ++p) sums[p][v] = bias;
  }

  const size_t step = row.inputStep, depth = size_t(row.segments) * row.segmentLength;
  const float *weights = row.weights + depth * channel;
  const float *segment = row.input + pixel * step;
  for (int s = 0; s < row.segments; ++s, segment += row.segmentStep) {
    const float *input = segment;
#pragma unroll 2
    for (int i = 0; i < row.segmentLength; ++i, ++input, weights += kLanes) {
      Vector weight[kVectors];
#pragma unroll
      for (int v = 0; v < kVectors; ++v) weight[v] = load(weights + v * depth * kLanes);
#pragma unroll
      for (int p = 0; p < kPixels; ++p) {
#pragma unroll
        for (int v = 0; v < kVectors; ++v) sums[p][v] += weight[v] * input[p * step];
      }
    }
  }

  float *output = row.output + pixel * row.outputStep + channel;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int first = channel + v * kLanes;
    const Vector slopes = load(row.slopes + first), zero = {};
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
      Vector sum = sums[p][v];
      if (first < row.residualChannels) sum += residual(row, pixel + p, first);
      store(output + p * row.outputStep + v * kLanes, greater(sum, zero) + slopes * (sum < zero ? sum : zero));
    }
  }
}

/// Computes kVectors vectors of channels of all the row's pixels, in as few tiles as possible, of about the same width.
template <int kVectors>
KERNEL_TARGET static void tiles(const ConvolutionRow &row, int channel) {
  static_assert(kTilePixels == 6 || kTilePixels == 8, "these widths are below");
  int pixel = 0;
  for (int left = (row.pixels + kTilePixels - 1) / kTilePixels; left > 0; --left) {
    const int pixels = (row.pixels - pixel + left - 1) / left;
    switch (pixels) {
      case 8: tile<kTilePixels == 8 ? 8 : 1, kVectors>(row, pixel, channel); break;
      case 7: tile<kTilePixels == 8 ? 7 : 1, kVectors>(row, pixel, channel); break;
      case 6: tile<6, kVectors>(row, pixel, channel); break;
      case 5: tile<5, kVectors>(row, pixel, channel); break;
      case 4: tile<4, kVectors>(row, pixel, channel); break;
      case 3: tile<3, kVectors>(row, pixel, channel); break;
      case 2: tile<2, kVectors>(row, pixel, channel); break;
      case 1: tile<1, kVectors>(row, pixel, channel); break;
    }
    pixel += pixels;
  }
}

/// Goes along the row for each two vectors of channels, whose weights stay in the nearest cache meanwhile.
KERNEL_TARGET static void convolve(const ConvolutionRow &row) {
  int channel = 0;
  for (; channel + 2 * kLanes <= row.channels; channel += 2 * kLanes) tiles<2>(row, channel);
  if (channel < row.channels) tiles<1>(row, channel);
}
