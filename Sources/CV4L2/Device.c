// Queries, modes, controls and mapped buffers; see the header.
#include "CV4L2.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum {
  /// One being filled, one filled, one being read, one to spare.
  BUFFER_COUNT = 4,
  MAX_BUFFER_COUNT = VIDEO_MAX_FRAME,
};

const uint32_t CAMERA_EXPOSURE_AUTO_PRIORITY = V4L2_CID_EXPOSURE_AUTO_PRIORITY;

static int request(int fd, unsigned long code, void *argument) {
  int result;
  do result = ioctl(fd, code, argument);
  while (result < 0 && errno == EINTR);
  return result < 0 ? errno : 0;
}

static void copy_text(char *to, size_t size, const void *from) {
  memcpy(to, from, size);
  to[size - 1] = 0;
}

int camera_identify(int fd, camera_identity *identity) {
  struct v4l2_capability capability = {0};
  int error = request(fd, VIDIOC_QUERYCAP, &capability);
  if (error) return error;
  copy_text(identity->driver, sizeof identity->driver, capability.driver);
  copy_text(identity->card, sizeof identity->card, capability.card);
  copy_text(identity->bus, sizeof identity->bus, capability.bus_info);
  bool has_own = capability.capabilities & V4L2_CAP_DEVICE_CAPS;
  identity->capabilities = has_own ? capability.device_caps : capability.capabilities;
  return 0;
}

bool camera_captures(uint32_t capabilities) {
  return capabilities & V4L2_CAP_VIDEO_CAPTURE && capabilities & V4L2_CAP_STREAMING;
}

int camera_format_at(int fd, uint32_t index, uint32_t *format) {
  struct v4l2_fmtdesc description = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  int error = request(fd, VIDIOC_ENUM_FMT, &description);
  *format = description.pixelformat;
  return error;
}

int camera_sizes_at(int fd, uint32_t format, uint32_t index, camera_sizes *sizes) {
  struct v4l2_frmsizeenum offer = {.index = index, .pixel_format = format};
  int error = request(fd, VIDIOC_ENUM_FRAMESIZES, &offer);
  if (error) return error;
  if (offer.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
    uint32_t width = offer.discrete.width, height = offer.discrete.height;
    *sizes = (camera_sizes){width, width, 1, height, height, 1};
  } else {
    // A range is the only entry of its list.
    if (index > 0) return EINVAL;
    *sizes = (camera_sizes){offer.stepwise.min_width,  offer.stepwise.max_width,  offer.stepwise.step_width,
                            offer.stepwise.min_height, offer.stepwise.max_height, offer.stepwise.step_height};
  }
  return 0;
}

int camera_interval_at(
    int fd, uint32_t format, uint32_t width, uint32_t height, uint32_t index, camera_interval *interval) {
  struct v4l2_frmivalenum offer = {.index = index, .pixel_format = format, .width = width, .height = height};
  int error = request(fd, VIDIOC_ENUM_FRAMEINTERVALS, &offer);
  if (error) return error;
  bool is_discrete = offer.type == V4L2_FRMIVAL_TYPE_DISCRETE;
  if (!is_discrete && index > 0) return EINVAL;
  struct v4l2_fract shortest = is_discrete ? offer.discrete : offer.stepwise.min;
  *interval = (camera_interval){shortest.numerator, shortest.denominator};
  return 0;
}

static int set_format(int fd, camera_mode *mode) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  format.fmt.pix.pixelformat = mode->format;
  format.fmt.pix.width = mode->width;
  format.fmt.pix.height = mode->height;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  int error = request(fd, VIDIOC_S_FMT, &format);
  if (!error) error = request(fd, VIDIOC_G_FMT, &format);
  if (error) return error;
  mode->format = format.fmt.pix.pixelformat;
  mode->width = format.fmt.pix.width;
  mode->height = format.fmt.pix.height;
  mode->bytes_per_line = format.fmt.pix.bytesperline;
  mode->image_size = format.fmt.pix.sizeimage;
  return 0;
}

static bool is_unsupported(int error) { return error == ENOTTY || error == EINVAL; }

/// A driver without frame intervals keeps its own: no failure.
static int set_interval(int fd, camera_mode *mode) {
  struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  struct v4l2_captureparm *capture = &parameters.parm.capture;
  capture->timeperframe = (struct v4l2_fract){mode->interval.numerator, mode->interval.denominator};
  int error = request(fd, VIDIOC_S_PARM, &parameters);
  if (error && !is_unsupported(error)) return error;
  memset(capture, 0, sizeof *capture);
  error = request(fd, VIDIOC_G_PARM, &parameters);
  if (error) memset(capture, 0, sizeof *capture);
  mode->interval = (camera_interval){capture->timeperframe.numerator, capture->timeperframe.denominator};
  return is_unsupported(error) ? 0 : error;
}

