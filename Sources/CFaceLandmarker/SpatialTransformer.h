// The attention mesh's spatial transformer: where a part of the face lies in the feature map, and its crop from there.
#pragma once

#include <vector>

#include "CFaceLandmarker.h"
#include "Network.h"

namespace faceplay {

/// The landmark network's input, pixels a side; its mesh is in these pixels.
constexpr int kMeshSide = 192;
/// The feature map that the parts' crops are cut from.
constexpr int kFeatureSide = 48;
constexpr int kFeatureChannels = 32;
/// A part's crop, cells a side.
constexpr int kPartSide = 16;

/// A part of the face with a refining network of its own.
struct FacePart {
  /// The two points that lie level in an upright crop, image left and right.
  int leftCorner;
  int rightCorner;
  /// The mesh points that the part's network refines, in its order; their box is what is cropped.
  std::vector<int> points;

  static const FacePart &lips();
  static const FacePart &leftEye();
  static const FacePart &rightEye();
};

/// Places a part's crop in the feature map.
class PartTransform {
 public:
  /// `mesh` holds the 468 points of the landmark network.
  PartTransform(const fl_landmark *mesh, const FacePart &part);

  /// Samples the crop bilinearly, zero outside the map: `features` is 32x48x48, `crop` 32x16x16.
  void sample(TensorView<const float> features, TensorView<float> crop) const;

  /// Turns a point of the part's network (in quarters of a crop cell) into mesh pixels.
  fl_point toMesh(fl_point point) const;

 private:
  /// From crop cells to feature map cells.
  fl_point toFeatures(float x, float y) const;

  float cosine_, sine_;
  float cellWidth_, cellHeight_;
  fl_point centre_;
};

}  // namespace faceplay
