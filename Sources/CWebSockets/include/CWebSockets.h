// A small HTTP and WebSocket server for Swift, on libwebsockets: one thread, one bounded queue for each WebSocket.
// What to answer and whom to let in is the caller's to say, in `web_handlers`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Secrets

enum {
  WEB_KEY_BYTES = 32,
  WEB_NONCE_BYTES = 16,
  WEB_MAC_BYTES = 20,
};

/// HMAC-SHA-1 (RFC 2104). That SHA-1's collisions can be made does it no harm (RFC 6194, section 3.3).
void web_hmac_sha1(
    const uint8_t key[WEB_KEY_BYTES], const uint8_t message[WEB_NONCE_BYTES], uint8_t mac[WEB_MAC_BYTES]);

// MARK: Bytes on their way out

/// Counted references to bytes that are written once and then only read; one message is shared by all that get it.
typedef struct web_payload web_payload;

/// Copies `count` bytes after `head_count` others; NULL without memory. The caller holds the first reference.
web_payload *web_payload_create(
    const uint8_t *head, size_t head_count, const uint8_t *bytes, size_t count, bool is_binary);

void web_payload_release(web_payload *payload);

// MARK: What waits for one WebSocket

enum {
  /// A message of this key never replaces another.
  WEB_NO_KEY = 0,
  /// A page that has so many messages waiting does not read: 60 snapshots a second share one place.
  WEB_MAX_MESSAGES = 64,
  WEB_MAX_MESSAGE_BYTES = 1 << 20,
  /// Half a second at 30 frames a second: what is older is no longer worth showing.
  WEB_MAX_UNITS = 15,
  WEB_MAX_UNIT_BYTES = 1 << 20,
};

typedef struct {
  web_payload *payload;
  uint32_t key;
} web_message;

/// Two bounded queues: messages, of which the newest of each key waits in the place of the older one, and the access
/// units of a video. All zero is empty. Not safe to share.
typedef struct {
  web_message messages[WEB_MAX_MESSAGES];
  size_t first_message, message_count, message_bytes;
  web_payload *units[WEB_MAX_UNITS];
  size_t first_unit, unit_count, unit_bytes;
  /// Access units are wanted at all.
  bool wants_video;
  /// Units are left out until the next key frame.
  bool awaits_key_frame;
} web_queue;

typedef enum __attribute__((enum_extensibility(closed))) {
  WEB_QUEUED,
  /// Took the place of an older message with its key, which nobody will get.
  WEB_REPLACED,
  /// There was no room for the message; nothing changed.
  WEB_FULL,
} web_message_outcome;

/// Takes a reference of its own unless full.
web_message_outcome web_queue_message(web_queue *queue, web_payload *payload, uint32_t key);

typedef enum __attribute__((enum_extensibility(closed))) {
  WEB_UNIT_QUEUED,
  /// Left out: no video is wanted, or a key frame is awaited.
  WEB_UNIT_LEFT_OUT,
  /// There was no room: the units that waited were dropped, and all up to the next key frame will be.
  WEB_UNIT_FELL_BEHIND,
} web_unit_outcome;

/// Takes a reference of its own if queued.
web_unit_outcome web_queue_unit(web_queue *queue, web_payload *payload, bool is_key_frame);

/// Drops the units that wait, and begins again with the next key frame if video is wanted.
void web_queue_restart_video(web_queue *queue, bool wants_video);

/// Hands out what is to be sent next, with its reference: messages before units. NULL when nothing waits.
web_payload *web_queue_next(web_queue *queue);

void web_queue_clear(web_queue *queue);

// MARK: The server

typedef struct web_server web_server;

/// Texts are valid during the call; a header that is missing or too long is NULL.
typedef struct {
  /// Without query, percent signs decoded; it may hold any byte but NUL.
  const char *path;
  const char *host, *origin;
  bool is_get;
  /// Asks for a WebSocket.
  bool is_upgrade;
} web_request;

/// All are called on the server's thread, none with a lock held.
typedef struct {
  /// The answer with its head, sent as it is before the connection is closed; NULL lets an upgrade through.
  web_payload *(*respond)(void *context, const web_request *request) __attribute__((swift_attr("@Sendable")));
  /// A WebSocket opens; connections are numbered from 1, never again in the same way. Returns the first message it gets,
  /// before any that is sent to all; NULL for none.
  web_payload *(*greet)(void *context, uint64_t connection) __attribute__((swift_attr("@Sendable")));
  /// It is open, and may be sent to.
  void (*opened)(void *context, uint64_t connection) __attribute__((swift_attr("@Sendable")));
  /// Bytes of a message, as they come. Returns 0, or the status to close with.
  uint16_t (*received)(
      void *context, uint64_t connection, const uint8_t *bytes, size_t count, bool is_binary, bool is_final)
      __attribute__((swift_attr("@Sendable")));
  void (*closed)(void *context, uint64_t connection) __attribute__((swift_attr("@Sendable")));
  /// A connection was turned away before it said anything: there are too many.
  void (*refused)(void *context) __attribute__((swift_attr("@Sendable")));
  void *context;
} web_handlers;

typedef struct {
  /// IPv4.
  const char *address;
  /// 0 for any that is free.
  uint16_t port;
  /// Of all kinds, before the first is turned away.
  uint32_t max_sockets;
  /// For a request to arrive whole, and again for its answer to leave.
  uint32_t request_seconds;
  /// A WebSocket that was silent so long is asked for a sign of life, and closed `hang_up_seconds` after its last one.
  uint32_t ping_seconds, hang_up_seconds;
  /// The longest that `web_server_stop` waits for pages to take their leave.
  uint32_t farewell_milliseconds;
} web_options;

typedef struct {
  /// Messages that newer ones replaced before they were sent.
  uint64_t replaced_messages;
  uint64_t sent_messages;
  uint64_t sent_bytes;
  /// Access units for which there was no room, and those up to the next key frame.
  uint64_t dropped_units;
} web_counts;

/// Listens, but serves nobody yet; returns 0, or the errno that kept it from listening.
int web_server_create(const web_options *options, web_server **server);

/// Starts the thread that serves, once; returns 0 or an errno.
int web_server_start(web_server *server, const web_handlers *handlers);

uint16_t web_server_port(const web_server *server);

/// Queues for one connection, or for all where `connection` is 0, and returns at once, from any thread. Returns how
/// many had no room: they are closed with 1013 (try again later).
size_t web_server_send(web_server *server, uint64_t connection, web_payload *payload, uint32_t key);

/// Queues an access unit for all that want video, and returns at once, from any thread. Returns how many fell behind,
/// and so want a key frame.
size_t web_server_send_unit(web_server *server, web_payload *payload, bool is_key_frame);

/// From any thread. Video begins with the next key frame.
void web_server_set_wants_video(web_server *server, uint64_t connection, bool wants_video);

/// All that want video begin again with the next key frame, from any thread.
void web_server_restart_video(web_server *server);

web_counts web_server_counts(web_server *server);

/// Closes all WebSockets with 1001 (going away) and ends the thread; no call back comes after it. The server may still
/// be called, to no effect, until destroyed. Only after `web_server_start`, once, and not from a handler.
void web_server_stop(web_server *server);

/// After `web_server_stop`, or if never started.
void web_server_destroy(web_server *server);
