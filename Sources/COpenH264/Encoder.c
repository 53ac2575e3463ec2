// The encoder; see the header.
#include <stdlib.h>
#include <string.h>
#include <wels/codec_api.h>

#include "COpenH264.h"

struct h264_encoder {
  ISVCEncoder *library;
  /// The latest access unit, in the library's memory.
  SFrameBSInfo unit;
};

static void fill(SEncParamExt *parameters, int width, int height, int bit_rate, double frame_rate) {
  parameters->iUsageType = CAMERA_VIDEO_REAL_TIME;
  parameters->iPicWidth = width;
  parameters->iPicHeight = height;
  parameters->iTargetBitrate = bit_rate;
  parameters->iRCMode = RC_BITRATE_MODE;
  parameters->fMaxFrameRate = (float)frame_rate;
  // The fastest there is; Benchmarks/encoding.py measures it beside x264.
  parameters->iComplexityMode = LOW_COMPLEXITY;
  parameters->uiIntraPeriod = 0;
  parameters->eSpsPpsIdStrategy = CONSTANT_ID;
  parameters->bEnableFrameSkip = false;
  parameters->iMultipleThreadIdc = 1;
  parameters->bEnableSceneChangeDetect = false;
  parameters->bEnableDenoise = false;

  SSpatialLayerConfig *layer = &parameters->sSpatialLayers[0];
  layer->iVideoWidth = width;
  layer->iVideoHeight = height;
  layer->fFrameRate = (float)frame_rate;
  layer->iSpatialBitrate = bit_rate;
  layer->iMaxSpatialBitrate = UNSPECIFIED_BIT_RATE;
  layer->uiProfileIdc = PRO_BASELINE;
  layer->sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
  // BT.601, limited range. Without it, players take large pictures for BT.709.
  layer->bVideoSignalTypePresent = true;
  layer->uiVideoFormat = VF_UNDEF;
  layer->bColorDescriptionPresent = true;
  layer->uiColorPrimaries = CP_SMPTE170M;
  layer->uiTransferCharacteristics = TRC_SMPTE170M;
  layer->uiColorMatrix = CM_SMPTE170M;
}

h264_encoder *h264_encoder_open(int width, int height, int bit_rate, double frame_rate) {
  h264_encoder *encoder = calloc(1, sizeof(h264_encoder));
  if (!encoder) return NULL;
  if (WelsCreateSVCEncoder(&encoder->library) != 0) {
    free(encoder);
    return NULL;
  }
  ISVCEncoder *library = encoder->library;
  int level = WELS_LOG_QUIET;
  (*library)->SetOption(library, ENCODER_OPTION_TRACE_LEVEL, &level);
  SEncParamExt parameters;
  int result = (*library)->GetDefaultParams(library, &parameters);
  if (result == 0) {
    fill(&parameters, width, height, bit_rate, frame_rate);
    result = (*library)->InitializeExt(library, &parameters);
  }
  if (result == 0) return encoder;
  h264_encoder_close(encoder);
  return NULL;
}

bool h264_encoder_set_rates(h264_encoder *encoder, int bit_rate, double frame_rate) {
  ISVCEncoder *library = encoder->library;
  float frames = (float)frame_rate;
  SBitrateInfo bits = {.iLayer = SPATIAL_LAYER_ALL, .iBitrate = bit_rate};
  return (*library)->SetOption(library, ENCODER_OPTION_FRAME_RATE, &frames) == 0
    && (*library)->SetOption(library, ENCODER_OPTION_BITRATE, &bits) == 0;
}

/// The bytes of one layer: parameter sets are one, the picture another.
static size_t layer_size(const SLayerBSInfo *layer) {
  size_t size = 0;
  for (int i = 0; i < layer->iNalCount; i++) size += layer->pNalLengthInByte[i];
  return size;
}

size_t h264_encoder_encode(
  h264_encoder *encoder, const h264_picture *picture, int64_t milliseconds, bool key_frame, bool *is_key_frame) {
  ISVCEncoder *library = encoder->library;
  SSourcePicture source = {
    .iColorFormat = videoFormatI420,
    .iStride = {picture->strides[0], picture->strides[1], picture->strides[1]},
    .iPicWidth = picture->width,
    .iPicHeight = picture->height,
    .uiTimeStamp = milliseconds,
  };
  // The library only reads them.
  for (int i = 0; i < 3; i++) source.pData[i] = (unsigned char *)picture->planes[i];
  if (key_frame && (*library)->ForceIntraFrame(library, true) != 0) return 0;
  memset(&encoder->unit, 0, sizeof encoder->unit);
  if ((*library)->EncodeFrame(library, &source, &encoder->unit) != 0) return 0;
  *is_key_frame = encoder->unit.eFrameType == videoFrameTypeIDR;
  size_t size = 0;
  for (int i = 0; i < encoder->unit.iLayerNum; i++) size += layer_size(&encoder->unit.sLayerInfo[i]);
  return size;
}

void h264_encoder_copy(const h264_encoder *encoder, uint8_t *bytes) {
  for (int i = 0; i < encoder->unit.iLayerNum; i++) {
    size_t size = layer_size(&encoder->unit.sLayerInfo[i]);
    memcpy(bytes, encoder->unit.sLayerInfo[i].pBsBuf, size);
    bytes += size;
  }
}

void h264_encoder_close(h264_encoder *encoder) {
  (*encoder->library)->Uninitialize(encoder->library);
  WelsDestroySVCEncoder(encoder->library);
  free(encoder);
}
