// Sampling a picture bilinearly along a line, written once in vector extensions: included after KernelLoops.h, in the same
// way and for the same reasons.

typedef int Integers __attribute__((vector_size(kLanes * sizeof(int))));
typedef uint32_t Quads __attribute__((vector_size(kLanes * sizeof(uint32_t))));

/// Splits numbers that are not negative into whole parts and fractions.
KERNEL_INLINE void split(Vector numbers, int *whole, float *fractions) {
  const Integers integers = __builtin_convertvector(numbers, Integers);
  __builtin_memcpy(whole, &integers, sizeof integers);
  store(fractions, numbers - __builtin_convertvector(integers, Vector));
}

KERNEL_TARGET static void sampleBGR(const uint8_t *pixels, size_t bytesPerRow, const SampleLine &given) {
  typedef uint8_t Bytes __attribute__((vector_size(8)));
  typedef float TwoPixels __attribute__((vector_size(8 * sizeof(float))));
  typedef float Colour __attribute__((vector_size(4 * sizeof(float))));
  const SampleLine line = given;
  const Points points = line.points;
  Vector lane;
  for (int i = 0; i < kLanes; ++i) lane[i] = float(i);

  float *output = line.output;
  for (int first = 0; first < line.count; first += kLanes) {
    // Through memory: an element of a vector whose number is not constant costs more.
    alignas(Vector) int columns[kLanes], rows[kLanes];
    alignas(Vector) float toRight[kLanes], toBelow[kLanes];
    split(points.x + (lane + float(first)) * points.stepX, columns, toRight);
    split(points.y + (lane + float(first)) * points.stepY, rows, toBelow);
    for (int i = 0; i < kLanes && first + i < line.count; ++i, output += line.columnStep) {
      const uint8_t *upper = pixels + size_t(rows[i]) * bytesPerRow + size_t(columns[i]) * 3;
      // The pixel and its right neighbour, and the two below, with two bytes more that do not count.
      Bytes bytes;
      __builtin_memcpy(&bytes, upper, sizeof bytes);
      const TwoPixels above = __builtin_convertvector(bytes, TwoPixels);
      __builtin_memcpy(&bytes, upper + bytesPerRow, sizeof bytes);
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

/// Points that are gone through at once, a step at a time: what one step stores the next one loads, long done.
constexpr int kChunk = 64;

/// Where points lie in a plane: the value above and to the left of each, and how far they are from it.
struct Places {
  alignas(Vector) uint32_t offsets[kChunk];
  alignas(Vector) float toRight[kChunk];
  alignas(Vector) float toBelow[kChunk];
};

/// `count` points from `first` on. Two pixels' one value lies half a pixel to the right of the first.
KERNEL_INLINE void findPlaces(const Plane &plane, const Points &points, int first, int count, Places &places) {
  const float scaleX = plane.columnShift ? 0.5f : 1, scaleY = plane.rowShift ? 0.5f : 1;
  const float x = (points.x - 0.5f * plane.columnShift) * scaleX, y = (points.y - 0.5f * plane.rowShift) * scaleY;
  Vector lane;
  for (int i = 0; i < kLanes; ++i) lane[i] = float(first + i);
  for (int i = 0; i < count; i += kLanes, lane += float(kLanes)) {
    const Vector column = x + lane * (points.stepX * scaleX), row = y + lane * (points.stepY * scaleY);
    const Integers columns = __builtin_convertvector(column, Integers), rows = __builtin_convertvector(row, Integers);
    const Quads offsets = (Quads)rows * uint32_t(plane.bytesPerRow) + (Quads)columns * uint32_t(plane.step);
    __builtin_memcpy(places.offsets + i, &offsets, sizeof offsets);
    store(places.toRight + i, column - __builtin_convertvector(columns, Vector));
    store(places.toBelow + i, row - __builtin_convertvector(rows, Vector));
  }
}

/// One of the four bytes of each number, the lowest first.
KERNEL_INLINE Vector byteOf(Quads quads, int index) {
  // Signed: plain instruction sets convert nothing else.
  return __builtin_convertvector((Integers)((quads >> (8 * index)) & 255), Vector);
}

/// The four values around each point: left and right of the upper row, then of the lower.
KERNEL_INLINE void gather(const Places &places, const Plane &plane, size_t step, int count, uint32_t *quads) {
  for (int i = 0; i < count; ++i) {
    const uint8_t *upper = plane.bytes + places.offsets[i], *lower = upper + plane.bytesPerRow;
    const uint32_t above = upper[0] | upper[step] << 8, below = lower[0] | lower[step] << 8;
    quads[i] = above | below << 16;
  }
}

KERNEL_INLINE void sampleAt(const Places &places, const Plane &plane, int count, float *values) {
  alignas(Vector) uint32_t quads[kChunk];
  // Said as a constant: two neighbours in memory are then read at once.
  if (plane.step == 1) {
    gather(places, plane, 1, count, quads);
  } else {
    gather(places, plane, plane.step, count, quads);
  }
  for (int i = 0; i < count; i += kLanes) {
    Quads four;
    __builtin_memcpy(&four, quads + i, sizeof four);
    const Vector toRight = load(places.toRight + i);
    const Vector left = byteOf(four, 0), lowerLeft = byteOf(four, 2);
    const Vector upper = left + (byteOf(four, 1) - left) * toRight;
    const Vector lower = lowerLeft + (byteOf(four, 3) - lowerLeft) * toRight;
    store(values + i, upper + (lower - upper) * load(places.toBelow + i));
  }
}

KERNEL_TARGET static void samplePlanes(const Plane *planes, const ColourMatrix &matrix, const SampleLine &given) {
  const SampleLine line = given;
  const Vector black = {}, white = black + 255.0f;
  float *output = line.output;
  for (int first = 0; first < line.count; first += kChunk) {
    const int count = line.count - first < kChunk ? line.count - first : kChunk;
    alignas(Vector) float luma[kChunk], blue[kChunk], red[kChunk], colours[3][kChunk];
    Places places;
    findPlaces(planes[0], line.points, first, count, places);
    sampleAt(places, planes[0], count, luma);
    findPlaces(planes[1], line.points, first, count, places);
    sampleAt(places, planes[1], count, blue);
    sampleAt(places, planes[2], count, red);
    for (int channel = 0; channel < 3; ++channel) {
      const auto &weights = matrix.rows[channel];
      for (int i = 0; i < count; i += kLanes) {
        const Vector value =
            load(luma + i) * weights[0] + load(blue + i) * weights[1] + load(red + i) * weights[2] + weights[3];
        const Vector bright = greater(value, black);
        store(colours[channel] + i, (bright < white ? bright : white) * line.factor + line.offset);
      }
    }
    for (int i = 0; i < count; ++i, output += line.columnStep) {
      output[0] = colours[0][i];
      output[line.channelStep] = colours[1][i];
      output[2 * line.channelStep] = colours[2][i];
    }
  }
}
