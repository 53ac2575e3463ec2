// The fused engine's inner loops, compiled for each instruction set, and which of them this CPU can run.
#include "Kernels.h"

#include <initializer_list>

#define KERNEL_INLINE KERNEL_TARGET static inline __attribute__((always_inline))

namespace faceplay {
namespace {

/// SSE2 on x86-64, NEON on arm64: what every CPU has.
namespace baseline {
#define KERNEL_TARGET
constexpr int kLanes = 4, kTilePixels = 6;
#include "KernelLoops.h"
#include "SampleLoop.h"
#undef KERNEL_TARGET
constexpr Kernels kKernels = {Kernels::Instructions::baseline, kLanes, depthwise, convolve, sampleBGR, samplePlanes};
}  // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
constexpr int kLanes = 8, kTilePixels = 6;
#include "KernelLoops.h"
#include "SampleLoop.h"
#undef KERNEL_TARGET
constexpr Kernels kKernels = {Kernels::Instructions::avx2, kLanes, depthwise, convolve, sampleBGR, samplePlanes};
}  // namespace avx2

namespace avx512 {
#define KERNEL_TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")))
// Twelve pixels would fit into the registers, but clang then keeps sums in memory: twice as slow.
constexpr int kLanes = 16, kTilePixels = 8;
#include "KernelLoops.h"
#undef KERNEL_TARGET
// Gathering bytes leaves wide vectors no work, and beside them narrow ones run slower.
constexpr Kernels kKernels = {Kernels::Instructions::avx512, kLanes, depthwise, convolve, avx2::sampleBGR, avx2::samplePlanes};
}  // namespace avx512
#endif

}  // namespace

const Kernels *Kernels::forInstructions(Instructions instructions) {
  switch (instructions) {
    case Instructions::baseline: return &baseline::kKernels;
#if defined(__x86_64__)
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2::kKernels : nullptr;
    case Instructions::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
                 ? &avx512::kKernels
                 : nullptr;
#endif
    default: return nullptr;
  }
}

const Kernels *Kernels::best() {
  for (const Instructions instructions : {Instructions::avx512, Instructions::avx2}) {
    if (const Kernels *kernels = forInstructions(instructions)) return kernels;
  }
  return &baseline::kKernels;
}

}  // namespace faceplay
