#!/bin/bash
# Builds the fused engine for arm64, runs it on an emulated processor and compares what it computes with this processor's
# plainest instructions. Skipped, with a word, where there is no emulator or cross compiler's library.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/.build/arm64
room=$root/Sources/CFaceLandmarker
[ -d /usr/aarch64-linux-gnu/include ] && command -v qemu-aarch64-static >/dev/null || {
  echo "skipped: no qemu-aarch64-static or no g++-aarch64-linux-gnu"
  exit 0
}
mkdir -p "$build"

# What needs no library: all but the networks on OpenCV and the C boundary.
sources=("$room"/{Crop,FusedNetwork,FusedPlan,Kernels,OnnxGraph,Picture,ProtobufReader}.cpp)
build_for() {
  clang++ "${@:2}" -fuse-ld=lld -std=c++17 -O2 -Wall -Wextra -Werror -isystem /usr/include/opencv4 -I "$room" \
    -I "$room/include" "$root/Tests/CFaceLandmarkerTests/engine-outputs.cpp" "${sources[@]}" -o "$build/outputs-$1"
}
build_for here
build_for arm64 --target=aarch64-linux-gnu -static
"$build/outputs-here" "$root/models" write "$build/here"
qemu-aarch64-static "$build/outputs-arm64" "$root/models" compare "$build/here"
