// Writes fragments; see the header.
#include "MP4Writer.h"

#include <errno.h>
#include <libavformat/avformat.h>
#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

enum {
  IO_BUFFER_SIZE = 64 * 1024,
  /// Ticks a second, the clock of MPEG: the usual frame rates are whole numbers of them.
  TIMESCALE = 90000,
  NANOSECONDS = 1000 * 1000 * 1000,
  TRACKS = 2,
};

struct mp4_writer {
  int fd;
  AVIOContext *io;
  AVFormatContext *container;
  AVStream *tracks[TRACKS];
  /// Ticks of each track's latest sample.
  int64_t latest[TRACKS];
  AVPacket *packet;
  /// Bytes written, and how many of them end with a whole fragment.
  int64_t size, whole;
  /// The errno of what kept bytes from being written; 0 while nothing has.
  int failure;
  bool is_begun;
};

enum { VIDEO, TEXT };

static int write_bytes(void *opaque, uint8_t *bytes, int size) {
  mp4_writer *writer = opaque;
  // What follows a gap would be of no use to anybody.
  if (writer->failure) return AVERROR(writer->failure);
  for (int done = 0; done < size;) {
    ssize_t count = write(writer->fd, bytes + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      writer->failure = errno;
      return AVERROR(errno);
    }
    done += (int)count;
    writer->size += count;
  }
  return size;
}

/// An errno for a result of the libraries; what has been written so far is whole when there is none.
static int outcome(mp4_writer *writer, int result) {
  avio_flush(writer->io);
  if (writer->failure) return writer->failure;
  if (result >= 0) {
    writer->whole = writer->size;
    return 0;
  }
  int code = AVUNERROR(result);
  // The libraries have errors of their own, beside errno's.
  return writer->failure = code > 0 && code < 4096 ? code : EINVAL;
}

static bool copy_extradata(AVCodecParameters *parameters, const uint8_t *bytes, size_t size) {
  parameters->extradata = av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!parameters->extradata) return false;
  memcpy(parameters->extradata, bytes, size);
  parameters->extradata_size = (int)size;
  return true;
}

/// 3GPP TS 26.245, 5.16: what follows the generic part of a sample entry `tx3g`: white on nothing, at the bottom.
static const uint8_t text_entry[] = {
  0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0,                               // flags, justification, background
  0, 0, 0, 0, 0, 0, 0, 0,                                        // box: all of the track
  0, 0, 0, 0, 0, 1, 0, 16, 0xFF, 0xFF, 0xFF, 0xFF,               // style: font 1, 16 points, white
  0, 0, 0, 18, 'f', 't', 'a', 'b', 0, 1, 0, 1, 5, 'S', 'e', 'r', 'i', 'f',
};

static int add_tracks(mp4_writer *writer, int width, int height, const uint8_t *avcc, size_t avcc_size) {
  for (int i = 0; i < TRACKS; i++) {
    AVStream *track = writer->tracks[i] = avformat_new_stream(writer->container, NULL);
    if (!track) return AVERROR(ENOMEM);
    track->time_base = (AVRational){1, TIMESCALE};
    writer->latest[i] = -1;
  }
  AVCodecParameters *video = writer->tracks[VIDEO]->codecpar;
  video->codec_type = AVMEDIA_TYPE_VIDEO;
  video->codec_id = AV_CODEC_ID_H264;
  video->width = width;
  video->height = height;
  AVCodecParameters *text = writer->tracks[TEXT]->codecpar;
  text->codec_type = AVMEDIA_TYPE_SUBTITLE;
  text->codec_id = AV_CODEC_ID_MOV_TEXT;
  bool copied = copy_extradata(video, avcc, avcc_size) && copy_extradata(text, text_entry, sizeof text_entry);
  return copied ? 0 : AVERROR(ENOMEM);
}

