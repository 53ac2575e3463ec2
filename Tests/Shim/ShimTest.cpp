// The landmarker's C interface at the edges of what it accepts. Built with the sanitizers, which end the program where
// memory is read past its end; pictures and files are therefore given exactly as much memory as they claim.
// Usage: ShimTest MODELS_FOLDER SCRATCH_FOLDER
#include <CFaceLandmarker.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

const fl_engine kBest = {FL_ENGINE_FUSED, FL_INSTRUCTIONS_BEST};
const fl_engine kEngines[] = {
    {FL_ENGINE_DNN, FL_INSTRUCTIONS_BASELINE},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_BASELINE},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX2},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX512}};

namespace fs = std::filesystem;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kFurthest = 4 * FL_MAXIMUM_SIDE;

int failures = 0;

void expect(bool holds, const std::string &what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
}

/// The networks' files with the digests that models.sha256 lists.
struct Models {
  std::string paths[FL_MODEL_COUNT];
  fl_model_file files[FL_MODEL_COUNT] = {};

  explicit Models(const fs::path &folder) {
    const char *const names[FL_MODEL_COUNT] = {
        "detector.onnx", "landmarks.onnx", "landmarks-lips.onnx", "landmarks-left-eye.onnx",
        "landmarks-right-eye.onnx"};
    std::ifstream list(folder / "models.sha256");
    for (std::string digest, name; list >> digest >> name;) {
      const int model = int(std::find(names, names + FL_MODEL_COUNT, name) - names);
      if (model == FL_MODEL_COUNT) continue;
      paths[model] = folder / name;
      files[model].path = paths[model].c_str();
      for (int i = 0; i < FL_SHA256_SIZE; ++i) {
        files[model].sha256[i] = uint8_t(std::stoi(digest.substr(2 * size_t(i), 2), nullptr, 16));
      }
    }
  }
};

/// A grey picture whose last row ends with its last pixel.
struct Picture {
  std::unique_ptr<uint8_t[]> pixels;
  fl_image image;

  Picture(int width, int height, size_t padding) {
    const size_t bytesPerRow = 3 * size_t(width) + padding;
    const size_t byteCount = bytesPerRow * size_t(height) - padding;
    pixels = std::make_unique<uint8_t[]>(byteCount);
    std::fill_n(pixels.get(), byteCount, uint8_t(128));
    image = {pixels.get(), byteCount, width, height, bytesPerRow};
  }
};

/// The same status from both ways into a picture; on success, numbers that are numbers.
void look(
    fl_landmarker *landmarker, const fl_image *image, const fl_region *region, fl_status expected,
    const std::string &what) {
  fl_error error = {};
  fl_face faces[2];
  size_t count = 0;
  expect(fl_detect(landmarker, image, region, faces, 2, &count, &error) == expected, "detect: " + what);
  expect(count <= 2, "detect counts past its room: " + what);
  expect((expected == FL_OK) == (error.message[0] == 0), "detect gives its reason: " + what);
  // No presence is too low, so that the refining networks run too.
  fl_mesh mesh = {};
  error = {};
  expect(fl_find_landmarks(landmarker, image, region, -1, &mesh, &error) == expected, "landmarks: " + what);
  expect((expected == FL_OK) == (error.message[0] == 0), "landmarks give their reason: " + what);
  const bool isFinite = std::all_of(std::begin(mesh.points), std::end(mesh.points), [](const fl_landmark &point) {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
  });
  expect(isFinite && mesh.presence >= 0 && mesh.presence <= 1, "landmarks are numbers: " + what);
}

