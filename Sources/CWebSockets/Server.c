// The server's thread and what libwebsockets calls on it; see the header.
#define _GNU_SOURCE
#include "Payload.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  /// Unsent bytes below which a socket takes more. The kernel would hold seconds of video for a page that does not
  /// read; what waits here instead can still be replaced or dropped.
  UNSENT_BYTES = 1 << 14,
  RESPONSE_CHUNK = 1 << 16,
  /// Of all headers of a request.
  MAX_HEADER_BYTES = 8192,
  /// Of a path, a Host or an Origin.
  MAX_TEXT = 1024,
  /// For a close frame to leave.
  CLOSE_SECONDS = 2,
  /// The listener, the wake-up and some of libwebsockets' own.
  OWN_DESCRIPTORS = 16,
};

/// libwebsockets' memory for one connection; zeroed when it is made.
typedef struct session {
  // Of a WebSocket, under the server's lock.
  struct session *next;
  struct lws *wsi;
  uint64_t number;
  web_queue queue;
  /// Not 0 once it is to be closed.
  uint16_t close_status;
  /// Closing has begun; the rest is libwebsockets'.
  bool is_leaving;
  // Of a request, the thread's own.
  web_payload *response;
  size_t sent;
} session;

struct web_server {
  web_options options;
  char address[INET_ADDRSTRLEN];
  web_handlers handlers;
  lws_retry_bo_t idle;
  pthread_t thread;
  uint16_t port;
  // The thread's own.
  size_t sockets;
  uint64_t last_number;
  bool is_over;
  lws_sorted_usec_list_t farewell;
  pthread_mutex_t lock;
  // Under the lock.
  struct lws_context *context;
  session *sessions;
  web_counts counts;
  bool is_waking, is_stopping;
};

// MARK: Under the lock

/// Has the thread look at the queues; once is enough until it has.
static void wake(web_server *server) {
  if (server->is_waking || !server->context) return;
  server->is_waking = true;
  lws_cancel_service(server->context);
}

static void close_with(session *session, uint16_t status) {
  if (session->close_status) return;
  session->close_status = status;
  web_queue_restart_video(&session->queue, false);
  web_queue_clear(&session->queue);
}

/// Those that have something to send are called when they can.
static void look_at_queues(web_server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_waking = false;
  for (session *each = server->sessions; each; each = each->next) {
    if (server->is_stopping) close_with(each, LWS_CLOSE_STATUS_GOINGAWAY);
    bool begins_leaving = each->close_status && !each->is_leaving;
    if (begins_leaving) {
      each->is_leaving = true;
      // One that reads nothing is never called.
      lws_set_timeout(each->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_SECONDS);
    }
    if (begins_leaving || each->queue.message_count || each->queue.unit_count) lws_callback_on_writable(each->wsi);
  }
  pthread_mutex_unlock(&server->lock);
}

// MARK: Requests

static const char *header(struct lws *wsi, enum lws_token_indexes token, char text[MAX_TEXT]) {
  return lws_hdr_copy(wsi, text, MAX_TEXT, token) > 0 ? text : NULL;
}

static web_payload *respond(web_server *server, struct lws *wsi, bool is_upgrade) {
  char *uri, host[MAX_TEXT], origin[MAX_TEXT], path[MAX_TEXT];
  int length;
  int method = lws_http_get_uri_and_method(wsi, &uri, &length);
  bool fits = method >= 0 && length >= 0 && length < MAX_TEXT;
  if (fits) memcpy(path, uri, (size_t)length);
  path[fits ? length : 0] = 0;
  web_request request = {
    .path = path,
    .host = header(wsi, WSI_TOKEN_HOST, host),
    .origin = header(wsi, WSI_TOKEN_ORIGIN, origin),
    // The first of libwebsockets' methods.
    .is_get = method == LWSHUMETH_GET,
    .is_upgrade = is_upgrade,
  };
  return server->handlers.respond(server->handlers.context, &request);
}

