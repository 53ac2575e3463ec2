// What is thrown when a caller's argument is out of its range.
#pragma once

#include <stdexcept>

namespace faceplay {

struct BadArgument : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline void require(bool condition, const char *what) {
  if (!condition) throw BadArgument(what);
}

}  // namespace faceplay