void testPictures(fl_landmarker *landmarker) {
  const fl_region region = {{8, 8}, 16, 0.3f};
  for (const auto &[width, height] : {std::pair(1, 1), {1, 481}, {641, 3}, {FL_MAXIMUM_SIDE, 1}, {1, FL_MAXIMUM_SIDE}}) {
    for (const size_t padding : {0, 1, 61}) {
      const Picture picture(width, height, padding);
      const std::string what = std::to_string(width) + "x" + std::to_string(height) + "+" + std::to_string(padding);
      look(landmarker, &picture.image, &region, FL_OK, what);
    }
  }

  const Picture picture(7, 5, 0);
  const auto refused = [&](const char *what, auto change) {
    fl_image image = picture.image;
    change(image);
    look(landmarker, &image, &region, FL_BAD_ARGUMENT, what);
  };
  look(landmarker, nullptr, &region, FL_BAD_ARGUMENT, "no picture");
  refused("no pixels", [](fl_image &image) { image.pixels = nullptr; });
  refused("no width", [](fl_image &image) { image.width = 0; });
  refused("negative height", [](fl_image &image) { image.height = -5; });
  refused("least height", [](fl_image &image) { image.height = std::numeric_limits<int32_t>::min(); });
  refused("too wide", [](fl_image &image) { image.width = FL_MAXIMUM_SIDE + 1; });
  refused("widest", [](fl_image &image) { image.width = std::numeric_limits<int32_t>::max(); });
  refused("rows too short", [](fl_image &image) { image.bytes_per_row -= 1; });
  refused("rows that overflow", [](fl_image &image) { image.bytes_per_row = std::numeric_limits<size_t>::max(); });
  refused("a byte short", [](fl_image &image) { image.byte_count -= 1; });
  refused("no bytes", [](fl_image &image) { image.byte_count = 0; });
}

void testRegions(fl_landmarker *landmarker) {
  const Picture picture(67, 43, 5);
  const auto test = [&](fl_region region, fl_status expected) {
    const std::string what = "region " + std::to_string(region.centre.x) + " " + std::to_string(region.centre.y) + " " +
                             std::to_string(region.side) + " " + std::to_string(region.rotation);
    look(landmarker, &picture.image, &region, expected, what);
  };
  for (const float wrong : {kNaN, kInfinity, -kInfinity, std::nextafter(kFurthest, kInfinity)}) {
    test({{wrong, 20}, 40, 0}, FL_BAD_ARGUMENT);
    test({{30, wrong}, 40, 0}, FL_BAD_ARGUMENT);
    test({{30, 20}, wrong, 0}, FL_BAD_ARGUMENT);
  }
  for (const float side : {0.0f, -0.0f, -1.0f}) test({{30, 20}, side, 0}, FL_BAD_ARGUMENT);
  for (const float rotation : {kNaN, kInfinity, -kInfinity}) test({{30, 20}, 40, rotation}, FL_BAD_ARGUMENT);
  for (const float side : {std::numeric_limits<float>::denorm_min(), 1e-6f, 40.0f, kFurthest}) {
    for (const float rotation : {0.0f, -2.5f, 1e30f}) {
      test({{30, 20}, side, rotation}, FL_OK);
      test({{kFurthest, -kFurthest}, side, rotation}, FL_OK);
    }
  }
  look(landmarker, &picture.image, nullptr, FL_BAD_ARGUMENT, "no region");
}

void testEngine(fl_landmarker *landmarker, fl_engine expected) {
  fl_engine_report report;
  fl_report_engine(landmarker, &report);
  expect(report.kind == expected.kind && report.instructions == expected.instructions, "the engine asked for");
  expect(!report.fallback[0], "no fallback");
}

