// What a payload is made of.
#pragma once

#include "CWebSockets.h"

#include <libwebsockets.h>
#include <stdatomic.h>

struct web_payload {
  atomic_uint references;
  bool is_binary;
  size_t count;
  /// `LWS_PRE` bytes for frame heads, then the payload's own. Server frames have no mask, so that every receiver's
  /// head is the same.
  uint8_t storage[];
};

static inline uint8_t *payload_bytes(web_payload *payload) { return payload->storage + LWS_PRE; }

static inline web_payload *payload_retain(web_payload *payload) {
  atomic_fetch_add_explicit(&payload->references, 1, memory_order_relaxed);
  return payload;
}
