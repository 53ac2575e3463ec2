// Reading the fields of one Protocol Buffers message.
#pragma once

#include <cstdint>
#include <string_view>

namespace faceplay {

/// Goes through a message's fields in order. Every read is checked against the message's end; a broken message throws
/// `UnsupportedGraph`. Format: https://protobuf.dev/programming-guides/encoding
class ProtobufReader {
 public:
  struct Field {
    enum class Type { integer, fixed64, text, fixed32 };

    uint64_t number;
    Type type;
    uint64_t integer;
    std::string_view bytes;

    /// The value of a field that must be a string, bytes or a message.
    std::string_view text() const;
    /// The value of a field that must be an integer.
    uint64_t whole() const;
  };

  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  bool isAtEnd() const { return rest_.empty(); }

  /// False at the message's end.
  bool next(Field &field);

  /// One variable-length integer.
  uint64_t readInteger();

 private:
  std::string_view take(uint64_t count);

  std::string_view rest_;
};

}  // namespace faceplay