/// Returns −1 to close, as all answers end, or 0 to be called again.
static int send_response(session *session, struct lws *wsi) {
  web_payload *response = session->response;
  if (!response) return -1;
  size_t left = response->count - session->sent;
  size_t count = left < RESPONSE_CHUNK ? left : RESPONSE_CHUNK;
  // What the socket does not take libwebsockets keeps, and sends before it closes or calls again.
  if (lws_write(wsi, payload_bytes(response) + session->sent, count, LWS_WRITE_HTTP) < 0) return -1;
  session->sent += count;
  if (session->sent == response->count) return -1;
  lws_callback_on_writable(wsi);
  return 0;
}

static int answer_request(web_server *server, session *session, struct lws *wsi) {
  session->response = respond(server, wsi, false);
  session->sent = 0;
  lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, (int)server->options.request_seconds);
  return send_response(session, wsi);
}

/// 0 lets it through; only WebSockets get that far, not HTTP/2.
static int answer_upgrade(web_server *server, struct lws *wsi, const char *protocol) {
  if (strcasecmp(protocol, "websocket")) return -1;
  web_payload *refusal = respond(server, wsi, true);
  if (!refusal) return 0;
  lws_write(wsi, payload_bytes(refusal), refusal->count, LWS_WRITE_HTTP);
  web_payload_release(refusal);
  return -1;
}

/// Called before libwebsockets knows of the connection; not 0 closes it.
static int admit(web_server *server, int descriptor) {
  int unsent = UNSENT_BYTES;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
  if (server->sockets < server->options.max_sockets && !server->is_over) return 0;
  static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  send(descriptor, busy, sizeof busy - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  server->handlers.refused(server->handlers.context);
  return 1;
}

// MARK: WebSockets

static void open_session(web_server *server, session *session, struct lws *wsi) {
  memset(session, 0, sizeof *session);
  session->wsi = wsi;
  session->number = ++server->last_number;
  web_payload *greeting = server->handlers.greet(server->handlers.context, session->number);
  pthread_mutex_lock(&server->lock);
  session->next = server->sessions;
  server->sessions = session;
  if (greeting) web_queue_message(&session->queue, greeting, WEB_NO_KEY);
  wake(server);
  pthread_mutex_unlock(&server->lock);
  web_payload_release(greeting);
  server->handlers.opened(server->handlers.context, session->number);
}

static void close_session(web_server *server, session *session) {
  pthread_mutex_lock(&server->lock);
  struct session **link = &server->sessions;
  while (*link && *link != session) link = &(*link)->next;
  bool was_open = *link;
  if (was_open) *link = session->next;
  web_queue_clear(&session->queue);
  pthread_mutex_unlock(&server->lock);
  if (was_open) server->handlers.closed(server->handlers.context, session->number);
}

static void receive(web_server *server, session *session, struct lws *wsi, const void *bytes, size_t count) {
  pthread_mutex_lock(&server->lock);
  bool is_closing = session->close_status;
  pthread_mutex_unlock(&server->lock);
  // What a page that is being closed still says is read, or the system would drop the close frame with it.
  if (is_closing) return;
  lws_validity_confirmed(wsi);
  bool is_final = lws_is_final_fragment(wsi) && !lws_remaining_packet_payload(wsi);
  uint16_t status = server->handlers.received(
      server->handlers.context, session->number, bytes, count, lws_frame_is_binary(wsi), is_final);
  if (!status) return;
  pthread_mutex_lock(&server->lock);
  close_with(session, status);
  wake(server);
  pthread_mutex_unlock(&server->lock);
}

/// What waits next, or the status to close with.
static web_payload *next_payload(web_server *server, session *session, uint16_t *close_status) {
  pthread_mutex_lock(&server->lock);
  *close_status = session->close_status;
  web_payload *payload = web_queue_next(&session->queue);
  if (payload) {
    server->counts.sent_messages++;
    server->counts.sent_bytes += payload->count;
  }
  pthread_mutex_unlock(&server->lock);
  return payload;
}

static int send_queued(web_server *server, session *session, struct lws *wsi) {
  uint16_t close_status;
  for (web_payload *payload; (payload = next_payload(server, session, &close_status));) {
    enum lws_write_protocol kind = payload->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
    int written = lws_write(wsi, payload_bytes(payload), payload->count, kind);
    web_payload_release(payload);
    if (written < 0) return -1;
    if (lws_send_pipe_choked(wsi)) {
      lws_callback_on_writable(wsi);
      return 0;
    }
  }
  if (!close_status) return 0;
  lws_close_reason(wsi, (enum lws_close_status)close_status, NULL, 0);
  return -1;
}

// MARK: What libwebsockets calls

/// Marks those connections that clients made.
static char client_mark;

static int on_socket(web_server *server, struct lws *wsi, enum lws_callback_reasons reason) {
  if (reason == LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED) {
    lws_set_opaque_user_data(wsi, &client_mark);
    server->sockets++;
  } else if (lws_get_opaque_user_data(wsi) == &client_mark) {
    lws_set_opaque_user_data(wsi, NULL);
    server->sockets--;
  }
  return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
  web_server *server = lws_context_user(lws_get_context(wsi));
  session *session = user;
  switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return admit(server, (int)(intptr_t)in);
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
    case LWS_CALLBACK_WSI_DESTROY: return on_socket(server, wsi, reason);
    case LWS_CALLBACK_HTTP: return answer_request(server, session, wsi);
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_response(session, wsi);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return answer_upgrade(server, wsi, in);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      if (session) web_payload_release(session->response);
      if (session) session->response = NULL;
      return 0;
    case LWS_CALLBACK_ESTABLISHED: open_session(server, session, wsi); return 0;
    case LWS_CALLBACK_RECEIVE: receive(server, session, wsi, in, count); return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_queued(server, session, wsi);
    // The first when closing begins, the second when it ends.
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED: close_session(server, session); return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: look_at_queues(server); return 0;
    // Not libwebsockets' own files, redirects or certificates.
    default: return 0;
  }
}

