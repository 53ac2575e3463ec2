// A USB webcam as a process, for the kernel's own uvcvideo driver, with failures on demand.
//
//   usb-camera [-n NAME] [-s SERIAL] [-p PORT] WIDTH HEIGHT RATE FRAMES.mjpeg|FRAMES.yuyv…
//
// vhci_hcd is a USB host controller whose devices sit behind a socket; this process is the device behind one end of a
// socketpair. It has a camera terminal with exposure priority, and one bulk endpoint that streams each format given, at
// RATE and half of it. FRAMES.mjpeg holds JPEGs one after the other, FRAMES.yuyv raw pictures.
//
//   SIGTERM  the camera is unplugged
//   SIGUSR1  it stops sending frames, or goes on
//   SIGUSR2  the next frame is cut in half, without any error
//   SIGHUP   the next frame has the error bit set
//
// After the USB Device Class Definition for Video Devices 1.1 and the kernel's Documentation/usb/usbip_protocol.rst.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  // What uvcvideo asks for at once on a bulk endpoint: 32 packets of 512 bytes.
  PAYLOAD = 16384,
  MAX_REQUESTS = 64,
  STALL = -32,
  UNLINKED = -104,
  PROBE_SIZE = 26,
};

enum { CONTROL_INTERFACE, STREAMING_INTERFACE };
enum { MJPEG, YUYV, FORMATS };

typedef struct {
  size_t start, size;
} frame;

typedef struct {
  uint8_t *bytes;
  frame *frames;
  size_t count;
  // The descriptor's number from 1; 0 when the camera has no such format.
  int number;
} film;

static const char *name = "Test camera", *serial = "0001";
static int width, height, rate;
static film films[FORMATS];
static int wire;

static volatile sig_atomic_t is_frozen, cut_next, damage_next;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// MARK: Films

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*size);
  if (!bytes || fread(bytes, 1, *size, file) != *size) fail(path);
  fclose(file);
  return bytes;
}

static void split_jpegs(film *film, size_t size) {
  film->frames = calloc(size / 64 + 1, sizeof *film->frames);
  for (size_t at = 0, start = 0; at + 1 < size; at++) {
    if (film->bytes[at] != 0xff) continue;
    if (film->bytes[at + 1] == 0xd8) start = at;
    if (film->bytes[at + 1] == 0xd9) film->frames[film->count++] = (frame){start, at + 2 - start};
  }
}

static void split_pictures(film *film, size_t size) {
  size_t one = (size_t)width * height * 2;
  film->count = size / one;
  film->frames = calloc(film->count + 1, sizeof *film->frames);
  for (size_t index = 0; index < film->count; index++) film->frames[index] = (frame){index * one, one};
}

static void load(const char *path, int number) {
  const char *ending = strrchr(path, '.');
  film *film = &films[ending && strcmp(ending, ".yuyv") == 0 ? YUYV : MJPEG];
  size_t size;
  film->bytes = read_file(path, &size);
  film->number = number;
  if (film == &films[YUYV]) split_pictures(film, size);
  else split_jpegs(film, size);
  if (film->count == 0) {
    fprintf(stderr, "usb-camera: no frames in %s\n", path);
    exit(1);
  }
}

// MARK: Descriptors

static uint8_t configuration[512];
static int configuration_size;

static void put(int count, ...) {
  va_list bytes;
  va_start(bytes, count);
  while (count-- > 0) configuration[configuration_size++] = (uint8_t)va_arg(bytes, int);
  va_end(bytes);
}

static void put_16(uint32_t value) { put(2, value & 0xff, value >> 8 & 0xff); }

static void put_32(uint32_t value) {
  put_16(value);
  put_16(value >> 16);
}

// The interval at RATE, or at half of it, in units of 100 ns.
static uint32_t interval(bool is_half) { return 10000000 / (is_half && rate > 1 ? rate / 2 : rate); }

static void put_frame(int subtype) {
  uint32_t size = (uint32_t)width * height * 2;
  put(5, 34, 0x24, subtype, 1, 0);
  put_16(width);
  put_16(height);
  put_32(size * 8);
  put_32(size * 8 * rate);
  put_32(size);
  put_32(interval(false));
  put(1, 2);
  put_32(interval(false));
  put_32(interval(true));
  put(6, 6, 0x24, 13, 1, 1, 4);  // Colours: BT.709 primaries, BT.601 matrix.
}

