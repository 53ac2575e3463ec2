#!/bin/bash
# Builds the fuzz targets with libFuzzer and the address sanitizer and runs each for some seconds (60 if not said).
# Fails on the first finding, a crash, leak or hang, and keeps its input in .build/fuzz/findings. Inputs that reach
# more code stay in .build/fuzz/corpus for the next run.
# Usage: Tests/Fuzz/run.sh [SECONDS_PER_TARGET]
set -euo pipefail

# Each target: <name>Fuzz.swift or <name>Fuzz.cpp with the test and, where text can be kept, Seeds/<name> with inputs to
# start from. name | rooms it needs, each after those it imports | longest input, bytes
targets='
JSONLines | Frames FaceGeometry Gestures GestureStream | 8192
CSV       | Frames FaceGeometry Gestures GestureStream | 4096
Trace     | Frames FaceGeometry Gestures GestureStream | 12288
Landmarker | CFaceLandmarker | 16384
Network | CFaceLandmarker | 4096
H264 | COpenH264 CFFmpeg Frames VideoEncoding | 8192
Camera | CV4L2 | 16384
'

seconds=${1:-60}
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/Tests/Fuzz
build=$root/.build/fuzz
# gold, the default linker, warns of every sanitizer symbol.
flags=(-package-name faceplay -use-ld=lld -O -swift-version 6 -parse-as-library -sanitize=fuzzer,address -I "$build")

# What rooms in C are linked with.
declare -A room_libraries=([COpenH264]='-lopenh264' [CFFmpeg]='-lavformat -lavcodec -lavutil -lswscale')

