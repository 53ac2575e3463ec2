#!/bin/bash
# Builds the C++ room and its boundary test with the address and undefined-behaviour sanitizers and runs it.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/.build/boundary
mkdir -p "$build"
clang++ -fuse-ld=lld -std=c++17 -O1 -g -Wall -Wextra -Werror \
  -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
  -isystem /usr/include/opencv4 -I "$root/Sources/CFaceLandmarker/include" \
  "$root/Tests/CFaceLandmarkerTests/boundary-test.cpp" "$root/Sources/CFaceLandmarker"/*.cpp \
  -lopencv_dnn -lopencv_core -lnettle -o "$build/boundary-test"
"$build/boundary-test" "$root/models"