void testArguments(const Models &models, fl_landmarker *landmarker) {
  const Picture picture(67, 43, 0);
  const fl_region region = {{30, 20}, 40, 0};
  fl_mesh mesh = {};
  fl_face face;
  size_t count = 1;
  fl_landmarker *unused = nullptr;
  expect(fl_detect(landmarker, &picture.image, &region, nullptr, 0, &count, nullptr) == FL_OK, "room for no face");
  expect(count == 0, "no face counted without room");
  expect(fl_detect(landmarker, &picture.image, &region, nullptr, 1, &count, nullptr) == FL_BAD_ARGUMENT, "no faces");
  expect(fl_detect(landmarker, &picture.image, &region, &face, 1, nullptr, nullptr) == FL_BAD_ARGUMENT, "no count");
  expect(
      fl_find_landmarks(landmarker, &picture.image, &region, 0, nullptr, nullptr) == FL_BAD_ARGUMENT, "no landmarks");
  expect(fl_find_landmarks(landmarker, &picture.image, &region, kNaN, &mesh, nullptr) == FL_OK, "presence not a number");
  expect(mesh.points[0].x == 0, "nothing reaches a presence that is not a number");
  look(nullptr, &picture.image, &region, FL_BAD_ARGUMENT, "no landmarker");
  expect(fl_create(nullptr, kBest, &unused, nullptr) == FL_BAD_ARGUMENT, "no models");
  expect(fl_create(models.files, kBest, nullptr, nullptr) == FL_BAD_ARGUMENT, "nowhere to put the landmarker");
  Models pathless = models;
  for (int i = 0; i < FL_MODEL_COUNT; ++i) pathless.files[i].path = i == FL_MODEL_LIPS ? nullptr : "x";
  expect(fl_create(pathless.files, kBest, &unused, nullptr) == FL_BAD_ARGUMENT, "a model without a path");
  const fl_engine strange = {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX512 + 1}, odd = {-1, FL_INSTRUCTIONS_BEST};
  expect(fl_create(models.files, strange, &unused, nullptr) == FL_BAD_ARGUMENT, "no such instructions");
  expect(fl_create(models.files, odd, &unused, nullptr) == FL_BAD_ARGUMENT, "no such engine");
  expect(fl_has_instructions(strange.instructions) == 0, "no CPU has them");
  fl_destroy(nullptr);
}

/// Each network in turn, damaged in each way: the error says which, and nothing is made.
void testModels(const Models &models, const fs::path &scratch) {
  const fs::path file = scratch / "model.onnx";
  for (int model = 0; model < FL_MODEL_COUNT; ++model) {
    std::ifstream stream(models.paths[model], std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(stream)), {});
    std::string flipped = whole;
    flipped[flipped.size() / 2] ^= 1;
    const auto refused = [&](const std::string &path, fl_status expected) {
      fl_model_file files[FL_MODEL_COUNT];
      std::copy_n(models.files, int(FL_MODEL_COUNT), files);
      files[model].path = path.c_str();
      fl_landmarker *landmarker = nullptr;
      fl_error error = {};
      const std::string what = models.paths[model] + " as " + path + ": " + std::to_string(expected);
      expect(fl_create(files, kBest, &landmarker, &error) == expected, what);
      expect(error.status == expected && error.model == model && error.message[0] && !landmarker, "error: " + what);
    };
    const std::string longer = whole + '\0', shorter = whole.substr(0, whole.size() - 1);
    for (const std::string &bytes : {std::string(), whole.substr(0, 1000), shorter, longer, flipped}) {
      std::ofstream(file, std::ios::binary) << bytes;
      refused(file, FL_MODEL_ALTERED);
    }
    fs::resize_file(file, uintmax_t(1) << 40);
    refused(file, FL_MODEL_ALTERED);
    fs::remove(file);
    refused(file, FL_MODEL_MISSING);
    refused(scratch, FL_MODEL_UNREADABLE);
    refused("/dev/zero", FL_MODEL_UNREADABLE);
  }
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 3) return std::fprintf(stderr, "usage: ShimTest MODELS_FOLDER SCRATCH_FOLDER\n"), EXIT_FAILURE;
  const Models models(arguments[1]);
  for (const fl_engine engine : kEngines) {
    if (!fl_has_instructions(engine.instructions)) continue;
    fl_landmarker *landmarker = nullptr;
    fl_error error = {};
    if (fl_create(models.files, engine, &landmarker, &error) != FL_OK) {
      std::fprintf(stderr, "the models cannot be used: %s\n", error.message);
      return EXIT_FAILURE;
    }
    testEngine(landmarker, engine);
    testPictures(landmarker);
    testRegions(landmarker);
    testArguments(models, landmarker);
    fl_destroy(landmarker);
  }
  testModels(models, arguments[2]);
  std::printf("shim: %d failures\n", failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