static int begin(mp4_writer *writer, int width, int height, const uint8_t *avcc, size_t avcc_size) {
  uint8_t *buffer = av_malloc(IO_BUFFER_SIZE);
  if (!buffer) return AVERROR(ENOMEM);
  writer->io = avio_alloc_context(buffer, IO_BUFFER_SIZE, 1, writer, NULL, write_bytes, NULL);
  if (!writer->io) av_free(buffer);
  writer->packet = av_packet_alloc();
  if (!writer->io || !writer->packet) return AVERROR(ENOMEM);
  int result = avformat_alloc_output_context2(&writer->container, NULL, "mp4", NULL);
  if (result < 0) return result;
  writer->container->pb = writer->io;
  result = add_tracks(writer, width, height, avcc, avcc_size);
  if (result < 0) return result;

  AVDictionary *options = NULL;
  av_dict_set(&options, "movflags", "empty_moov+default_base_moof+frag_keyframe", 0);
  av_dict_set_int(&options, "video_track_timescale", TIMESCALE, 0);
  result = avformat_write_header(writer->container, &options);
  av_dict_free(&options);
  writer->is_begun = result >= 0;
  return result;
}

int mp4_open(int fd, int width, int height, const uint8_t *avcc, size_t avcc_size, mp4_writer **result) {
  *result = NULL;
  av_log_set_level(AV_LOG_QUIET);
  mp4_writer *writer = av_mallocz(sizeof(mp4_writer));
  if (!writer) {
    close(fd);
    return ENOMEM;
  }
  writer->fd = fd;
  int begun = begin(writer, width, height, avcc, avcc_size);
  int error = writer->io ? outcome(writer, begun) : ENOMEM;
  if (error)
    mp4_close(writer);
  else
    *result = writer;
  return error;
}

/// Ticks of a track's next sample; samples closer than a tick are moved apart.
static int64_t next_ticks(mp4_writer *writer, int track, int64_t time) {
  int64_t ticks = av_rescale(time, TIMESCALE, NANOSECONDS);
  if (ticks <= writer->latest[track]) ticks = writer->latest[track] + 1;
  return writer->latest[track] = ticks;
}

/// Sends the packet's bytes on, of which the muxer takes a copy.
static int add(mp4_writer *writer, int track, int64_t time, int64_t duration, int flags) {
  AVPacket *packet = writer->packet;
  packet->stream_index = track;
  packet->pts = packet->dts = next_ticks(writer, track, time);
  packet->duration = av_rescale(duration, TIMESCALE, NANOSECONDS);
  packet->flags = flags;
  av_packet_rescale_ts(packet, (AVRational){1, TIMESCALE}, writer->tracks[track]->time_base);
  int result = av_write_frame(writer->container, packet);
  av_packet_unref(packet);
  return outcome(writer, result);
}

int mp4_add_picture(
  mp4_writer *writer, const uint8_t *bytes, size_t size, int64_t time, int64_t duration, bool is_key_frame) {
  if (writer->failure) return writer->failure;
  if (size > INT_MAX || av_new_packet(writer->packet, (int)size) < 0) return writer->failure = ENOMEM;
  memcpy(writer->packet->data, bytes, size);
  return add(writer, VIDEO, time, duration, is_key_frame ? AV_PKT_FLAG_KEY : 0);
}

int mp4_add_text(mp4_writer *writer, const uint8_t *text, size_t size, int64_t time, int64_t duration) {
  if (writer->failure) return writer->failure;
  if (size > UINT16_MAX || av_new_packet(writer->packet, (int)size + 2) < 0) return writer->failure = ENOMEM;
  // A text sample begins with its length (3GPP TS 26.245, 5.17).
  AV_WB16(writer->packet->data, size);
  memcpy(writer->packet->data + 2, text, size);
  return add(writer, TEXT, time, duration, AV_PKT_FLAG_KEY);
}

int64_t mp4_size(const mp4_writer *writer) { return writer->size; }

int mp4_finish(mp4_writer *writer) {
  if (writer->failure) return writer->failure;
  int result = av_write_trailer(writer->container);
  writer->is_begun = false;
  int error = outcome(writer, result);
  if (!error && fsync(writer->fd) < 0) error = writer->failure = errno;
  return error;
}

void mp4_close(mp4_writer *writer) {
  // Frees what the muxer still holds; the bytes go nowhere once something has failed.
  if (writer->is_begun) {
    if (!writer->failure) writer->failure = ECANCELED;
    av_write_trailer(writer->container);
  }
  if (writer->size > writer->whole && ftruncate(writer->fd, writer->whole) == 0) fsync(writer->fd);
  avformat_free_context(writer->container);
  av_packet_free(&writer->packet);
  if (writer->io) av_freep(&writer->io->buffer);
  avio_context_free(&writer->io);
  close(writer->fd);
  av_free(writer);
}
