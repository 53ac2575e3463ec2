// Fragmented MP4 with one H.264 track and one timed-text track, through libavformat.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One open file. Belongs to one thread at a time.
typedef struct mp4_writer mp4_writer;

/// Begins the file behind `fd`, an empty regular file, which is the writer's from here on, also on failure. `avcc` is the
/// track's AVCDecoderConfigurationRecord. Returns 0, or an errno; then `*writer` is NULL.
int mp4_open(int fd, int width, int height, const uint8_t *avcc, size_t avcc_size, mp4_writer **writer);

/// Adds a picture: NAL units after their length in four bytes. Times are nanoseconds from 0 on and rise. Each key frame
/// begins a fragment, and the one before it is handed to the system. Returns 0, or an errno.
int mp4_add_picture(
  mp4_writer *writer, const uint8_t *bytes, size_t size, int64_t time, int64_t duration, bool is_key_frame);

/// Adds UTF-8 text, at most 65535 bytes, that is shown from `time` on for `duration`. Returns 0, or an errno.
int mp4_add_text(mp4_writer *writer, const uint8_t *text, size_t size, int64_t time, int64_t duration);

/// Bytes in the file so far.
int64_t mp4_size(const mp4_writer *writer);

/// Writes the last fragment and the index, and brings the file to the disk. Returns 0, or an errno.
int mp4_finish(mp4_writer *writer);

/// Closes the file. Whatever failed, it ends with its last whole fragment.
void mp4_close(mp4_writer *writer);
