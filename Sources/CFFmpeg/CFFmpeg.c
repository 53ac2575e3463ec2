// Opens, decodes and converts; see the header.
#include "CFFmpeg.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  /// Bytes read at a time.
  IO_BUFFER_SIZE = 64 * 1024,
  /// Failures in a row, with neither a packet nor a picture between them, after which the rest is given up.
  MAX_FAILURES = 64,
  /// No single allocation of the libraries is larger: a few damaged bytes can ask for gigabytes.
  MAX_ALLOCATION = 512 * 1024 * 1024,
  NANOSECONDS = 1000 * 1000 * 1000,
};

/// How a decoded picture must be turned to stand upright. Flips come after the transposition.
typedef struct {
  bool transposed, flipped_x, flipped_y;
} orientation;

/// What a libswscale context was made for.
typedef struct {
  int width, height, format, target_width, colorspace, range;
} conversion;

struct clip_reader {
  int fd;
  int max_side;
  atomic_bool cancelled;
  AVIOContext *io;
  AVFormatContext *container;
  AVStream *stream;
  AVCodecContext *decoder;
  AVPacket *packet;
  AVFrame *frame;
  bool draining;
  int failures;
  int64_t skipped, damaged;
  orientation orientation;
  struct SwsContext *scaler;
  conversion conversion;
  uint8_t *unturned;
  unsigned unturned_size;
};

static clip_status fail(clip_status status, int error, char *message) {
  if (error == AVERROR(ENOMEM)) status = CLIP_OUT_OF_MEMORY;
  av_strerror(error, message, CLIP_MESSAGE_SIZE);
  return status;
}

// Reading the file