// MARK: The thread

static void end_farewell(lws_sorted_usec_list_t *list) {
  web_server *server = lws_container_of(list, web_server, farewell);
  server->is_over = true;
  // libwebsockets calls this before it waits, not after.
  lws_cancel_service(server->context);
}

static bool is_stopping(web_server *server) {
  pthread_mutex_lock(&server->lock);
  bool result = server->is_stopping;
  pthread_mutex_unlock(&server->lock);
  return result;
}

static void *serve(void *argument) {
  web_server *server = argument;
  pthread_setname_np(pthread_self(), "web");
  struct lws_context *context = server->context;
  while (!is_stopping(server)) lws_service(context, 0);
  lws_sul_schedule(
      context, 0, &server->farewell, end_farewell, server->options.farewell_milliseconds * LWS_US_PER_MS);
  while (server->sockets && !server->is_over) lws_service(context, 0);
  server->is_over = true;
  lws_sul_cancel(&server->farewell);
  pthread_mutex_lock(&server->lock);
  server->context = NULL;
  pthread_mutex_unlock(&server->lock);
  lws_context_destroy(context);
  return NULL;
}

/// Why the address cannot be listened at, as an errno: libwebsockets does not say. 0 if it can.
static int try_address(const web_options *options) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options->port)};
  if (inet_pton(AF_INET, options->address, &address.sin_addr) != 1) return EADDRNOTAVAIL;
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  int reuse = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  int error = bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
  close(descriptor);
  return error;
}

static struct lws_context *create_context(web_server *server) {
  static const struct lws_protocols protocols[] = {
    {.name = "faceplay", .callback = on_event, .per_session_data_size = sizeof(session), .rx_buffer_size = 4096},
    {0},
  };
  server->idle = (lws_retry_bo_t){
    .secs_since_valid_ping = (uint16_t)server->options.ping_seconds,
    .secs_since_valid_hangup = (uint16_t)server->options.hang_up_seconds,
  };
  lws_set_log_level(0, NULL);
  return lws_create_context(&(struct lws_context_creation_info){
    .iface = server->address,
    .port = server->options.port,
    .protocols = protocols,
    .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME
        | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    .user = server,
    .retry_and_idle_policy = &server->idle,
    .fd_limit_per_thread = server->options.max_sockets + OWN_DESCRIPTORS,
    .max_http_header_data = MAX_HEADER_BYTES,
    .timeout_secs = server->options.request_seconds,
    .timeout_secs_ah_idle = (int)server->options.request_seconds,
    .keepalive_timeout = (int)server->options.request_seconds,
  });
}

