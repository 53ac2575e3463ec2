// The C boundary: checks what comes in, and turns exceptions into codes.
#include "CFaceLandmarker.h"

#include <opencv2/core/utils/logger.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "FaceDetector.h"
#include "FaceMesh.h"
#include "Models.h"

struct fl_landmarker {
  explicit fl_landmarker(const faceplay::Models &models) : detector(models), mesh(models) {}

  faceplay::FaceDetector detector;
  faceplay::FaceMesh mesh;
};

namespace {

/// Regions further out or larger than this many pixels come from no face in a picture.
constexpr float kLargestCoordinate = 4 * FL_MAXIMUM_SIDE;

struct BadArgument : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

void require(bool condition, const char *what) {
  if (!condition) throw BadArgument(what);
}

fl_status report(fl_error *error, fl_status status, int model, const char *message) {
  if (error) {
    error->status = status;
    error->model = model;
    // One line: OpenCV's messages have several, the first of which says what matters.
    std::snprintf(error->message, sizeof error->message, "%.*s", int(std::strcspn(message, "\n")), message);
  }
  return status;
}

/// Runs `body`; whatever it throws becomes a status and a message.
template <typename Body>
fl_status guarded(fl_error *error, Body body) noexcept {
  try {
    body();
    return FL_OK;
  } catch (const faceplay::ModelError &failure) {
    return report(error, failure.status, failure.model, failure.what());
  } catch (const BadArgument &failure) {
    return report(error, FL_BAD_ARGUMENT, -1, failure.what());
  } catch (const std::exception &failure) {
    return report(error, FL_FAILED, -1, failure.what());
  } catch (...) {
    return report(error, FL_FAILED, -1, "unknown failure");
  }
}

/// The picture as OpenCV sees it: the same memory, only ever read.
cv::Mat view(const fl_image *image) {
  require(image && image->pixels, "no picture");
  require(image->width > 0 && image->width <= FL_MAXIMUM_SIDE, "picture width out of range");
  require(image->height > 0 && image->height <= FL_MAXIMUM_SIDE, "picture height out of range");
  const size_t rowBytes = 3 * size_t(image->width), rows = size_t(image->height);
  require(image->bytes_per_row >= rowBytes, "picture rows shorter than its width");
  require(image->byte_count >= rowBytes, "picture memory too small");
  require((image->byte_count - rowBytes) / image->bytes_per_row >= rows - 1, "picture memory too small");
  return cv::Mat(
      image->height, image->width, CV_8UC3, const_cast<uint8_t *>(image->pixels), image->bytes_per_row);
}

void check(const fl_region *region) {
  require(region, "no region");
  const auto inRange = [](float value) { return std::abs(value) <= kLargestCoordinate; };
  require(inRange(region->centre.x) && inRange(region->centre.y), "region out of range");
  require(region->side > 0 && inRange(region->side), "region side out of range");
  require(std::isfinite(region->rotation), "region rotation out of range");
}

}  // namespace

fl_status fl_create(const fl_model_file models[FL_MODEL_COUNT], fl_landmarker **landmarker, fl_error *error) {
  return guarded(error, [&] {
    require(models && landmarker, "no models, or nowhere to put the landmarker");
    for (int i = 0; i < FL_MODEL_COUNT; ++i) require(models[i].path, "a model file without a path");
    cv::setNumThreads(1);
    // What goes wrong is returned; the terminal is the program's own.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    *landmarker = new fl_landmarker(faceplay::Models(models));
  });
}

void fl_destroy(fl_landmarker *landmarker) { delete landmarker; }

fl_status fl_detect(
    fl_landmarker *landmarker, const fl_image *image, const fl_region *region, fl_face *faces, size_t capacity,
    size_t *count, fl_error *error) {
  return guarded(error, [&] {
    require(landmarker && count && (faces || capacity == 0), "no landmarker, or nowhere to put faces");
    check(region);
    const std::vector<fl_face> found = landmarker->detector.detect(view(image), *region);
    *count = std::min(found.size(), capacity);
    std::copy_n(found.begin(), *count, faces);
  });
}

fl_status fl_find_landmarks(
    fl_landmarker *landmarker, const fl_image *image, const fl_region *region, float minimum_presence, fl_mesh *mesh,
    fl_error *error) {
  return guarded(error, [&] {
    require(landmarker && mesh, "no landmarker, or nowhere to put landmarks");
    check(region);
    *mesh = landmarker->mesh.find(view(image), *region, minimum_presence);
  });
}
