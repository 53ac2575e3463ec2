// The decoder; see the header.
#include <limits.h>
#include <stdlib.h>
#include <wels/codec_api.h>

#include "COpenH264.h"

struct h264_decoder {
  ISVCDecoder *library;
};

h264_decoder *h264_decoder_open(void) {
  h264_decoder *decoder = calloc(1, sizeof(h264_decoder));
  if (!decoder) return NULL;
  if (WelsCreateDecoder(&decoder->library) != 0) {
    free(decoder);
    return NULL;
  }
  ISVCDecoder *library = decoder->library;
  int level = WELS_LOG_QUIET;
  (*library)->SetOption(library, DECODER_OPTION_TRACE_LEVEL, &level);
  SDecodingParam parameters = {
    .uiTargetDqLayer = UCHAR_MAX,
    .eEcActiveIdc = ERROR_CON_DISABLE,
    .sVideoProperty = {.size = sizeof(SVideoProperty), .eVideoBsType = VIDEO_BITSTREAM_AVC},
  };
  if ((*library)->Initialize(library, &parameters) == 0) return decoder;
  h264_decoder_close(decoder);
  return NULL;
}

h264_decoded h264_decoder_decode(h264_decoder *decoder, const uint8_t *bytes, size_t size, h264_picture *picture) {
  if (size > INT_MAX) return H264_DAMAGED;
  ISVCDecoder *library = decoder->library;
  unsigned char *planes[3] = {NULL, NULL, NULL};
  SBufferInfo info = {.iBufferStatus = 0};
  DECODING_STATE state = (*library)->DecodeFrameNoDelay(library, bytes, (int)size, planes, &info);
  if (state != dsErrorFree) return H264_DAMAGED;
  if (info.iBufferStatus != 1 || !planes[0] || !planes[1] || !planes[2]) return H264_NOTHING;
  const SSysMEMBuffer *memory = &info.UsrData.sSystemBuffer;
  *picture = (h264_picture){
    .width = memory->iWidth,
    .height = memory->iHeight,
    .planes = {planes[0], planes[1], planes[2]},
    .strides = {memory->iStride[0], memory->iStride[1]},
  };
  return H264_PICTURE;
}

void h264_decoder_close(h264_decoder *decoder) {
  (*decoder->library)->Uninitialize(decoder->library);
  WelsDestroyDecoder(decoder->library);
  free(decoder);
}