int web_server_create(const web_options *options, web_server **result) {
  int error = try_address(options);
  if (error) return error;
  web_server *server = calloc(1, sizeof *server);
  if (!server) return ENOMEM;
  server->options = *options;
  memcpy(server->address, options->address, strlen(options->address) + 1);
  server->options.address = server->address;
  pthread_mutex_init(&server->lock, NULL);
  server->context = create_context(server);
  if (!server->context) {
    web_server_destroy(server);
    // Between the two attempts somebody else took the port.
    return EADDRINUSE;
  }
  server->port = (uint16_t)lws_get_vhost_listen_port(lws_get_vhost_by_name(server->context, "default"));
  *result = server;
  return 0;
}

int web_server_start(web_server *server, const web_handlers *handlers) {
  server->handlers = *handlers;
  return pthread_create(&server->thread, NULL, serve, server);
}

// MARK: From any thread

uint16_t web_server_port(const web_server *server) { return server->port; }

size_t web_server_send(web_server *server, uint64_t connection, web_payload *payload, uint32_t key) {
  size_t full = 0;
  pthread_mutex_lock(&server->lock);
  for (session *each = server->sessions; each; each = each->next) {
    if (each->close_status || (connection && each->number != connection)) continue;
    web_message_outcome outcome = web_queue_message(&each->queue, payload, key);
    if (outcome == WEB_REPLACED) server->counts.replaced_messages++;
    if (outcome == WEB_FULL) {
      full++;
      // RFC 6455 registers 1013 as “try again later”.
      close_with(each, 1013);
    }
    wake(server);
  }
  pthread_mutex_unlock(&server->lock);
  return full;
}

size_t web_server_send_unit(web_server *server, web_payload *payload, bool is_key_frame) {
  size_t behind = 0;
  pthread_mutex_lock(&server->lock);
  for (session *each = server->sessions; each; each = each->next) {
    if (!each->queue.wants_video) continue;
    size_t waiting = each->queue.unit_count;
    web_unit_outcome outcome = web_queue_unit(&each->queue, payload, is_key_frame);
    server->counts.dropped_units += waiting + 1 - each->queue.unit_count;
    if (outcome == WEB_UNIT_FELL_BEHIND) behind++;
    if (outcome == WEB_UNIT_QUEUED) wake(server);
  }
  pthread_mutex_unlock(&server->lock);
  return behind;
}

void web_server_set_wants_video(web_server *server, uint64_t connection, bool wants_video) {
  pthread_mutex_lock(&server->lock);
  for (session *each = server->sessions; each; each = each->next) {
    if (each->number == connection && !each->close_status) web_queue_restart_video(&each->queue, wants_video);
  }
  pthread_mutex_unlock(&server->lock);
}

void web_server_restart_video(web_server *server) {
  pthread_mutex_lock(&server->lock);
  for (session *each = server->sessions; each; each = each->next) {
    web_queue_restart_video(&each->queue, each->queue.wants_video);
  }
  pthread_mutex_unlock(&server->lock);
}

web_counts web_server_counts(web_server *server) {
  pthread_mutex_lock(&server->lock);
  web_counts counts = server->counts;
  pthread_mutex_unlock(&server->lock);
  return counts;
}

void web_server_stop(web_server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_stopping = true;
  if (server->context) lws_cancel_service(server->context);
  pthread_mutex_unlock(&server->lock);
  pthread_join(server->thread, NULL);
}

void web_server_destroy(web_server *server) {
  if (server->context) lws_context_destroy(server->context);
  pthread_mutex_destroy(&server->lock);
  free(server);
}