# A room in C becomes one object, and known to Swift by the module map that the package would make.
build_c_room() {
  local source parts=()
  mkdir -p "$build/$1"
  for source in "$root/Sources/$1"/*.c; do
    parts+=("$build/$1/$(basename "$source" .c).o")
    clang -O1 -g -fsanitize=fuzzer-no-link,address -I "$root/Sources/$1/include" -c "$source" -o "${parts[-1]}"
  done
  ld -r "${parts[@]}" -o "$build/$1.o"
  echo "module $1 { umbrella header \"$root/Sources/$1/include/$1.h\" export * }" >"$build/$1/module.modulemap"
  flags+=(-I "$build/$1")
}

build_room() {
  if compgen -G "$root/Sources/$1/*.c" >/dev/null; then
    build_c_room "$1"
    return
  fi
  swiftc "${flags[@]}" -wmo -module-name "$1" -emit-module -emit-module-path "$build/$1.swiftmodule" \
    -c "$root/Sources/$1"/*.swift -o "$build/$1.o"
}

# A frame with a face and one without.
write_trace_seed() {
  mkdir -p "$build/corpus/Trace"
  {
    echo '{"schema":"faceplay.landmarks/1","points":478,"width":640,"height":480,"fps":30,"scale":16}'
    head -c 8 /dev/zero
    head -c 2870 /dev/zero | tr '\0' 'A'
    head -c 2878 /dev/zero
  } >"$build/corpus/Trace/seed"
}

# A room in C or C++ is built with its target in one go, with the undefined-behaviour sanitizer too.
build_cpp_target() {
  local sanitizers=(-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined) parts=() libraries source part
  case $2 in
    CFaceLandmarker) libraries=(-lopencv_dnn -lopencv_core -lnettle) ;;
    CV4L2) libraries=(-ljpeg -lv4lconvert) ;;
  esac
  for source in "$root/Sources/$2"/*.c; do
    [ -e "$source" ] || continue
    part=$build/$(basename "$source").o
    clang -O1 -g "${sanitizers[@]}" -I "$root/Sources/$2/include" -c "$source" -o "$part"
    parts+=("$part")
  done
  for source in "$root/Sources/$2"/*.cpp; do [ ! -e "$source" ] || parts+=("$source"); done
  clang++ -fuse-ld=lld -std=c++17 -O1 -g "${sanitizers[@]}" -isystem /usr/include/opencv4 \
    -I "$root/Sources/$2/include" -I "$root/Sources/$2" "$here/$1Fuzz.cpp" "${parts[@]}" "${libraries[@]}" -o "$build/$1"
}

export FACEPLAY_MODELS=$root/models
export FACEPLAY_MODELS_SCRATCH=$build
# A grey picture of 16 by 16 in each format with a region turned by 0.3 radians, and a model file that is none.
write_landmarker_seeds() {
  mkdir -p "$build/corpus/Landmarker"
  for format in 0 1 2 3 4; do
    {
      printf "P\\x10\\0\\x10\\0\\x30\\0\\x0$format\\0"
      printf '\0\0\0\x41\0\0\0\x41\0\0\xa0\x41\x9a\x99\x99\x3e\0\0\0\x3f'
      head -c 1536 /dev/zero | tr '\0' '\200'
    } >"$build/corpus/Landmarker/picture-$format"
  done
  printf 'Mno model' >"$build/corpus/Landmarker/model"
}

# Two networks as they are, on each instruction set, and the beginning of one as a file of its own.
write_network_seeds() {
  mkdir -p "$build/corpus/Network"
  for choice in 0 1 4 5 10 11; do printf "\\$choice" >"$build/corpus/Network/choice-$choice"; done
  { printf '\2' && head -c 4000 "$root/models/landmarks-lips.onnx"; } >"$build/corpus/Network/file"
}

# A stream of small pictures as each of the things that bytes are taken for, and files made of boxes.
write_h264_seeds() {
  local stream=$build/H264.stream choice
  mkdir -p "$build/corpus/H264"
  ffmpeg -v error -nostdin -y -f lavfi -i testsrc=size=64x48 -frames:v 4 -c:v libx264 -profile:v baseline \
    -pix_fmt yuv420p -f h264 "$stream"
  for choice in 0 1; do { printf "\\$choice" && cat "$stream"; } >"$build/corpus/H264/stream-$choice"; done
  # Its first unit, the sequence parameter set, stands after a start code of four bytes.
  { printf '\2' && tail -c +5 "$stream" | head -c 24; } >"$build/corpus/H264/set"
  ffmpeg -v error -nostdin -y -i "$stream" -c copy -movflags frag_keyframe -f mp4 "$stream.mp4"
  { printf '\3' && cat "$stream.mp4" && printf '\0\0\0\x1duuida box for fuzzin12345'; } >"$build/corpus/H264/boxes"
  { printf '\3\0\0\0\1uuid\0\0\0\0\0\0\0\x25a box for fuzzin12345\0\0\0\0uuida box for fuzzin'; } \
    >"$build/corpus/H264/long-box"
}

# Small JPEGs of both kinds of planes and of neither, and each other format's 16 by 16, and 4 by 5, in grey.
write_camera_seeds() {
  local folder=$build/corpus/Camera sampling format
  mkdir -p "$folder"
  for sampling in 420 422 444; do
    ffmpeg -v error -nostdin -y -f lavfi -i testsrc2=size=32x24 -frames:v 1 -pix_fmt "yuvj${sampling}p" -c:v mjpeg \
      -huffman default -f mjpeg "$folder/picture"
    { printf '\0\x1f\x17\0\0\0' && cat "$folder/picture"; } >"$folder/jpeg-$sampling"
    rm "$folder/picture"
  done
  for format in 1 2 3 5 6 7 8 9 a b c d e f; do
    { printf "\\x0$format\\x0f\\x0f\\0\\x0$format\\0" && head -c 1024 /dev/zero | tr '\0' '\200'; } >"$folder/raw-$format"
    { printf "\\x0$format\\x03\\x04\\0\\x0$format\\0" && head -c 128 /dev/zero | tr '\0' '\200'; } >"$folder/odd-$format"
  done
}

mkdir -p "$build/findings"
write_trace_seed
write_landmarker_seeds
write_network_seeds
write_h264_seeds
write_camera_seeds
built=' '
while IFS='|' read -r name rooms longest; do
  name=${name// /}
  [ -n "$name" ] || continue
  if [ -f "$here/${name}Fuzz.cpp" ]; then
    build_cpp_target "$name" "${rooms// /}"
  else
    objects=()
    for room in $rooms; do
      [[ $built == *" $room "* ]] || build_room "$room"
      built+="$room "
      objects+=("$build/$room.o" ${room_libraries[$room]-})
    done
    swiftc "${flags[@]}" "$here/${name}Fuzz.swift" "${objects[@]}" -o "$build/$name"
  fi
  mkdir -p "$build/corpus/$name"
  [ ! -d "$here/Seeds/$name" ] || cp "$here/Seeds/$name"/* "$build/corpus/$name"
  echo "$name: $seconds s"
  "$build/$name" -max_total_time="$seconds" -max_len="${longest// /}" -len_control=0 -timeout=10 -rss_limit_mb=1024 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" \
    </dev/null >"$build/$name.log" 2>&1 || {
    tail -n 60 "$build/$name.log"
    exit 1
  }
  grep -E 'executed_units|slowest_unit' "$build/$name.log"
done <<<"$targets"
