// Reading the fields of one Protocol Buffers message.
#include "ProtobufReader.h"

#include "OnnxGraph.h"

namespace faceplay {
namespace {

[[noreturn]] void refuse() { throw UnsupportedGraph("not an ONNX file, or a broken one"); }

}  // namespace

std::string_view ProtobufReader::Field::text() const {
  if (type != Type::text) refuse();
  return bytes;
}

uint64_t ProtobufReader::Field::whole() const {
  if (type != Type::integer) refuse();
  return integer;
}

bool ProtobufReader::next(Field &field) {
  if (isAtEnd()) return false;
  const uint64_t tag = readInteger();
  field = {tag >> 3, Field::Type::integer, 0, {}};
  if (field.number == 0) refuse();
  switch (tag & 7) {
    case 0: field.integer = readInteger(); break;
    case 1:
      field.type = Field::Type::fixed64;
      field.bytes = take(8);
      break;
    case 2:
      field.type = Field::Type::text;
      field.bytes = take(readInteger());
      break;
    case 5:
      field.type = Field::Type::fixed32;
      field.bytes = take(4);
      break;
    default: refuse();
  }
  return true;
}

uint64_t ProtobufReader::readInteger() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(take(1)[0]);
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  refuse();
}

std::string_view ProtobufReader::take(uint64_t count) {
  if (count > rest_.size()) refuse();
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

}  // namespace faceplay
