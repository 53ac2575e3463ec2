// Converts and scales; see the header.
#include "PictureScaler.h"

#include <libavutil/mem.h>
#include <libswscale/swscale.h>

struct picture_scaler {
  struct SwsContext *context;
  int source_height, height;
};

static enum AVPixelFormat library_format(picture_layout layout) {
  switch (layout) {
  case PICTURE_BGR24: return AV_PIX_FMT_BGR24;
  case PICTURE_YUYV: return AV_PIX_FMT_YUYV422;
  case PICTURE_NV12: return AV_PIX_FMT_NV12;
  case PICTURE_I420: return AV_PIX_FMT_YUV420P;
  case PICTURE_I422: return AV_PIX_FMT_YUV422P;
  }
}

picture_scaler *picture_scaler_open(const picture_source *source, int width, int height, bool full_range) {
  picture_scaler *scaler = av_mallocz(sizeof(picture_scaler));
  if (!scaler) return NULL;
  scaler->source_height = source->height;
  scaler->height = height;
  // Shrinking by averaging keeps edges whole where bilinear sampling would leave pixels out.
  int method = width < source->width ? SWS_AREA : SWS_BILINEAR;
  // The fast path for one size knows limited range alone.
  if (full_range) method |= SWS_ACCURATE_RND;
  scaler->context = sws_getContext(
    source->width, source->height, library_format(source->layout), width, height, AV_PIX_FMT_YUV420P, method, NULL,
    NULL, NULL);
  if (!scaler->context) {
    picture_scaler_close(scaler);
    return NULL;
  }
  const int *colours = sws_getCoefficients(source->is_bt709 ? SWS_CS_ITU709 : SWS_CS_ITU601);
  bool from_full_range = source->is_full_range || source->layout == PICTURE_BGR24;
  sws_setColorspaceDetails(
    scaler->context, colours, from_full_range, sws_getCoefficients(SWS_CS_ITU601), full_range, 0, 1 << 16, 1 << 16);
  return scaler;
}

bool picture_scaler_scale(
  picture_scaler *scaler, const uint8_t *const source[3], const int source_strides[3], uint8_t *const planes[3],
  const int strides[3]) {
  int rows = sws_scale(
    scaler->context, (const uint8_t *[]){source[0], source[1], source[2], NULL},
    (int[]){source_strides[0], source_strides[1], source_strides[2], 0}, 0, scaler->source_height,
    (uint8_t *[]){planes[0], planes[1], planes[2], NULL}, (int[]){strides[0], strides[1], strides[2], 0});
  return rows == scaler->height;
}

void picture_scaler_close(picture_scaler *scaler) {
  sws_freeContext(scaler->context);
  av_free(scaler);
}
