// Encodes a photo; see the header.
#include "JPEGEncoder.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <string.h>

enum {
  /// The encoder's finest but one: steps of 8 on average, where libjpeg's quality 90 has 11.5 (luma).
  QUANTIZER = 2,
};

static AVFrame *frame_of(int width, int height, const uint8_t *const planes[3], const int strides[3]) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = AV_PIX_FMT_YUVJ420P;
  frame->color_range = AVCOL_RANGE_JPEG;
  frame->width = width;
  frame->height = height;
  frame->quality = QUANTIZER * FF_QP2LAMBDA;
  if (av_frame_get_buffer(frame, 0) < 0) {
    av_frame_free(&frame);
    return NULL;
  }
  const uint8_t *sources[4] = {planes[0], planes[1], planes[2], NULL};
  const int source_strides[4] = {strides[0], strides[1], strides[2], 0};
  av_image_copy(frame->data, frame->linesize, sources, source_strides, AV_PIX_FMT_YUVJ420P, width, height);
  return frame;
}

static AVCodecContext *encoder_for(int width, int height) {
  const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
  AVCodecContext *encoder = codec ? avcodec_alloc_context3(codec) : NULL;
  if (!encoder) return NULL;
  encoder->width = width;
  encoder->height = height;
  encoder->pix_fmt = AV_PIX_FMT_YUVJ420P;
  encoder->color_range = AVCOL_RANGE_JPEG;
  encoder->colorspace = AVCOL_SPC_SMPTE170M;
  encoder->time_base = (AVRational){1, 1};
  encoder->flags = AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT;
  encoder->global_quality = QUANTIZER * FF_QP2LAMBDA;
  encoder->thread_count = 1;
  if (avcodec_open2(encoder, codec, NULL) < 0) avcodec_free_context(&encoder);
  return encoder;
}

uint8_t *jpeg_encode(
  int width, int height, const uint8_t *const planes[3], const int strides[3], size_t *size) {
  uint8_t *bytes = NULL;
  AVCodecContext *encoder = encoder_for(width, height);
  AVFrame *frame = encoder ? frame_of(width, height, planes, strides) : NULL;
  AVPacket *packet = frame ? av_packet_alloc() : NULL;
  if (packet && avcodec_send_frame(encoder, frame) == 0 && avcodec_send_frame(encoder, NULL) == 0
      && avcodec_receive_packet(encoder, packet) == 0) {
    bytes = av_memdup(packet->data, packet->size);
    *size = packet->size;
  }
  av_packet_free(&packet);
  av_frame_free(&frame);
  avcodec_free_context(&encoder);
  return bytes;
}

void jpeg_free(uint8_t *bytes) { av_free(bytes); }
