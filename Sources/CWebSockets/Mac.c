// Message authentication with the one hash that libwebsockets always has.
#include "CWebSockets.h"

#include <libwebsockets.h>
#include <string.h>

enum { BLOCK_BYTES = 64 };

void web_hmac_sha1(
    const uint8_t key[WEB_KEY_BYTES], const uint8_t message[WEB_NONCE_BYTES], uint8_t mac[WEB_MAC_BYTES]) {
  uint8_t inner[BLOCK_BYTES + WEB_NONCE_BYTES], outer[BLOCK_BYTES + WEB_MAC_BYTES];
  memset(inner, 0x36, BLOCK_BYTES);
  memset(outer, 0x5c, BLOCK_BYTES);
  for (size_t i = 0; i < WEB_KEY_BYTES; i++) {
    inner[i] ^= key[i];
    outer[i] ^= key[i];
  }
  memcpy(inner + BLOCK_BYTES, message, WEB_NONCE_BYTES);
  lws_SHA1(inner, sizeof inner, outer + BLOCK_BYTES);
  lws_SHA1(outer, sizeof outer, mac);
}