static void put_control_interface(void) {
  put(9, 9, 4, CONTROL_INTERFACE, 0, 0, 0x0e, 1, 0, 0);
  put(13, 13, 0x24, 1, 0x00, 0x01, 13 + 18 + 9, 0, 0x00, 0x6c, 0xdc, 0x02, 1, 1);
  put(18, 18, 0x24, 2, 1, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0x06, 0, 0);  // Camera: exposure mode and priority.
  put(9, 9, 0x24, 3, 2, 0x01, 0x01, 0, 1, 0);                                  // To USB.
}

static void put_streaming_interface(void) {
  int formats = !!films[MJPEG].number + !!films[YUYV].number;
  put(9, 9, 4, STREAMING_INTERFACE, 0, 1, 0x0e, 2, 0, 0);
  int header = configuration_size;
  put(13, 13 + formats, 0x24, 1, formats, 0, 0, 0x81, 0, 2, 0, 0, 0, 1);
  for (int format = 0; format < formats; format++) put(1, 0);
  for (int number = 1; number <= formats; number++) {
    if (films[MJPEG].number == number) {
      put(11, 11, 0x24, 6, number, 1, 1, 1, 0, 0, 0, 0);
      put_frame(7);
    } else {
      put(5, 27, 0x24, 4, number, 1);
      put(16, 'Y', 'U', 'Y', '2', 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71);
      put(6, 16, 1, 0, 0, 0, 0);
      put_frame(5);
    }
  }
  int size = configuration_size - header;
  configuration[header + 4] = size & 0xff;
  configuration[header + 5] = size >> 8;
  put(7, 7, 5, 0x81, 2, 0x00, 0x02, 0);
}

static void describe(void) {
  put(9, 9, 2, 0, 0, 2, 1, 0, 0x80, 50);
  put(8, 8, 11, 0, 2, 0x0e, 3, 0, 0);
  put_control_interface();
  put_streaming_interface();
  configuration[2] = configuration_size & 0xff;
  configuration[3] = configuration_size >> 8;
}

// MARK: The wire: headers of 48 bytes, big-endian

static void read_all(void *to, size_t count) {
  for (uint8_t *at = to; count > 0;) {
    ssize_t part = read(wire, at, count);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) exit(0);
    at += part;
    count -= part;
  }
}

static void write_all(const void *from, size_t count) {
  for (const uint8_t *at = from; count > 0;) {
    ssize_t part = write(wire, at, count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) fail("usb-camera");
    at += part;
    count -= part;
  }
}

enum { SUBMIT = 1, UNLINK, SUBMITTED, UNLINKED_REPLY };

static void answer(uint32_t command, uint32_t sequence, int status, const void *data, uint32_t count) {
  uint32_t header[12] = {htonl(command), htonl(sequence), 0, 0, 0, htonl(status), htonl(count)};
  write_all(header, sizeof header);
  if (data) write_all(data, count);
}

// MARK: Control requests; each gives the answer's size, or STALL

static int give(uint8_t *to, const void *from, int count) {
  memcpy(to, from, count);
  return count;
}

static int string_descriptor(int index, uint8_t *to) {
  const char *texts[] = {"", "faceplay", name, serial};
  if (index == 0) return give(to, "\4\3\11\4", 4);
  if (index > 3) return STALL;
  int size = 2;
  for (const char *at = texts[index]; *at; at++) {
    to[size++] = *at;
    to[size++] = 0;
  }
  to[0] = size;
  to[1] = 3;
  return size;
}

static int standard_request(const uint8_t setup[8], uint8_t *to) {
  // Vendor and product: the Linux Foundation's webcam gadget.
  static const uint8_t device[18] = {18, 1, 0, 2, 0xef, 2, 1, 64, 0x6b, 0x1d, 0x02, 0x01, 0, 1, 1, 2, 3, 1};
  static const uint8_t qualifier[10] = {10, 6, 0, 2, 0xef, 2, 1, 64, 1, 0};
  enum { GET_STATUS = 0, GET_DESCRIPTOR = 6, GET_CONFIGURATION = 8, GET_INTERFACE = 10 };
  switch (setup[1]) {
    case GET_STATUS: return give(to, "\0", 2);
    case GET_CONFIGURATION: return give(to, "\1", 1);
    case GET_INTERFACE: return give(to, "\0", 1);
    case GET_DESCRIPTOR: break;
    default: return 0;
  }
  switch (setup[3]) {
    case 1: return give(to, device, sizeof device);
    case 2: return give(to, configuration, configuration_size);
    case 3: return string_descriptor(setup[2], to);
    case 6: return give(to, qualifier, sizeof qualifier);
    default: return STALL;
  }
}

enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };

static uint8_t probed[PROBE_SIZE], committed[PROBE_SIZE];