static int read_bytes(void *opaque, uint8_t *buffer, int size) {
  clip_reader *reader = opaque;
  ssize_t count;
  do {
    if (atomic_load(&reader->cancelled)) return AVERROR_EXIT;
    count = read(reader->fd, buffer, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return AVERROR(errno);
  return count == 0 ? AVERROR_EOF : (int)count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  clip_reader *reader = opaque;
  whence &= ~AVSEEK_FORCE;
  if (whence == AVSEEK_SIZE) {
    struct stat status;
    return fstat(reader->fd, &status) < 0 ? AVERROR(errno) : status.st_size;
  }
  off_t position = lseek(reader->fd, offset, whence);
  return position < 0 ? AVERROR(errno) : position;
}

/// Playlists and the like name other files and addresses: none of them is opened.
static int refuse_to_open(
  AVFormatContext *container, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  return AVERROR(EPERM);
}

// Opening

static clip_status open_container(clip_reader *reader, char *message) {
  uint8_t *buffer = av_malloc(IO_BUFFER_SIZE);
  if (!buffer) return fail(CLIP_OUT_OF_MEMORY, AVERROR(ENOMEM), message);
  reader->io = avio_alloc_context(buffer, IO_BUFFER_SIZE, 0, reader, read_bytes, NULL, seek_bytes);
  if (!reader->io) av_free(buffer);
  reader->container = avformat_alloc_context();
  if (!reader->io || !reader->container) return fail(CLIP_OUT_OF_MEMORY, AVERROR(ENOMEM), message);

  reader->container->pb = reader->io;
  reader->container->io_open = refuse_to_open;
  // What does not go through io_open (SDP sessions, concat scripts) asks this list; no protocol has this name.
  AVDictionary *options = NULL;
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  // The file's own name is kept back: the content alone decides the format. On failure the container is freed.
  int result = avformat_open_input(&reader->container, "clip", NULL, &options);
  av_dict_free(&options);
  if (result < 0) return fail(CLIP_NOT_VIDEO, result, message);
  result = avformat_find_stream_info(reader->container, NULL);
  if (result < 0) return fail(CLIP_NOT_VIDEO, result, message);
  return CLIP_OK;
}

static orientation orientation_of(const uint8_t *side_data) {
  // (x', y') = (a x + c y, b x + d y): the nearest of the eight upright ways.
  const int32_t *matrix = (const int32_t *)side_data;
  double a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (fabs(a) + fabs(d) >= fabs(b) + fabs(c)) return (orientation){false, a < 0, d < 0};
  return (orientation){true, c < 0, b < 0};
}

static clip_status open_decoder(clip_reader *reader, char *message) {
  const AVCodec *codec = NULL;
  int index = av_find_best_stream(reader->container, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (index == AVERROR_DECODER_NOT_FOUND) {
    // Only to name the codec: the best stream whether or not there is a decoder.
    int undecodable = av_find_best_stream(reader->container, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    enum AVCodecID id = AV_CODEC_ID_NONE;
    if (undecodable >= 0) id = reader->container->streams[undecodable]->codecpar->codec_id;
    snprintf(message, CLIP_MESSAGE_SIZE, "%s", id == AV_CODEC_ID_NONE ? "unknown" : avcodec_get_name(id));
    return CLIP_NO_DECODER;
  }
  if (index < 0) return fail(CLIP_NO_VIDEO_STREAM, index, message);
  reader->stream = reader->container->streams[index];
  // The cover of a piece of music is no video.
  if (reader->stream->disposition & AV_DISPOSITION_ATTACHED_PIC) return CLIP_NO_VIDEO_STREAM;
  for (unsigned i = 0; i < reader->container->nb_streams; i++)
    if ((int)i != index) reader->container->streams[i]->discard = AVDISCARD_ALL;

  const AVCodecParameters *parameters = reader->stream->codecpar;
  if (parameters->width > reader->max_side || parameters->height > reader->max_side) {
    snprintf(message, CLIP_MESSAGE_SIZE, "%dx%d", parameters->width, parameters->height);
    return CLIP_TOO_LARGE;
  }
  size_t size = 0;
  const uint8_t *matrix = av_stream_get_side_data(reader->stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix && size >= 9 * sizeof(int32_t)) reader->orientation = orientation_of(matrix);

  reader->decoder = avcodec_alloc_context3(codec);
  reader->packet = av_packet_alloc();
  reader->frame = av_frame_alloc();
  if (!reader->decoder || !reader->packet || !reader->frame)
    return fail(CLIP_OUT_OF_MEMORY, AVERROR(ENOMEM), message);
  int result = avcodec_parameters_to_context(reader->decoder, parameters);
  reader->decoder->pkt_timebase = reader->stream->time_base;
  reader->decoder->max_pixels = (int64_t)reader->max_side * reader->max_side;
  // One thread keeps up with 4K at 30 frames a second and leaves the other cores to tracking; more cost memory.
  reader->decoder->thread_count = 1;
  if (result >= 0) result = avcodec_open2(reader->decoder, codec, NULL);
  return result < 0 ? fail(CLIP_NO_DECODER, result, message) : CLIP_OK;
}

clip_status clip_open(int fd, int max_side, clip_reader **result, char message[CLIP_MESSAGE_SIZE]) {
  *result = NULL;
  message[0] = 0;
  av_log_set_level(AV_LOG_QUIET);
  av_max_alloc(MAX_ALLOCATION);
  clip_reader *reader = av_mallocz(sizeof(clip_reader));
  if (!reader) {
    close(fd);
    return fail(CLIP_OUT_OF_MEMORY, AVERROR(ENOMEM), message);
  }
  reader->fd = fd;
  reader->max_side = max_side;
  clip_status status = open_container(reader, message);
  if (status == CLIP_OK) status = open_decoder(reader, message);
  if (status == CLIP_OK)
    *result = reader;
  else
    clip_close(reader);
  return status;
}

void clip_close(clip_reader *reader) {
  sws_freeContext(reader->scaler);
  av_freep(&reader->unturned);
  av_frame_free(&reader->frame);
  av_packet_free(&reader->packet);
  avcodec_free_context(&reader->decoder);
  avformat_close_input(&reader->container);
  if (reader->io) av_freep(&reader->io->buffer);
  avio_context_free(&reader->io);
  close(reader->fd);
  av_free(reader);
}

// Decoding

/// Nanoseconds in `time_base`, or CLIP_NO_TIME when absent or beyond 64 bits.
static int64_t nanoseconds(const clip_reader *reader, int64_t time) {
  if (time == AV_NOPTS_VALUE || reader->stream->time_base.den <= 0) return CLIP_NO_TIME;
  int64_t scaled = av_rescale_q(time, reader->stream->time_base, (AVRational){1, NANOSECONDS});
  return scaled == INT64_MAX ? CLIP_NO_TIME : scaled;
}

/// The picture's width with square pixels. Angles are measured in it: 16:11 pixels would turn 12 degrees into 17.
static int square_width(const clip_reader *reader) {
  int width = reader->frame->width;
  AVRational aspect = av_guess_sample_aspect_ratio(reader->container, reader->stream, reader->frame);
  if (aspect.num <= 0 || aspect.den <= 0) return width;
  double square = round(width * av_q2d(aspect));
  return square >= 1 && square <= reader->max_side ? (int)square : width;
}

static bool is_turned(orientation orientation) {
  return orientation.transposed || orientation.flipped_x || orientation.flipped_y;
}

/// CLIP_BGR24 unless the decoder's planes can be handed on as they are.
static clip_format format_of(const clip_reader *reader) {
  const AVFrame *frame = reader->frame;
  if (is_turned(reader->orientation) || square_width(reader) != frame->width) return CLIP_BGR24;
  switch (frame->colorspace) {
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_BT709: break;
    default: return CLIP_BGR24;
  }
  switch (frame->format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P: return CLIP_I420;
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUVJ422P: return CLIP_I422;
    default: return CLIP_BGR24;
  }
}

static clip_status describe(clip_reader *reader, clip_picture *picture, char *message) {
  const AVFrame *frame = reader->frame;
  if (frame->width > reader->max_side || frame->height > reader->max_side) {
    snprintf(message, CLIP_MESSAGE_SIZE, "%dx%d", frame->width, frame->height);
    return CLIP_TOO_LARGE;
  }
  if (frame->width <= 0 || frame->height <= 0 || !sws_isSupportedInput(frame->format)) {
    const char *name = av_get_pix_fmt_name(frame->format);
    snprintf(message, CLIP_MESSAGE_SIZE, "pixel format %s", name ? name : "unknown");
    return CLIP_NO_DECODER;
  }
  const AVFrameSideData *matrix = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (matrix && matrix->size >= 9 * sizeof(int32_t)) reader->orientation = orientation_of(matrix->data);

  int width = square_width(reader);
  picture->width = reader->orientation.transposed ? frame->height : width;
  picture->height = reader->orientation.transposed ? width : frame->height;
  picture->format = format_of(reader);
  picture->is_bt709 = frame->colorspace == AVCOL_SPC_BT709;
  picture->is_full_range = frame->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P ||
    frame->format == AV_PIX_FMT_YUVJ422P;
  picture->timestamp = nanoseconds(reader, frame->best_effort_timestamp);
  int64_t duration = nanoseconds(reader, frame->pkt_duration);
  picture->duration = duration > 0 ? duration : 0;
  return CLIP_OK;
}

/// Hands the decoder its next packet, or the end.
static void feed(clip_reader *reader) {
  int result = av_read_frame(reader->container, reader->packet);
  if (result < 0) {
    if (result != AVERROR_EOF) {
      reader->skipped++;
      reader->damaged++;
      if (++reader->failures < MAX_FAILURES) return;
    }
    reader->draining = true;
    avcodec_send_packet(reader->decoder, NULL);
    return;
  }
  reader->failures = 0;
  if (reader->packet->stream_index == reader->stream->index) {
    // An empty packet, which stands for a picture like the one before, would tell the decoder that the stream has ended.
    bool empty = reader->packet->size == 0;
    bool refused = !empty && avcodec_send_packet(reader->decoder, reader->packet) < 0;
    if (empty || refused) reader->skipped++;
    if (refused || reader->packet->flags & AV_PKT_FLAG_CORRUPT) reader->damaged++;
  }
  av_packet_unref(reader->packet);
}

clip_status clip_next(clip_reader *reader, clip_picture *picture, char message[CLIP_MESSAGE_SIZE]) {
  message[0] = 0;
  while (!atomic_load(&reader->cancelled)) {
    int result = avcodec_receive_frame(reader->decoder, reader->frame);
    if (result == 0) {
      reader->failures = 0;
      if (reader->frame->decode_error_flags || reader->frame->flags & AV_FRAME_FLAG_CORRUPT) reader->damaged++;
      return describe(reader, picture, message);
    }
    if (result == AVERROR_EOF) return CLIP_END;
    if (result == AVERROR(EAGAIN)) {
      if (reader->draining) return CLIP_END;
      feed(reader);
      continue;
    }
    reader->skipped++;
    reader->damaged++;
    if (++reader->failures >= MAX_FAILURES) return CLIP_END;
  }
  return CLIP_CANCELLED;
}

// Converting

static clip_status prepare_scaler(clip_reader *reader, int target_width) {
  const AVFrame *frame = reader->frame;
  conversion wanted = {frame->width, frame->height, frame->format, target_width, frame->colorspace, frame->color_range};
  if (reader->scaler && memcmp(&wanted, &reader->conversion, sizeof wanted) == 0) return CLIP_OK;
  sws_freeContext(reader->scaler);
  reader->conversion = wanted;
  reader->scaler = sws_getContext(
    wanted.width, wanted.height, wanted.format, target_width, wanted.height, AV_PIX_FMT_BGR24, SWS_BILINEAR, NULL, NULL,
    NULL);
  if (!reader->scaler) return CLIP_OUT_OF_MEMORY;
  sws_setColorspaceDetails(
    reader->scaler, sws_getCoefficients(wanted.colorspace), wanted.range == AVCOL_RANGE_JPEG,
    sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  return CLIP_OK;
}

/// Copies BGR24 pixels of `width` x `height` into the upright picture.
static void turn(
  orientation orientation, const uint8_t *source, size_t source_stride, int width, int height, uint8_t *target,
  size_t target_stride) {
  // How far apart the source's neighbours in x and in y land.
  ptrdiff_t step_x = orientation.transposed ? (ptrdiff_t)target_stride : 3;
  ptrdiff_t step_y = orientation.transposed ? 3 : (ptrdiff_t)target_stride;
  if (orientation.transposed ? orientation.flipped_y : orientation.flipped_x) {
    target += step_x * (width - 1);
    step_x = -step_x;
  }
  if (orientation.transposed ? orientation.flipped_x : orientation.flipped_y) {
    target += step_y * (height - 1);
    step_y = -step_y;
  }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) memcpy(target + y * step_y + x * step_x, source + y * source_stride + x * 3, 3);
}

static clip_status write_bgr24(clip_reader *reader, uint8_t *pixels, size_t bytes_per_row) {
  AVFrame *frame = reader->frame;
  int width = square_width(reader), height = frame->height;
  clip_status status = prepare_scaler(reader, width);
  if (status != CLIP_OK) return status;

  orientation orientation = reader->orientation;
  bool turned = is_turned(orientation);
  size_t stride = turned ? FFALIGN((size_t)width, 32) * 3 : bytes_per_row;
  if (turned) {
    av_fast_malloc(&reader->unturned, &reader->unturned_size, stride * height);
    if (!reader->unturned) return CLIP_OUT_OF_MEMORY;
  }
  uint8_t *target = turned ? reader->unturned : pixels;
  int rows = sws_scale(
    reader->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, height,
    (uint8_t *[]){target, NULL, NULL, NULL}, (int[]){(int)stride, 0, 0, 0});
  if (rows != height) return CLIP_OUT_OF_MEMORY;
  if (turned) turn(orientation, target, stride, width, height, pixels, bytes_per_row);
  return CLIP_OK;
}

static void write_planes(const AVFrame *frame, bool halves_rows, uint8_t *pixels, size_t bytes_per_row) {
  size_t chroma_rows = halves_rows ? (frame->height + 1) / 2 : frame->height;
  uint8_t *blue = pixels + bytes_per_row * frame->height;
  uint8_t *planes[4] = {pixels, blue, blue + bytes_per_row / 2 * chroma_rows};
  int strides[4] = {(int)bytes_per_row, (int)bytes_per_row / 2, (int)bytes_per_row / 2};
  av_image_copy(
    planes, strides, (const uint8_t **)frame->data, frame->linesize, frame->format, frame->width, frame->height);
}

clip_status clip_write(clip_reader *reader, uint8_t *pixels, size_t bytes_per_row) {
  clip_format format = format_of(reader);
  if (format == CLIP_BGR24) return write_bgr24(reader, pixels, bytes_per_row);
  write_planes(reader->frame, format == CLIP_I420, pixels, bytes_per_row);
  return CLIP_OK;
}

// Asking

double clip_frame_rate(const clip_reader *reader) {
  AVRational rate = reader->stream->avg_frame_rate;
  if (rate.num <= 0 || rate.den <= 0) rate = reader->stream->r_frame_rate;
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

int64_t clip_duration(const clip_reader *reader) {
  int64_t duration = nanoseconds(reader, reader->stream->duration);
  if (duration > 0) return duration;
  duration = reader->container->duration;
  return duration > 0 && duration <= INT64_MAX / 1000 ? duration * (NANOSECONDS / AV_TIME_BASE) : 0;
}

int64_t clip_promised(const clip_reader *reader) {
  if (reader->container->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return 0;
  // The container's may be that of its sound.
  return reader->stream->duration > 0 || reader->container->nb_streams == 1 ? clip_duration(reader) : 0;
}

int64_t clip_damaged(const clip_reader *reader) { return reader->damaged; }

int64_t clip_skipped(const clip_reader *reader) { return reader->skipped; }

void clip_cancel(clip_reader *reader) { atomic_store(&reader->cancelled, true); }
