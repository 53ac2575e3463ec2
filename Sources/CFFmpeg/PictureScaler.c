// Converts and scales; see the header.
#include "PictureScaler.h"

#include <limits.h>
#include <libavutil/mem.h>
#include <libswscale/swscale.h>

struct picture_scaler {
  struct SwsContext *context;
  int source_height, height;
};

picture_scaler *picture_scaler_open(int source_width, int source_height, int width, int height, bool full_range) {
  picture_scaler *scaler = av_mallocz(sizeof(picture_scaler));
  if (!scaler) return NULL;
  scaler->source_height = source_height;
  scaler->height = height;
  // Shrinking by averaging keeps edges whole where bilinear sampling would leave pixels out.
  int method = width < source_width ? SWS_AREA : SWS_BILINEAR;
  // The fast path for one size knows limited range alone.
  if (full_range) method |= SWS_ACCURATE_RND;
  scaler->context = sws_getContext(
    source_width, source_height, AV_PIX_FMT_BGR24, width, height, AV_PIX_FMT_YUV420P, method, NULL, NULL, NULL);
  if (!scaler->context) {
    picture_scaler_close(scaler);
    return NULL;
  }
  const int *bt601 = sws_getCoefficients(SWS_CS_ITU601);
  sws_setColorspaceDetails(scaler->context, bt601, 1, bt601, full_range, 0, 1 << 16, 1 << 16);
  return scaler;
}

bool picture_scaler_scale(
  picture_scaler *scaler, const uint8_t *bgr, size_t bytes_per_row, uint8_t *const planes[3], const int strides[3]) {
  if (bytes_per_row > INT_MAX) return false;
  int rows = sws_scale(
    scaler->context, (const uint8_t *[]){bgr, NULL, NULL, NULL}, (int[]){(int)bytes_per_row, 0, 0, 0}, 0,
    scaler->source_height, (uint8_t *[]){planes[0], planes[1], planes[2], NULL},
    (int[]){strides[0], strides[1], strides[2], 0});
  return rows == scaler->height;
}

void picture_scaler_close(picture_scaler *scaler) {
  sws_freeContext(scaler->context);
  av_free(scaler);
}
