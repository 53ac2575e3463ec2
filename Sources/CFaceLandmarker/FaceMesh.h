// The 478 landmarks of one face: MediaPipe's attention mesh.
#pragma once

#include "Crop.h"
#include "Models.h"
#include "Network.h"
#include "SpatialTransformer.h"

namespace faceplay {

class FaceMesh {
 public:
  /// Throws `ModelError`, or `std::bad_alloc`.
  explicit FaceMesh(const Models &models);

  /// Finds the landmarks of the face in `region` of a picture. When its presence is below `minimumPresence` the
  /// points are left zero, and the refining networks are not run.
  fl_mesh find(const Picture &picture, const fl_region &region, float minimumPresence);

 private:
  /// Move the points of `refined` to where the part's network sees them, cut out by the place they have in `mesh`.
  void refineLips(const fl_landmark *mesh, fl_landmark *refined);
  void refineEye(
      Network &network, const FacePart &part, const fl_landmark *mesh, fl_landmark *refined, fl_landmark *iris);

  Network base_;
  Network lips_;
  Network leftEye_;
  Network rightEye_;
  Crop crop_;
};

}  // namespace faceplay
