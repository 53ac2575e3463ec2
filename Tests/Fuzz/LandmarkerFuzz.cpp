// The landmarker's C interface against arbitrary model files, pictures and regions.
#include <CFaceLandmarker.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

const char *const kNames[FL_MODEL_COUNT] = {
    "detector.onnx", "landmarks.onnx", "landmarks-lips.onnx", "landmarks-left-eye.onnx", "landmarks-right-eye.onnx"};

const fl_engine kEngine = {FL_ENGINE_FUSED, FL_INSTRUCTIONS_BEST};

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// The networks of the folder that FACEPLAY_MODELS names, with the digests of its models.sha256.
struct Models {
  std::string paths[FL_MODEL_COUNT];
  fl_model_file files[FL_MODEL_COUNT] = {};

  Models() {
    const std::string folder = std::getenv("FACEPLAY_MODELS");
    std::FILE *list = std::fopen((folder + "/models.sha256").c_str(), "r");
    require(list, "FACEPLAY_MODELS holds no models.sha256");
    char digest[65], name[256];
    while (std::fscanf(list, "%64s %255s", digest, name) == 2) {
      for (int model = 0; model < FL_MODEL_COUNT; ++model) {
        if (std::strcmp(name, kNames[model]) != 0) continue;
        paths[model] = folder + "/" + name;
        files[model].path = paths[model].c_str();
        for (int i = 0; i < FL_SHA256_SIZE; ++i) {
          files[model].sha256[i] = uint8_t(std::stoi(std::string(digest + 2 * i, 2), nullptr, 16));
        }
      }
    }
    std::fclose(list);
  }
};

/// Any bytes in a network's place are refused by their digest. The detector's: it is read first, so this is quick.
void tryModel(const Models &models, const uint8_t *bytes, size_t size) {
  static const std::string path = std::string(std::getenv("FACEPLAY_MODELS_SCRATCH")) + "/model.onnx";
  std::FILE *file = std::fopen(path.c_str(), "wb");
  require(file, "no scratch file");
  std::fwrite(bytes, 1, size, file);
  std::fclose(file);
  fl_model_file files[FL_MODEL_COUNT];
  std::copy_n(models.files, int(FL_MODEL_COUNT), files);
  files[FL_MODEL_DETECTOR].path = path.c_str();
  fl_landmarker *landmarker = nullptr;
  fl_error error = {};
  require(fl_create(files, kEngine, &landmarker, &error) == FL_MODEL_ALTERED, "an altered model was taken");
  require(landmarker == nullptr && error.model == FL_MODEL_DETECTOR && error.message[0], "an altered model was not named");
}

/// Whatever the picture and region, an answer or an error comes back.
void tryPicture(fl_landmarker *landmarker, const uint8_t *bytes, size_t size) {
  struct {
    int16_t width, height, stride;
    // Above the format, a bit each for matrix and range.
    int16_t format;
    fl_region region;
    float minimumPresence;
  } input;
  if (size < sizeof input) return;
  std::memcpy(&input, bytes, sizeof input);
  const std::vector<uint8_t> pixels(bytes + sizeof input, bytes + size);
  const fl_image image = {pixels.data(), pixels.size(), input.width, input.height, size_t(input.stride),
                          input.format & 7, input.format >> 3 & 1, input.format >> 4 & 1};
  fl_error error = {};
  fl_face faces[4];
  size_t count = 0;
  const fl_status detected = fl_detect(landmarker, &image, &input.region, faces, 4, &count, &error);
  require(detected == FL_OK || (detected == FL_BAD_ARGUMENT && error.message[0]), "detection failed without a reason");
  require(count <= 4, "more faces than there is room for");
  fl_mesh mesh;
  const fl_status found =
      fl_find_landmarks(landmarker, &image, &input.region, input.minimumPresence, &mesh, &error);
  require(found == FL_OK || (found == FL_BAD_ARGUMENT && error.message[0]), "landmarks failed without a reason");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const Models models;
  static fl_landmarker *const landmarker = [] {
    fl_landmarker *created = nullptr;
    require(fl_create(models.files, kEngine, &created, nullptr) == FL_OK, "the models cannot be used");
    return created;
  }();
  if (size == 0) return 0;
  if (bytes[0] == 'M') {
    tryModel(models, bytes + 1, size - 1);
  } else {
    tryPicture(landmarker, bytes + 1, size - 1);
  }
  return 0;
}