static void fill_probe(uint8_t probe[PROBE_SIZE], int format, uint32_t interval) {
  uint32_t frame_size = (uint32_t)width * height * 2, payload = PAYLOAD;
  memset(probe, 0, PROBE_SIZE);
  probe[0] = 1;
  probe[2] = format;
  probe[3] = 1;
  memcpy(probe + 4, &interval, 4);
  memcpy(probe + 18, &frame_size, 4);
  memcpy(probe + 22, &payload, 4);
}

static void probe(const uint8_t wanted[PROBE_SIZE]) {
  uint32_t asked, full = interval(false), half = interval(true);
  memcpy(&asked, wanted + 4, 4);
  bool is_offered = wanted[2] > 0 && (wanted[2] == films[MJPEG].number || wanted[2] == films[YUYV].number);
  fill_probe(probed, is_offered ? wanted[2] : 1, asked > (full + half) / 2 ? half : full);
}

static int streaming_request(int request, int selector, uint8_t *data) {
  enum { PROBE = 1, COMMIT = 2 };
  if (selector != PROBE && selector != COMMIT) return STALL;
  switch (request) {
    case GET_LEN: return give(data, "\32", 2);
    case GET_INFO: return give(data, "\3", 1);
    case GET_CUR: return give(data, selector == PROBE ? probed : committed, PROBE_SIZE);
    case GET_MIN:
    case GET_MAX:
    case GET_DEF: fill_probe(data, probed[2], interval(request == GET_MAX)); return PROBE_SIZE;
    case SET_CUR:
      probe(data);
      if (selector == COMMIT) memcpy(committed, probed, PROBE_SIZE);
      return 0;
    default: return STALL;
  }
}

// Exposure: always in aperture priority mode; whether it may slow the frames down is kept.
static int camera_request(int request, int selector, uint8_t *data) {
  enum { EXPOSURE_MODE = 2, EXPOSURE_PRIORITY = 3 };
  static uint8_t priority = 1;
  if (selector != EXPOSURE_MODE && selector != EXPOSURE_PRIORITY) return STALL;
  bool is_mode = selector == EXPOSURE_MODE;
  switch (request) {
    case GET_LEN: return give(data, "\1", 2);
    case GET_INFO: return give(data, "\3", 1);
    case GET_MIN: return give(data, "\0", 1);
    case GET_MAX: return give(data, "\1", 1);
    case GET_RES: return give(data, is_mode ? "\10" : "\1", 1);
    case GET_DEF: return give(data, is_mode ? "\10" : "\1", 1);
    case GET_CUR: return give(data, is_mode ? (const void *)"\10" : &priority, 1);
    case SET_CUR:
      if (!is_mode) priority = data[0];
      return 0;
    default: return STALL;
  }
}

static bool must_start_afresh;

static int control_request(const uint8_t setup[8], uint8_t *data) {
  int kind = setup[0] & 0x60, request = setup[1], selector = setup[3], interface = setup[4], unit = setup[5];
  // The driver clears the endpoint's halt when it stops the stream.
  if (setup[0] == 2 && request == 1) must_start_afresh = true;
  if (kind == 0) return standard_request(setup, data);
  if (kind == 0x20 && interface == STREAMING_INTERFACE) return streaming_request(request, selector, data);
  if (kind == 0x20 && interface == CONTROL_INTERFACE && unit == 1) return camera_request(request, selector, data);
  return STALL;
}

// MARK: Transfers

static struct {
  uint32_t sequence, size;
} waiting[MAX_REQUESTS];
static int waiting_count;

static void forget(int index) {
  memmove(waiting + index, waiting + index + 1, (--waiting_count - index) * sizeof *waiting);
}

static void unlink_request(uint32_t sequence, uint32_t victim) {
  int status = 0;
  for (int index = 0; index < waiting_count && status == 0; index++) {
    if (waiting[index].sequence != victim) continue;
    forget(index);
    status = UNLINKED;
  }
  answer(UNLINKED_REPLY, sequence, status, NULL, 0);
}

static void receive(void) {
  static uint8_t data[65536];
  uint32_t header[12];
  read_all(header, sizeof header);
  uint32_t command = ntohl(header[0]), sequence = ntohl(header[1]), endpoint = ntohl(header[4]);
  uint32_t size = ntohl(header[6]);
  bool is_in = ntohl(header[3]) == 1;
  if (command == UNLINK) return unlink_request(sequence, ntohl(header[5]));
  if (size > sizeof data) exit(1);
  if (!is_in) read_all(data, size);
  if (endpoint == 1 && is_in && waiting_count < MAX_REQUESTS) {
    waiting[waiting_count].sequence = sequence;
    waiting[waiting_count++].size = size;
    return;
  }
  int count = endpoint == 0 ? control_request((const uint8_t *)(header + 10), data) : STALL;
  if (count < 0) answer(SUBMITTED, sequence, count, NULL, 0);
  else if (!is_in) answer(SUBMITTED, sequence, 0, NULL, size);
  else answer(SUBMITTED, sequence, 0, data, (uint32_t)count < size ? (uint32_t)count : size);
}

