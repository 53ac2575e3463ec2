// Reading the networks' files, and refusing any whose bytes are not the expected ones.
#include "Models.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "OnnxGraph.h"

namespace faceplay {
namespace {

static_assert(FL_SHA256_SIZE == SHA256_DIGEST_SIZE);

/// Ten times the largest network there is: keeps a wrong path from filling memory.
constexpr off_t kLargestModel = 32 << 20;

/// An open file; closed when it goes out of scope.
class File {
 public:
  explicit File(const char *path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

[[noreturn]] void throwUnreadable(int code) {
  throw ModelError(code == ENOENT ? FL_MODEL_MISSING : FL_MODEL_UNREADABLE, std::generic_category().message(code));
}

std::vector<char> readWhole(const char *path) {
  const File file(path);
  if (file.descriptor() < 0) throwUnreadable(errno);
  struct stat status;
  if (fstat(file.descriptor(), &status) != 0) throwUnreadable(errno);
  if (S_ISDIR(status.st_mode)) throwUnreadable(EISDIR);
  if (!S_ISREG(status.st_mode)) throw ModelError(FL_MODEL_UNREADABLE, "Not a regular file");
  if (status.st_size > kLargestModel) throw ModelError(FL_MODEL_ALTERED, "larger than any model");

  std::vector<char> bytes(static_cast<size_t>(status.st_size));
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = read(file.descriptor(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throwUnreadable(errno);
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

std::vector<char> readVerified(const fl_model_file &file) {
  std::vector<char> bytes = readWhole(file.path);
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const uint8_t *>(bytes.data()));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&context, digest.size(), digest.data());
  if (std::memcmp(digest.data(), file.sha256, digest.size()) != 0) {
    throw ModelError(FL_MODEL_ALTERED, "its " + std::to_string(bytes.size()) + " bytes do not match its SHA-256");
  }
  return bytes;
}

}  // namespace

Network Models::load(int model, TensorShape input, std::vector<Network::Output> outputs) const {
  try {
    const std::vector<char> onnx = readVerified(files_[model]);
    try {
      return Network(onnx, input, std::move(outputs), kernels_);
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const UnsupportedGraph &reason) {
      throw UnsupportedGraph(std::string(files_[model].path) + ": " + reason.what());
    } catch (const std::exception &error) {
      throw ModelError(FL_MODEL_REJECTED, error.what());
    }
  } catch (ModelError &error) {
    error.model = model;
    throw;
  }
}

}  // namespace faceplay
