/* Finds faces in a picture and the 478 landmarks of one face, with MediaPipe's networks on an engine of our own or on
 * OpenCV's dnn module.
 *
 * Plain C over C++: no exception leaves it, and every size handed in is checked. A landmarker serves one thread at a
 * time; different landmarkers may serve different threads. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FL_SHA256_SIZE = 32,
  /* Points of the attention mesh: 468, and 5 for each iris. */
  FL_LANDMARK_COUNT = 478,
  /* The detector's key points: eye (image left, image right), nose tip, mouth centre, ear (image left, image right). */
  FL_KEY_POINT_COUNT = 6,
  /* The widest and highest picture taken, pixels. */
  FL_MAXIMUM_SIDE = 16384,
};

/* The network files, in the order `fl_create` takes them; models/README.md describes each. */
enum {
  FL_MODEL_DETECTOR,
  FL_MODEL_LANDMARKS,
  FL_MODEL_LIPS,
  FL_MODEL_LEFT_EYE,
  FL_MODEL_RIGHT_EYE,
  FL_MODEL_COUNT,
};

typedef enum fl_status {
  FL_OK,
  /* A pointer, size or number is out of its range. */
  FL_BAD_ARGUMENT,
  /* A model file does not exist. */
  FL_MODEL_MISSING,
  /* A model file cannot be read (no permission, a directory, an I/O error). */
  FL_MODEL_UNREADABLE,
  /* A model file is not the bytes that were expected: cut short, altered, or another version. */
  FL_MODEL_ALTERED,
  /* OpenCV cannot use a model file although its bytes are the expected ones. */
  FL_MODEL_REJECTED,
  /* The engine or the instructions asked for cannot be had. */
  FL_ENGINE_UNAVAILABLE,
  /* A network could not be run (memory ran out, or OpenCV failed). */
  FL_FAILED,
} fl_status;

/* What went wrong, in words. */
typedef struct fl_error {
  fl_status status;
  /* Which model file (FL_MODEL_…), or -1 when it is not about one. */
  int32_t model;
  /* One line, zero-terminated. */
  char message[240];
} fl_error;

typedef struct fl_model_file {
  const char *path;
  /* The file is refused, and never parsed, unless its bytes have this digest. */
  uint8_t sha256[FL_SHA256_SIZE];
} fl_model_file;

/* What computes the networks. */
enum {
  /* The fused engine, or OpenCV where the fused one does not know a network. */
  FL_ENGINE_AUTOMATIC,
  /* OpenCV's dnn module. */
  FL_ENGINE_DNN,
  /* The fused engine, or an error. */
  FL_ENGINE_FUSED,
};

/* The instructions that the fused engine uses. */
enum {
  /* The fastest that this CPU has. */
  FL_INSTRUCTIONS_BEST,
  /* What every CPU of this kind has: SSE2 or NEON. */
  FL_INSTRUCTIONS_BASELINE,
  FL_INSTRUCTIONS_AVX2,
  FL_INSTRUCTIONS_AVX512,
};

typedef struct fl_engine {
  /* FL_ENGINE_… */
  int32_t kind;
  /* FL_INSTRUCTIONS_… */
  int32_t instructions;
} fl_engine;

/* The engine that a landmarker has. */
typedef struct fl_engine_report {
  /* Never FL_ENGINE_AUTOMATIC. */
  int32_t kind;
  /* Never FL_INSTRUCTIONS_BEST; FL_INSTRUCTIONS_BASELINE when it is not the fused engine. */
  int32_t instructions;
  /* Why it is OpenCV although it might have been the fused engine; one line, empty when there is nothing to tell. */
  char fallback[240];
} fl_engine_report;

/* How a picture's bytes lie: one piece of memory, plane after plane. Where chroma is shared, sizes round up. */
enum {
  /* Blue, green, red, interleaved. */
  FL_BGR24,
  /* Y Cb Y Cr for each two pixels of a row. */
  FL_YUYV,
  /* Luma, then rows of Cb Cr for each two by two pixels, as far apart as luma's. */
  FL_NV12,
  /* Luma, then Cb, then Cr for each two by two pixels; chroma's rows are half as far apart as luma's. */
  FL_I420,
  /* As FL_I420, for each two pixels of a row. */
  FL_I422,
};

/* What luma and chroma mean. */
enum {
  FL_BT601,
  FL_BT709,
};

/* A picture in memory, 8 bits a value; only read, and only during the call. */
typedef struct fl_image {
  const uint8_t *pixels;
  /* Bytes readable at `pixels`. */
  size_t byte_count;
  int32_t width;
  int32_t height;
  /* From one row's first byte to the next row's: at least 3 * width in BGR24, 4 for each two pixels in YUYV, and 2 for
   * each two in the others; even in I420 and I422. */
  size_t bytes_per_row;
  /* FL_BGR24… */
  int32_t format;
  /* FL_BT601… ; of no account in BGR24, like `is_full_range`. */
  int32_t matrix;
  /* 1: black and white are 0 and 255; 0: 16 and 235. */
  int32_t is_full_range;
} fl_image;

/* A point in pixels: x to the right, y down. */
typedef struct fl_point {
  float x;
  float y;
} fl_point;

/* One detected face, in the picture's pixels. */
typedef struct fl_face {
  /* 0.5…1. */
  float score;
  fl_point top_left;
  fl_point bottom_right;
  fl_point key_points[FL_KEY_POINT_COUNT];
} fl_face;

/* A square part of the picture, which may reach beyond its edges. */
typedef struct fl_region {
  fl_point centre;
  /* Pixels. */
  float side;
  /* Radians; positive turns the region's x axis towards image down. */
  float rotation;
} fl_region;

/* One landmark in pixels; z has the same scale, grows away from the camera and is relative to the head's centre. */
typedef struct fl_landmark {
  float x;
  float y;
  float z;
} fl_landmark;

typedef struct fl_mesh {
  /* How sure the network is that the region holds a face, 0…1. */
  float presence;
  /* Lips, eyes and irises refined. All zero when `presence` is below the minimum asked for. */
  fl_landmark points[FL_LANDMARK_COUNT];
} fl_mesh;

typedef struct fl_landmarker fl_landmarker;

/* Whether this CPU has the instructions, FL_INSTRUCTIONS_…: 1 or 0. */
int32_t fl_has_instructions(int32_t instructions);

/* Reads, verifies and loads the networks. `error` may be null. On FL_OK `*landmarker` is to be given to `fl_destroy`.
 * OpenCV is kept to one thread, process-wide: more do not make networks this small faster, and take the game's cores. */
fl_status fl_create(
    const fl_model_file models[FL_MODEL_COUNT], fl_engine engine, fl_landmarker **landmarker, fl_error *error);

/* Null is let be. */
void fl_destroy(fl_landmarker *landmarker);

/* `landmarker` and `report` must not be null. */
void fl_report_engine(const fl_landmarker *landmarker, fl_engine_report *report);

/* Looks for faces in `region`, which the detector sees at 128x128: a face should fill a tenth of its side or more.
 * Writes at most `capacity` of them, surest first, and how many to `count`. */
fl_status fl_detect(
    fl_landmarker *landmarker, const fl_image *image, const fl_region *region, fl_face *faces, size_t capacity,
    size_t *count, fl_error *error);

/* Finds the landmarks of the face that fills about two thirds of `region`, upright within it. */
fl_status fl_find_landmarks(
    fl_landmarker *landmarker, const fl_image *image, const fl_region *region, float minimum_presence, fl_mesh *mesh,
    fl_error *error);

#ifdef __cplusplus
}
#endif
