/* Finds faces in a picture and the 478 landmarks of one face, with MediaPipe's networks on OpenCV's dnn module.
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

/* A picture in memory: 8-bit blue, green, red, interleaved; only read, and only during the call. */
typedef struct fl_image {
  const uint8_t *pixels;
  /* Bytes readable at `pixels`. */
  size_t byte_count;
  int32_t width;
  int32_t height;
  /* From one row's first byte to the next row's; at least 3 * width. */
  size_t bytes_per_row;
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

/* Reads, verifies and loads the networks. `error` may be null. On FL_OK `*landmarker` is to be given to `fl_destroy`.
 * OpenCV is kept to one thread, process-wide: more do not make networks this small faster, and take the game's cores. */
fl_status fl_create(const fl_model_file models[FL_MODEL_COUNT], fl_landmarker **landmarker, fl_error *error);

/* Null is let be. */
void fl_destroy(fl_landmarker *landmarker);

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
