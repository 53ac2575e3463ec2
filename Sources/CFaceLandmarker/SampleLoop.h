// Sampling a picture bilinearly along a line, written once in vector extensions: included after KernelLoops.h, in the same
// way and for the same reasons.

/// Splits numbers that are not negative into whole parts and fractions.
KERNEL_INLINE void split(Vector numbers, int *whole, float *fractions) {
  typedef int Integers __attribute__((vector_size(kLanes * sizeof(int))));
  const Integers integers = __builtin_convertvector(numbers, Integers);
  __builtin_memcpy(whole, &integers, sizeof integers);
  store(fractions, numbers - __builtin_convertvector(integers, Vector));
}

KERNEL_TARGET static void sample(const SampleLine &given) {
  typedef uint8_t Bytes __attribute__((vector_size(8)));
  typedef float TwoPixels __attribute__((vector_size(8 * sizeof(float))));
  typedef float Colour __attribute__((vector_size(4 * sizeof(float))));
  const SampleLine line = given;
  Vector lane;
  for (int i = 0; i < kLanes; ++i) lane[i] = float(i);

  float *output = line.output;
  for (int first = 0; first < line.count; first += kLanes) {
    // Through memory: an element of a vector whose number is not constant costs more.
    alignas(Vector) int columns[kLanes], rows[kLanes];
    alignas(Vector) float toRight[kLanes], toBelow[kLanes];
    split(line.x + (lane + float(first)) * line.stepX, columns, toRight);
    split(line.y + (lane + float(first)) * line.stepY, rows, toBelow);
    for (int i = 0; i < kLanes && first + i < line.count; ++i, output += line.columnStep) {
      const uint8_t *upper = line.pixels + size_t(rows[i]) * line.bytesPerRow + size_t(columns[i]) * 3;
      // The pixel and its right neighbour, and the two below, with two bytes more that do not count.
      Bytes bytes;
      __builtin_memcpy(&bytes, upper, sizeof bytes);
      const TwoPixels above = __builtin_convertvector(bytes, TwoPixels);
      __builtin_memcpy(&bytes, upper + line.bytesPerRow, sizeof bytes);
      const TwoPixels below = __builtin_convertvector(bytes, TwoPixels);
      const TwoPixels between = above + (below - above) * toBelow[i];
      const Colour left = __builtin_shufflevector(between, between, 0, 1, 2, 3);
      const Colour right = __builtin_shufflevector(between, between, 3, 4, 5, 6);
      const Colour colour = (left + (right - left) * toRight[i]) * line.factor + line.offset;
      output[0] = colour[2];
      output[line.channelStep] = colour[1];
      output[2 * line.channelStep] = colour[0];
    }
  }
}
