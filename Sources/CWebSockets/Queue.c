// Payloads and the bounded queues they wait in; see the header.
#include "Payload.h"

#include <stdlib.h>
#include <string.h>

web_payload *web_payload_create(
    const uint8_t *head, size_t head_count, const uint8_t *bytes, size_t count, bool is_binary) {
  if (head_count > SIZE_MAX / 4 || count > SIZE_MAX / 4) return NULL;
  web_payload *payload = malloc(sizeof *payload + LWS_PRE + head_count + count);
  if (!payload) return NULL;
  atomic_init(&payload->references, 1);
  payload->is_binary = is_binary;
  payload->count = head_count + count;
  if (head_count) memcpy(payload_bytes(payload), head, head_count);
  if (count) memcpy(payload_bytes(payload) + head_count, bytes, count);
  return payload;
}

void web_payload_release(web_payload *payload) {
  if (payload && atomic_fetch_sub_explicit(&payload->references, 1, memory_order_acq_rel) == 1) free(payload);
}

static web_message *waiting_message(web_queue *queue, uint32_t key) {
  for (size_t i = 0; i < queue->message_count; i++) {
    web_message *message = &queue->messages[(queue->first_message + i) % WEB_MAX_MESSAGES];
    if (message->key == key) return message;
  }
  return NULL;
}

web_message_outcome web_queue_message(web_queue *queue, web_payload *payload, uint32_t key) {
  web_message *older = key == WEB_NO_KEY ? NULL : waiting_message(queue, key);
  size_t bytes = queue->message_bytes - (older ? older->payload->count : 0);
  if (payload->count > WEB_MAX_MESSAGE_BYTES || bytes > WEB_MAX_MESSAGE_BYTES - payload->count) return WEB_FULL;
  if (older) {
    web_payload_release(older->payload);
    older->payload = payload_retain(payload);
  } else {
    if (queue->message_count == WEB_MAX_MESSAGES) return WEB_FULL;
    size_t end = (queue->first_message + queue->message_count++) % WEB_MAX_MESSAGES;
    queue->messages[end] = (web_message){payload_retain(payload), key};
  }
  queue->message_bytes = bytes + payload->count;
  return older ? WEB_REPLACED : WEB_QUEUED;
}

static web_payload *next_message(web_queue *queue) {
  if (!queue->message_count) return NULL;
  web_payload *payload = queue->messages[queue->first_message].payload;
  queue->first_message = (queue->first_message + 1) % WEB_MAX_MESSAGES;
  queue->message_count--;
  queue->message_bytes -= payload->count;
  return payload;
}

static web_payload *next_unit(web_queue *queue) {
  if (!queue->unit_count) return NULL;
  web_payload *payload = queue->units[queue->first_unit];
  queue->first_unit = (queue->first_unit + 1) % WEB_MAX_UNITS;
  queue->unit_count--;
  queue->unit_bytes -= payload->count;
  return payload;
}

static void drop_units(web_queue *queue) {
  for (web_payload *unit; (unit = next_unit(queue));) web_payload_release(unit);
}

web_unit_outcome web_queue_unit(web_queue *queue, web_payload *payload, bool is_key_frame) {
  if (!queue->wants_video || (queue->awaits_key_frame && !is_key_frame)) return WEB_UNIT_LEFT_OUT;
  bool has_room = queue->unit_count < WEB_MAX_UNITS && payload->count <= WEB_MAX_UNIT_BYTES
      && queue->unit_bytes <= WEB_MAX_UNIT_BYTES - payload->count;
  if (!has_room) {
    drop_units(queue);
    queue->awaits_key_frame = true;
    // A new group needs nothing of what was dropped.
    if (!is_key_frame || payload->count > WEB_MAX_UNIT_BYTES) return WEB_UNIT_FELL_BEHIND;
  }
  queue->awaits_key_frame = false;
  queue->units[(queue->first_unit + queue->unit_count++) % WEB_MAX_UNITS] = payload_retain(payload);
  queue->unit_bytes += payload->count;
  return WEB_UNIT_QUEUED;
}

void web_queue_restart_video(web_queue *queue, bool wants_video) {
  drop_units(queue);
  queue->wants_video = wants_video;
  queue->awaits_key_frame = true;
}

web_payload *web_queue_next(web_queue *queue) {
  web_payload *message = next_message(queue);
  return message ? message : next_unit(queue);
}

void web_queue_clear(web_queue *queue) {
  for (web_payload *payload; (payload = web_queue_next(queue));) web_payload_release(payload);
}
