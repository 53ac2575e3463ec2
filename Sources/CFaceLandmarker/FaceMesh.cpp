// The 478 landmarks of one face: MediaPipe's attention mesh.
//
// Follows MediaPipe 0.10.14's modules/face_landmark (face_landmark_cpu.pbtxt and its refinement calculators): lips and
// eyes keep the mesh's z, an iris takes the mean z of its eye's contour.
#include "FaceMesh.h"

#include <algorithm>
#include <cmath>

namespace faceplay {
namespace {

constexpr int kMeshPoints = 468;
constexpr int kLipPoints = 80;
constexpr int kEyePoints = 71;
constexpr int kIrisPoints = 5;
/// An eye's list begins with its contour.
constexpr int kEyeContourPoints = 16;
static_assert(kMeshPoints + 2 * kIrisPoints == FL_LANDMARK_COUNT);

constexpr TensorShape kImage = {3, kMeshSide, kMeshSide};
constexpr TensorShape kFeatures = {kFeatureChannels, kFeatureSide, kFeatureSide};
constexpr TensorShape kPart = {kFeatureChannels, kPartSide, kPartSide};

constexpr TensorShape values(int count) { return {count, 1, 1}; }

Network loadEye(const Models &models, int model) {
  return models.load(model, kPart, {{"eye", values(2 * kEyePoints)}, {"iris", values(2 * kIrisPoints)}});
}

fl_point pointAt(const float *values, int index) { return {values[2 * index], values[2 * index + 1]}; }

/// Moves the part's points to where its network found them.
void movePoints(const FacePart &part, const PartTransform &transform, const float *found, fl_landmark *points) {
  for (size_t i = 0; i < part.points.size(); ++i) {
    const fl_point point = transform.toMesh(pointAt(found, int(i)));
    points[part.points[i]].x = point.x;
    points[part.points[i]].y = point.y;
  }
}

}  // namespace

FaceMesh::FaceMesh(const Models &models)
    : base_(models.load(
          FL_MODEL_LANDMARKS, kImage,
          {{"mesh", values(3 * kMeshPoints)}, {"presence", values(1)}, {"features", kFeatures}})),
      lips_(models.load(FL_MODEL_LIPS, kPart, {{"lips", values(2 * kLipPoints)}})),
      leftEye_(loadEye(models, FL_MODEL_LEFT_EYE)),
      rightEye_(loadEye(models, FL_MODEL_RIGHT_EYE)),
      crop_(kMeshSide, Beyond::edgeRepeated, 1 / 255.0f, 0, models.loops()) {}

fl_mesh FaceMesh::find(const Picture &picture, const fl_region &region, float minimumPresence) {
  const CropTransform transform = crop_.cut(picture, region, base_.input());
  base_.run();
  fl_mesh result = {};
  result.presence = 1 / (1 + std::exp(-*base_.values(1)));
  if (!(result.presence >= minimumPresence)) return result;

  // The parts are placed by the unrefined mesh, also where an earlier part has moved its points.
  fl_landmark mesh[kMeshPoints];
  const float *found = base_.values(0);
  for (int i = 0; i < kMeshPoints; ++i) mesh[i] = {found[3 * i], found[3 * i + 1], found[3 * i + 2]};
  std::copy(mesh, mesh + kMeshPoints, result.points);
  refineLips(mesh, result.points);
  refineEye(leftEye_, FacePart::leftEye(), mesh, result.points, result.points + kMeshPoints);
  refineEye(rightEye_, FacePart::rightEye(), mesh, result.points, result.points + kMeshPoints + kIrisPoints);

  for (fl_landmark &landmark : result.points) {
    const fl_point point = transform.toPicture({landmark.x, landmark.y});
    landmark = {point.x, point.y, landmark.z * region.side / kMeshSide};
  }
  return result;
}

void FaceMesh::refineLips(const fl_landmark *mesh, fl_landmark *refined) {
  const PartTransform transform(mesh, FacePart::lips());
  transform.sample(base_.output(2), lips_.input());
  lips_.run();
  movePoints(FacePart::lips(), transform, lips_.values(0), refined);
}

void FaceMesh::refineEye(
    Network &network, const FacePart &part, const fl_landmark *mesh, fl_landmark *refined, fl_landmark *iris) {
  const PartTransform transform(mesh, part);
  transform.sample(base_.output(2), network.input());
  network.run();
  movePoints(part, transform, network.values(0), refined);

  float depth = 0;
  for (int i = 0; i < kEyeContourPoints; ++i) depth += mesh[part.points[i]].z / kEyeContourPoints;
  for (int i = 0; i < kIrisPoints; ++i) {
    const fl_point point = transform.toMesh(pointAt(network.values(1), i));
    iris[i] = {point.x, point.y, depth};
  }
}

}  // namespace faceplay
