// Reading the networks' files, and refusing any whose bytes are not the expected ones.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "CFaceLandmarker.h"
#include "Network.h"

namespace faceplay {

/// Why a model file cannot be used; `what()` is one line for the user.
struct ModelError : std::runtime_error {
  ModelError(fl_status status, const std::string &message) : std::runtime_error(message), status(status) {}

  fl_status status;
  /// FL_MODEL_…
  int model = -1;
};

class Models {
 public:
  /// `files` holds FL_MODEL_COUNT entries and must outlive this. `kernels`: see `Network`.
  Models(const fl_model_file *files, const Kernels *kernels) : files_(files), kernels_(kernels) {}

  /// The loops for what is not a network's matter: the fastest ones when the networks are OpenCV's.
  const Kernels &loops() const { return kernels_ ? *kernels_ : *Kernels::best(); }

  /// Loads the network `model` (FL_MODEL_…). Throws `ModelError`, `UnsupportedGraph` or
  /// `std::bad_alloc`.
  Network load(int model, TensorShape input, std::vector<Network::Output> outputs) const;

 private:
  const fl_model_file *files_;
  const Kernels *kernels_;
};

}  // namespace faceplay
