// The C boundary under clang's sanitizers: each call with sizes, pointers and pictures at and beyond their limits.
//
// usage: boundary-test MODELS_DIRECTORY. Prints one line a failure; exit status 1 if there was one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "CFaceLandmarker.h"

namespace {

const fl_engine kBest = {FL_ENGINE_AUTOMATIC, FL_INSTRUCTIONS_BEST};
/// Those of them that this CPU can run are tried.
const fl_engine kEngines[] = {
    {FL_ENGINE_DNN, FL_INSTRUCTIONS_BASELINE},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_BASELINE},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX2},
    {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX512},
};

int failures = 0;

void expect(bool condition, const std::string &what) {
  if (condition) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

/// The files of a models directory with the digests of its models.sha256.
struct ModelsDirectory {
  std::vector<std::string> paths;
  std::vector<fl_model_file> files;

  explicit ModelsDirectory(const std::string &directory) {
    std::map<std::string, std::string> digests;
    std::ifstream list(directory + "/models.sha256");
    for (std::string digest, name; list >> digest >> name;) digests[name] = digest;
    for (const char *name :
         {"detector.onnx", "landmarks.onnx", "landmarks-lips.onnx", "landmarks-left-eye.onnx",
          "landmarks-right-eye.onnx"}) {
      paths.push_back(directory + "/" + name);
      fl_model_file file = {};
      const std::string &digest = digests[name];
      for (size_t i = 0; i + 1 < digest.size() && i / 2 < FL_SHA256_SIZE; i += 2) {
        file.sha256[i / 2] = uint8_t(std::stoi(digest.substr(i, 2), nullptr, 16));
      }
      files.push_back(file);
    }
    for (size_t i = 0; i < files.size(); ++i) files[i].path = paths[i].c_str();
  }
};

const int kFormats[] = {FL_BGR24, FL_YUYV, FL_NV12, FL_I420, FL_I422};

/// A picture of noise in memory of exactly the size it claims, so that reading past it is caught.
struct Picture {
  std::vector<uint8_t> bytes;
  fl_image image;

  Picture(int format, int width, int height, size_t padding = 0) {
    const size_t pairs = (size_t(width) + 1) / 2, chromaRows = (size_t(height) + 1) / 2;
    size_t rowBytes = 2 * pairs, rows = size_t(height);
    if (format == FL_BGR24) rowBytes = 3 * size_t(width);
    if (format == FL_YUYV) rowBytes = 4 * pairs;
    if (format == FL_NV12 || format == FL_I420) rows += chromaRows;
    if (format == FL_I422) rows *= 2;
    const bool hasHalfRows = format == FL_I420 || format == FL_I422;
    const size_t bytesPerRow = rowBytes + padding + (hasHalfRows ? padding % 2 : 0);
    bytes.resize(bytesPerRow * (rows - 1) + (hasHalfRows ? bytesPerRow : rowBytes));
    std::mt19937 random(1);
    for (uint8_t &byte : bytes) byte = uint8_t(random());
    image = {bytes.data(), bytes.size(), width, height, bytesPerRow, format, width % 2 ? FL_BT601 : FL_BT709, height % 2};
  }
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void refusesBadModels(const ModelsDirectory &models) {
  fl_landmarker *landmarker = nullptr;
  fl_error error;
  expect(fl_create(nullptr, kBest, &landmarker, &error) == FL_BAD_ARGUMENT, "no models");
  expect(fl_create(models.files.data(), kBest, nullptr, &error) == FL_BAD_ARGUMENT, "nowhere to put the landmarker");
  for (int model = 0; model < FL_MODEL_COUNT; ++model) {
    auto files = models.files;
    files[model].path = nullptr;
    expect(fl_create(files.data(), kBest, &landmarker, nullptr) == FL_BAD_ARGUMENT, "a null path");
    files[model].path = "/nowhere";
    expect(fl_create(files.data(), kBest, &landmarker, &error) == FL_MODEL_MISSING && error.model == model, "a missing file");
    files[model].path = "/";
    expect(fl_create(files.data(), kBest, &landmarker, &error) == FL_MODEL_UNREADABLE && error.model == model, "a directory");
    files[model].path = "/dev/zero";
    expect(fl_create(files.data(), kBest, &landmarker, &error) == FL_MODEL_UNREADABLE && error.model == model, "a device");
    files = models.files;
    files[model].sha256[31] ^= 1;
    expect(fl_create(files.data(), kBest, &landmarker, &error) == FL_MODEL_ALTERED && error.model == model, "another digest");
    expect(std::string(error.message).find('\n') == std::string::npos, "a message of one line");
  }
  // Every file is genuine, but none is where it belongs.
  auto rotated = models.files;
  std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
  expect(fl_create(rotated.data(), kBest, &landmarker, &error) == FL_MODEL_REJECTED, "files in each other's places");
  expect(landmarker == nullptr, "no landmarker from bad models");
}

void refusesUnknownEngines(const ModelsDirectory &models) {
  fl_landmarker *landmarker = nullptr;
  const fl_engine unknown[] = {
      {-1, FL_INSTRUCTIONS_BEST},
      {FL_ENGINE_FUSED + 1, FL_INSTRUCTIONS_BEST},
      {FL_ENGINE_FUSED, -1},
      {FL_ENGINE_FUSED, FL_INSTRUCTIONS_AVX512 + 1}};
  for (const fl_engine &engine : unknown) {
    expect(fl_create(models.files.data(), engine, &landmarker, nullptr) == FL_BAD_ARGUMENT, "an unknown engine");
  }
  expect(fl_has_instructions(FL_INSTRUCTIONS_AVX512 + 1) == 0, "no CPU has unknown instructions");
  expect(fl_has_instructions(FL_INSTRUCTIONS_BASELINE) == 1, "every CPU has the baseline");
}

void isTheEngineAskedFor(const fl_landmarker *landmarker, const fl_engine &engine) {
  fl_engine_report report;
  fl_report_engine(landmarker, &report);
  expect(report.kind == engine.kind && report.instructions == engine.instructions, "the engine asked for");
  expect(!report.fallback[0], "no fallback");
}

void refusesBadPictures(fl_landmarker *landmarker, int format) {
  const Picture picture(format, 64, 48);
  const fl_region region = {{32, 24}, 64, 0};
  const auto detect = [&](fl_image image) {
    fl_face face;
    size_t count;
    return fl_detect(landmarker, &image, &region, &face, 1, &count, nullptr);
  };
  const auto with = [&](auto change) {
    fl_image image = picture.image;
    change(image);
    return image;
  };
  expect(detect(picture.image) == FL_OK, "a good picture");
  expect(detect(with([](auto &i) { i.pixels = nullptr; })) == FL_BAD_ARGUMENT, "no pixels");
  for (const int side : {0, -1, FL_MAXIMUM_SIDE + 1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    expect(detect(with([&](auto &i) { i.width = side; })) == FL_BAD_ARGUMENT, "width " + std::to_string(side));
    expect(detect(with([&](auto &i) { i.height = side; })) == FL_BAD_ARGUMENT, "height " + std::to_string(side));
  }
  const size_t rowBytes = picture.image.bytes_per_row, most = std::numeric_limits<size_t>::max();
  for (const size_t bytes : {size_t(0), rowBytes - 1, picture.image.byte_count - 1}) {
    expect(detect(with([&](auto &i) { i.byte_count = bytes; })) == FL_BAD_ARGUMENT, "too few bytes");
  }
  for (const size_t bytes : {size_t(0), rowBytes - 1, rowBytes + 1, rowBytes + 2, most / 2, most - 1, most}) {
    expect(detect(with([&](auto &i) { i.bytes_per_row = bytes; })) == FL_BAD_ARGUMENT, "rows that do not fit");
  }
  for (const int unknown : {-1, FL_I422 + 1, std::numeric_limits<int>::max()}) {
    expect(detect(with([&](auto &i) { i.format = unknown; })) == FL_BAD_ARGUMENT, "an unknown format");
    expect(detect(with([&](auto &i) { i.matrix = unknown; })) == FL_BAD_ARGUMENT, "an unknown matrix");
  }
}

void refusesOddRows(fl_landmarker *landmarker) {
  Picture picture(FL_I420, 64, 48, 2);
  picture.image.bytes_per_row -= 1;
  const fl_region region = {{32, 24}, 64, 0};
  fl_mesh mesh;
  expect(
      fl_find_landmarks(landmarker, &picture.image, &region, 0, &mesh, nullptr) == FL_BAD_ARGUMENT,
      "rows that cannot be halved");
}

void refusesBadRegions(fl_landmarker *landmarker) {
  const Picture picture(FL_BGR24, 64, 48);
  fl_mesh mesh;
  const fl_region bad[] = {
      {{32, 24}, 0, 0},    {{32, 24}, -5, 0},          {{32, 24}, kNaN, 0},    {{32, 24}, kInfinity, 0},
      {{kNaN, 24}, 64, 0}, {{32, -kInfinity}, 64, 0},  {{32, 1e9f}, 64, 0},    {{32, 24}, 1e9f, 0},
      {{32, 24}, 64, kNaN}, {{32, 24}, 64, kInfinity},
  };
  for (const fl_region &region : bad) {
    expect(
        fl_find_landmarks(landmarker, &picture.image, &region, 0, &mesh, nullptr) == FL_BAD_ARGUMENT,
        "region " + std::to_string(region.centre.x) + " " + std::to_string(region.side));
  }
  const fl_region good = {{32, 24}, 64, 0};
  expect(fl_find_landmarks(landmarker, &picture.image, nullptr, 0, &mesh, nullptr) == FL_BAD_ARGUMENT, "no region");
  expect(fl_find_landmarks(landmarker, nullptr, &good, 0, &mesh, nullptr) == FL_BAD_ARGUMENT, "no picture");
  expect(fl_find_landmarks(landmarker, &picture.image, &good, 0, nullptr, nullptr) == FL_BAD_ARGUMENT, "no mesh");
  expect(fl_find_landmarks(nullptr, &picture.image, &good, 0, &mesh, nullptr) == FL_BAD_ARGUMENT, "no landmarker");
}

/// Any picture, any region: the networks run over all of it (a presence of 0 is enough) and the numbers are finite.
void survivesAnyPicture(fl_landmarker *landmarker, int format) {
  std::mt19937 random(2);
  const auto between = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
  const std::pair<int, int> sizes[] = {{1, 1}, {1, 500}, {500, 1}, {3, 2}, {641, 479}, {FL_MAXIMUM_SIDE, 2}};
  for (const auto &[width, height] : sizes) {
    const Picture picture(format, width, height, size_t(width % 7));
    for (int round = 0; round < 6; ++round) {
      const float side = between(0, 1) < 0.2f ? between(1e-6f, 1) : between(1, 3.0f * width);
      const fl_region region = {
          {between(-1, 2) * width, between(-1, 2) * height}, std::min(side, 60000.0f), between(-100, 100)};
      fl_mesh mesh;
      expect(fl_find_landmarks(landmarker, &picture.image, &region, 0, &mesh, nullptr) == FL_OK, "any region");
      expect(mesh.presence >= 0 && mesh.presence <= 1, "a presence of 0 to 1");
      expect(
          std::all_of(
              std::begin(mesh.points), std::end(mesh.points),
              [](const auto &point) { return std::isfinite(point.x + point.y + point.z); }),
          "finite points");
      fl_face faces[4];
      size_t count = 99;
      const size_t capacity = size_t(round) % 5;
      expect(fl_detect(landmarker, &picture.image, &region, faces, capacity, &count, nullptr) == FL_OK, "any picture");
      expect(count <= capacity, "no more faces than there is room for");
    }
  }
}

}  // namespace

int main(int argumentCount, char **arguments) {
  if (argumentCount != 2) return std::fprintf(stderr, "usage: boundary-test MODELS_DIRECTORY\n"), 64;
  const ModelsDirectory models(arguments[1]);
  refusesBadModels(models);
  refusesUnknownEngines(models);

  for (const fl_engine &engine : kEngines) {
    if (!fl_has_instructions(engine.instructions)) continue;
    fl_landmarker *landmarker = nullptr;
    fl_error error = {};
    expect(fl_create(models.files.data(), engine, &landmarker, &error) == FL_OK, std::string("models: ") + error.message);
    if (!landmarker) continue;
    isTheEngineAskedFor(landmarker, engine);
    refusesBadRegions(landmarker);
    refusesOddRows(landmarker);
    for (const int format : kFormats) {
      refusesBadPictures(landmarker, format);
      survivesAnyPicture(landmarker, format);
    }
    fl_destroy(landmarker);
  }
  fl_destroy(nullptr);
  std::printf(failures == 0 ? "all passed\n" : "%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
