// The fused engine's inner loops, for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faceplay {

/// One row of a 3x3 depthwise convolution. Pixels lie one after the other, `channels` values each.
struct DepthwiseRow {
  /// The pixel under the window's first corner at the row's first pixel; `rowStep` values lead to the pixel below.
  const float *input;
  size_t rowStep;
  /// Pixels by which the window moves.
  int step;
  /// A multiple of the kernels' lanes.
  int channels;
  /// For each group of channels that fills a vector: nine taps of as many values.
  const float *weights;
  float *output;
  int pixels;
};

/// One row of a convolution over all channels, with what is added and the activation.
struct ConvolutionRow {
  /// What one output pixel is made of: `segments` runs of `segmentLength` values, `segmentStep` apart; `inputStep` values
  /// lead to the next pixel's.
  const float *input;
  size_t inputStep;
  int segments;
  int segmentLength;
  size_t segmentStep;
  /// For each group of output channels that fills a vector: as many weights for each value of the runs.
  const float *weights;
  const float *bias;
  const float *slopes;
  /// Values added to the first `residualChannels` channels, or null; `residualStep` lead to the next pixel's. Where
  /// `poolRowStep` is not zero, the greatest of four pixels: two in this row, two that many values further.
  const float *residual;
  size_t residualStep;
  int residualChannels;
  size_t poolRowStep;
  size_t poolColumnStep;
  float *output;
  /// Multiples of the kernels' lanes, as are `residualChannels`.
  int channels;
  size_t outputStep;
  int pixels;
};

/// A point in pixels, and the way to the next. A pixel's value lies at whole numbers.
struct Points {
  float x;
  float y;
  float stepX;
  float stepY;
};

/// Points along a straight line through a picture, to be sampled bilinearly.
struct SampleLine {
  /// Every point lies between four values of each plane.
  Points points;
  int count;
  /// A colour value v, 0…255, becomes v * factor + offset.
  float factor;
  float offset;
  /// Red, green, blue, `channelStep` values apart; `columnStep` lead to the next point's.
  float *output;
  size_t channelStep;
  size_t columnStep;
};

/// One of a picture's three kinds of values.
struct Plane {
  const uint8_t *bytes;
  size_t bytesPerRow;
  /// Bytes from a value to its right neighbour.
  size_t step;
  /// 1 where two pixels share a value, which belongs to the middle of them; 0 where each has its own.
  int columnShift;
  int rowShift;

  uint8_t at(int row, int column) const {
    return bytes[size_t(row >> rowShift) * bytesPerRow + size_t(column >> columnShift) * step];
  }
};

/// Makes red, green and blue (a row each, 0…255) of luma, Cb and Cr; the fourth number is added.
struct ColourMatrix {
  float rows[3][4];
};

/// The loops compiled for one instruction set.
struct Kernels {
  enum class Instructions { baseline, avx2, avx512 };

  Instructions instructions;
  /// Values in a vector, 4, 8 or 16. Vectors may lie anywhere; aligned ones are faster.
  int lanes;
  void (*depthwise)(const DepthwiseRow &);
  void (*convolve)(const ConvolutionRow &);
  /// Of blue, green, red, interleaved. For each point there must be, in its rows, at least one further pixel to the right
  /// of the two that it lies between: eight bytes are read at once.
  void (*sampleBGR)(const uint8_t *pixels, size_t bytesPerRow, const SampleLine &);
  /// Of luma, Cb and Cr; the latter two must have one geometry. No plane may be longer than 4 GiB.
  void (*samplePlanes)(const Plane *planes, const ColourMatrix &, const SampleLine &);

  /// Null when this CPU does not have the instructions.
  static const Kernels *forInstructions(Instructions instructions);
  /// The fastest that this CPU has.
  static const Kernels *best();
};

}  // namespace faceplay
