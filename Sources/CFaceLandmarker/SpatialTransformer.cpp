// The attention mesh's spatial transformer: where a part of the face lies in the feature map, and its crop from there.
//
// Does what the operations Landmarks2TransformMatrix, TransformTensorBilinear and TransformLandmarks of MediaPipe's
// face_landmark_with_attention.tflite do; point lists and margin are the options stored with them in that file.
// Paper: Grishchenko et al., "Attention Mesh: High-fidelity Face Mesh Prediction in Real-time", 2020.
#include "SpatialTransformer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faceplay {
namespace {

constexpr float kMeshPerFeature = float(kMeshSide) / kFeatureSide;
/// A part's network counts its crop in quarter cells: 64 a side.
constexpr float kPartUnitsPerCell = 4;
/// The crop's side over the side of the points' box.
constexpr float kMargin = 1.5f;

}  // namespace

const FacePart &FacePart::lips() {
  static const FacePart part = {
      61, 291, {61,  146, 91,  181, 84,  17,  314, 405, 321, 375, 291, 185, 40,  39,  37,  0,
                267, 269, 270, 409, 78,  95,  88,  178, 87,  14,  317, 402, 318, 324, 308, 191,
                80,  81,  82,  13,  312, 311, 310, 415, 76,  77,  90,  180, 85,  16,  315, 404,
                320, 307, 306, 184, 74,  73,  72,  11,  302, 303, 304, 408, 62,  96,  89,  179,
                86,  15,  316, 403, 319, 325, 292, 183, 42,  41,  38,  12,  268, 271, 272, 407}};
  return part;
}

const FacePart &FacePart::leftEye() {
  static const FacePart part = {
      33, 133, {33,  7,   163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25,
                110, 24,  23,  22,  26,  112, 243, 247, 30,  29,  27,  28,  56,  190, 226, 31,  228, 229,
                230, 231, 232, 233, 244, 113, 225, 224, 223, 222, 221, 189, 35,  124, 46,  53,  52,  65,
                143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70,  63,  105, 66,  107, 55,  193}};
  return part;
}

const FacePart &FacePart::rightEye() {
  static const FacePart part = {
      362, 263, {263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255,
                 339, 254, 253, 252, 256, 341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449,
                 450, 451, 452, 453, 464, 342, 445, 444, 443, 442, 441, 413, 265, 353, 276, 283, 282, 295,
                 372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336, 285, 417}};
  return part;
}

PartTransform::PartTransform(const fl_landmark *mesh, const FacePart &part) {
  const fl_landmark &left = mesh[part.leftCorner], &right = mesh[part.rightCorner];
  const float angle = std::atan2(right.y - left.y, right.x - left.x);
  cosine_ = std::cos(angle);
  sine_ = std::sin(angle);

  // The points' box, along the part's own axes.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float minX = infinity, maxX = -infinity, minY = infinity, maxY = -infinity;
  for (const int index : part.points) {
    const float x = cosine_ * mesh[index].x + sine_ * mesh[index].y;
    const float y = cosine_ * mesh[index].y - sine_ * mesh[index].x;
    minX = std::min(minX, x);
    maxX = std::max(maxX, x);
    minY = std::min(minY, y);
    maxY = std::max(maxY, y);
  }
  const float middleX = (minX + maxX) / 2 / kMeshPerFeature, middleY = (minY + maxY) / 2 / kMeshPerFeature;
  centre_ = {cosine_ * middleX - sine_ * middleY, sine_ * middleX + cosine_ * middleY};
  cellWidth_ = kMargin * (maxX - minX) / kMeshPerFeature / kPartSide;
  cellHeight_ = kMargin * (maxY - minY) / kMeshPerFeature / kPartSide;
}

fl_point PartTransform::toFeatures(float x, float y) const {
  const float along = (x - kPartSide / 2.0f) * cellWidth_, down = (y - kPartSide / 2.0f) * cellHeight_;
  return {centre_.x + cosine_ * along - sine_ * down, centre_.y + sine_ * along + cosine_ * down};
}

fl_point PartTransform::toMesh(fl_point point) const {
  const fl_point cell = toFeatures(point.x / kPartUnitsPerCell, point.y / kPartUnitsPerCell);
  return {cell.x * kMeshPerFeature, cell.y * kMeshPerFeature};
}

void PartTransform::sample(TensorView<const float> features, TensorView<float> crop) const {
  constexpr int last = kFeatureSide - 1;
  for (int cell = 0; cell < kPartSide * kPartSide; ++cell) {
    float *value = crop.at(cell / kPartSide, cell % kPartSide);
    // Cells are sampled at their middle; the feature map's values lie in the middle of its cells as well.
    const fl_point middle = toFeatures(cell % kPartSide + 0.5f, cell / kPartSide + 0.5f);
    const float x = middle.x - 0.5f, y = middle.y - 0.5f;
    if (!(x >= 0 && y >= 0 && x <= last && y <= last)) {
      for (int channel = 0; channel < kFeatureChannels; ++channel) value[channel * crop.channelStep] = 0;
      continue;
    }
    const int column = int(x), row = int(y);
    const float toRight = x - column, toBelow = y - row;
    const size_t right = column < last ? features.columnStep : 0, below = row < last ? features.rowStep : 0;
    const float *corner = features.at(row, column);
    const auto blend = [=](size_t featureStep, size_t cropStep) {
      for (int channel = 0; channel < kFeatureChannels; ++channel) {
        const float *c = corner + channel * featureStep;
        const float upper = c[0] + (c[right] - c[0]) * toRight;
        const float lower = c[below] + (c[below + right] - c[below]) * toRight;
        value[channel * cropStep] = upper + (lower - upper) * toBelow;
      }
    };
    // Steps known to be 1 let the compiler use vectors.
    features.channelStep == 1 && crop.channelStep == 1 ? blend(1, 1) : blend(features.channelStep, crop.channelStep);
  }
}

}  // namespace faceplay