int camera_set_mode(int fd, camera_mode *mode) {
  int error = set_format(fd, mode);
  return error ? error : set_interval(fd, mode);
}

int camera_get_control(int fd, uint32_t control, int32_t *value) {
  struct v4l2_control state = {.id = control};
  int error = request(fd, VIDIOC_G_CTRL, &state);
  *value = state.value;
  return error;
}

int camera_set_control(int fd, uint32_t control, int32_t value) {
  struct v4l2_control state = {.id = control, .value = value};
  return request(fd, VIDIOC_S_CTRL, &state);
}

struct camera_stream {
  int fd;
  uint32_t count;
  struct {
    void *bytes;
    size_t size;
  } buffers[MAX_BUFFER_COUNT];
};

static struct v4l2_buffer mapped_buffer(uint32_t index) {
  return (struct v4l2_buffer){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
}

static int map(camera_stream *stream) {
  struct v4l2_requestbuffers wanted = {
      .count = BUFFER_COUNT, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  int error = request(stream->fd, VIDIOC_REQBUFS, &wanted);
  if (error) return error;
  if (wanted.count == 0) return ENOMEM;
  uint32_t count = wanted.count < MAX_BUFFER_COUNT ? wanted.count : MAX_BUFFER_COUNT;
  for (uint32_t index = 0; index < count; index++) {
    struct v4l2_buffer buffer = mapped_buffer(index);
    error = request(stream->fd, VIDIOC_QUERYBUF, &buffer);
    if (error) return error;
    void *bytes = mmap(NULL, buffer.length, PROT_READ, MAP_SHARED, stream->fd, buffer.m.offset);
    if (bytes == MAP_FAILED) return errno;
    stream->buffers[index].bytes = bytes;
    stream->buffers[index].size = buffer.length;
    stream->count = index + 1;
  }
  return 0;
}

static int switch_on(camera_stream *stream) {
  for (uint32_t index = 0; index < stream->count; index++) {
    int error = camera_requeue(stream, index);
    if (error) return error;
  }
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return request(stream->fd, VIDIOC_STREAMON, &type);
}

static int switch_off(camera_stream *stream) {
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return request(stream->fd, VIDIOC_STREAMOFF, &type);
}

int camera_start(int fd, camera_stream **started) {
  *started = NULL;
  camera_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return ENOMEM;
  stream->fd = fd;
  int error = map(stream);
  if (!error) error = switch_on(stream);
  if (error)
    camera_stop(stream);
  else
    *started = stream;
  return error;
}

int camera_restart(camera_stream *stream) {
  int error = switch_off(stream);
  return error ? error : switch_on(stream);
}

int camera_dequeue(camera_stream *stream, camera_buffer *filled) {
  struct v4l2_buffer buffer = mapped_buffer(0);
  int error = request(stream->fd, VIDIOC_DQBUF, &buffer);
  if (error) return error;
  if (buffer.index >= stream->count) return EINVAL;
  size_t size = stream->buffers[buffer.index].size;
  *filled = (camera_buffer){
      .index = buffer.index,
      .bytes = stream->buffers[buffer.index].bytes,
      .count = buffer.bytesused < size ? buffer.bytesused : size,
      .sequence = buffer.sequence,
      .timestamp = (int64_t)buffer.timestamp.tv_sec * 1000000000 + (int64_t)buffer.timestamp.tv_usec * 1000,
      .is_monotonic = (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
      .is_damaged = buffer.flags & V4L2_BUF_FLAG_ERROR,
  };
  return 0;
}

int camera_requeue(camera_stream *stream, uint32_t index) {
  struct v4l2_buffer buffer = mapped_buffer(index);
  return request(stream->fd, VIDIOC_QBUF, &buffer);
}

void camera_stop(camera_stream *stream) {
  switch_off(stream);
  for (uint32_t index = 0; index < stream->count; index++)
    munmap(stream->buffers[index].bytes, stream->buffers[index].size);
  // Lets go of the device, so that another program can set its mode.
  struct v4l2_requestbuffers none = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  request(stream->fd, VIDIOC_REQBUFS, &none);
  free(stream);
}