// MARK: Streaming

static struct {
  const uint8_t *bytes;
  size_t size, sent;
  uint8_t parity, error;
  size_t next;
  double due;
} sending;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void begin_frame(void) {
  const film *film = &films[committed[2] == films[YUYV].number ? YUYV : MJPEG];
  const frame *frame = &film->frames[sending.next++ % film->count];
  uint32_t units;
  memcpy(&units, committed + 4, 4);
  double time = now(), period = units * 1e-7;
  // A stream that starts, or has fallen behind, begins its beat afresh.
  sending.due = (time - sending.due > 2 * period ? time : sending.due) + period;
  sending.bytes = film->bytes + frame->start;
  sending.size = cut_next ? frame->size / 2 : frame->size;
  sending.sent = 0;
  sending.parity ^= 1;
  sending.error = damage_next ? 0x40 : 0;
  cut_next = damage_next = 0;
}

static void send_payload(void) {
  static uint8_t payload[PAYLOAD];
  size_t room = (waiting[0].size < PAYLOAD ? waiting[0].size : PAYLOAD) - 2;
  size_t left = sending.size - sending.sent, count = left < room ? left : room;
  payload[0] = 2;
  payload[1] = 0x80 | sending.error | sending.parity | (count == left ? 2 : 0);
  memcpy(payload + 2, sending.bytes + sending.sent, count);
  answer(SUBMITTED, waiting[0].sequence, 0, payload, count + 2);
  forget(0);
  sending.sent += count;
  if (sending.sent == sending.size) sending.bytes = NULL;
}

// Milliseconds until there is something to send; -1 when only the driver can change that.
static int patience(void) {
  if (is_frozen) return 20;
  if (waiting_count == 0) return -1;
  double left = sending.due - now();
  return sending.bytes || left <= 0 ? 0 : (int)(left * 1000) + 1;
}

static void run(void) {
  for (;;) {
    struct pollfd input = {.fd = wire, .events = POLLIN};
    if (poll(&input, 1, patience()) > 0) {
      receive();
      continue;
    }
    if (must_start_afresh) sending.bytes = NULL;
    must_start_afresh = false;
    if (is_frozen || waiting_count == 0) continue;
    if (!sending.bytes && now() >= sending.due) begin_frame();
    if (sending.bytes) send_payload();
  }
}

// MARK: Plugging in

static void on_signal(int number) {
  if (number == SIGUSR1) is_frozen = !is_frozen;
  if (number == SIGUSR2) cut_next = 1;
  if (number == SIGHUP) damage_next = 1;
}

static void plug_in(int port) {
  static const char attach[] = "/sys/devices/platform/vhci_hcd.0/attach";
  enum { HIGH_SPEED = 3 };
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  wire = ends[0];
  FILE *file = fopen(attach, "w");
  if (!file) fail(attach);
  fprintf(file, "%d %d %d %d", port, ends[1], 0x10000 + port + 2, HIGH_SPEED);
  if (fclose(file) != 0) fail(attach);
  close(ends[1]);
}

int main(int count, char **words) {
  int port = 0, option;
  while ((option = getopt(count, words, "n:s:p:")) != -1) {
    if (option == 'n') name = optarg;
    else if (option == 's') serial = optarg;
    else if (option == 'p') port = atoi(optarg);
    else return 64;
  }
  if (count - optind < 4 || count - optind > 5) {
    fprintf(stderr, "usage: usb-camera [-n NAME] [-s SERIAL] [-p PORT] WIDTH HEIGHT RATE FRAMES…\n");
    return 64;
  }
  width = atoi(words[optind]);
  height = atoi(words[optind + 1]);
  rate = atoi(words[optind + 2]);
  for (int file = optind + 3; file < count; file++) load(words[file], file - optind - 2);
  describe();
  fill_probe(probed, 1, interval(false));
  memcpy(committed, probed, PROBE_SIZE);
  for (size_t index = 0; index < 3; index++) signal((int[]){SIGUSR1, SIGUSR2, SIGHUP}[index], on_signal);
  signal(SIGPIPE, SIG_IGN);
  plug_in(port);
  run();
}
