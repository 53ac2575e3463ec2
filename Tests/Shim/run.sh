#!/bin/bash
# Builds the C++ room and its self-test with the address and undefined-behaviour sanitizers and runs it.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/.build/shim
mkdir -p "$build"
clang++ -fuse-ld=lld -std=c++17 -O1 -g -Wall -Wextra -Werror \
  -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
  -isystem /usr/include/opencv4 -I "$root/Sources/CFaceLandmarker/include" \
  "$root/Tests/Shim/ShimTest.cpp" "$root/Sources/CFaceLandmarker"/*.cpp \
  -lopencv_dnn -lopencv_core -lnettle -o "$build/ShimTest"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$build/ShimTest" "$root/models" "$scratch"
