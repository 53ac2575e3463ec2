// The C boundary: checks what comes in, and turns exceptions into codes.
#include "CFaceLandmarker.h"

#include <opencv2/core/utils/logger.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "BadArgument.h"
#include "FaceDetector.h"
#include "FaceMesh.h"
#include "Kernels.h"
#include "Models.h"
#include "OnnxGraph.h"

using faceplay::BadArgument, faceplay::Kernels, faceplay::Picture, faceplay::require;

struct fl_landmarker {
  /// Without `kernels` the engine is OpenCV.
  fl_landmarker(const fl_model_file *files, const Kernels *kernels)
      : fl_landmarker(faceplay::Models(files, kernels)) {
    engine.kind = kernels ? FL_ENGINE_FUSED : FL_ENGINE_DNN;
    engine.instructions = FL_INSTRUCTIONS_BASELINE;
    if (kernels && kernels->instructions == Kernels::Instructions::avx2) engine.instructions = FL_INSTRUCTIONS_AVX2;
    if (kernels && kernels->instructions == Kernels::Instructions::avx512) engine.instructions = FL_INSTRUCTIONS_AVX512;
  }

  fl_engine_report engine = {};
  faceplay::FaceDetector detector;
  faceplay::FaceMesh mesh;

 private:
  explicit fl_landmarker(const faceplay::Models &models) : detector(models), mesh(models) {}
};

namespace {

/// Regions further out or larger than this many pixels come from no face in a picture.
constexpr float kLargestCoordinate = 4 * FL_MAXIMUM_SIDE;

struct EngineUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One line: OpenCV's messages have several, the first of which says what matters.
template <size_t kSize>
void copyLine(const char *text, char (&line)[kSize]) {
  std::snprintf(line, kSize, "%.*s", int(std::strcspn(text, "\n")), text);
}

fl_status report(fl_error *error, fl_status status, int model, const char *message) {
  if (error) {
    error->status = status;
    error->model = model;
    copyLine(message, error->message);
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
  } catch (const EngineUnavailable &failure) {
    return report(error, FL_ENGINE_UNAVAILABLE, -1, failure.what());
  } catch (const BadArgument &failure) {
    return report(error, FL_BAD_ARGUMENT, -1, failure.what());
  } catch (const std::exception &failure) {
    return report(error, FL_FAILED, -1, failure.what());
  } catch (...) {
    return report(error, FL_FAILED, -1, "unknown failure");
  }
}

Picture view(const fl_image *image) {
  require(image, "no picture");
  return Picture::of(*image);
}

void check(const fl_region *region) {
  require(region, "no region");
  const auto inRange = [](float value) { return std::abs(value) <= kLargestCoordinate; };
  require(inRange(region->centre.x) && inRange(region->centre.y), "region out of range");
  require(region->side > 0 && inRange(region->side), "region side out of range");
  require(std::isfinite(region->rotation), "region rotation out of range");
}

/// The loops for the instructions; null when this CPU does not have them.
const Kernels *kernels(int32_t instructions) {
  switch (instructions) {
    case FL_INSTRUCTIONS_BEST: return Kernels::best();
    case FL_INSTRUCTIONS_BASELINE: return Kernels::forInstructions(Kernels::Instructions::baseline);
    case FL_INSTRUCTIONS_AVX2: return Kernels::forInstructions(Kernels::Instructions::avx2);
    case FL_INSTRUCTIONS_AVX512: return Kernels::forInstructions(Kernels::Instructions::avx512);
  }
  throw BadArgument("no such instructions");
}

std::unique_ptr<fl_landmarker> makeLandmarker(const fl_model_file *models, fl_engine engine) {
  require(engine.kind >= FL_ENGINE_AUTOMATIC && engine.kind <= FL_ENGINE_FUSED, "no such engine");
  if (engine.kind == FL_ENGINE_DNN) return std::make_unique<fl_landmarker>(models, nullptr);
  const Kernels *loops = kernels(engine.instructions);
  if (!loops) throw EngineUnavailable("this CPU does not have the instructions asked for");
  try {
    return std::make_unique<fl_landmarker>(models, loops);
  } catch (const faceplay::UnsupportedGraph &reason) {
    if (engine.kind == FL_ENGINE_FUSED) throw EngineUnavailable(reason.what());
    auto landmarker = std::make_unique<fl_landmarker>(models, nullptr);
    copyLine(reason.what(), landmarker->engine.fallback);
    return landmarker;
  }
}

}  // namespace

int32_t fl_has_instructions(int32_t instructions) {
  try {
    return kernels(instructions) != nullptr;
  } catch (const BadArgument &) {
    return 0;
  }
}

void fl_report_engine(const fl_landmarker *landmarker, fl_engine_report *report) { *report = landmarker->engine; }

fl_status fl_create(
    const fl_model_file models[FL_MODEL_COUNT], fl_engine engine, fl_landmarker **landmarker, fl_error *error) {
  return guarded(error, [&] {
    require(models && landmarker, "no models, or nowhere to put the landmarker");
    for (int i = 0; i < FL_MODEL_COUNT; ++i) require(models[i].path, "a model file without a path");
    cv::setNumThreads(1);
    // What goes wrong is returned; the terminal is the program's own.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    *landmarker = makeLandmarker(models, engine).release();
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
