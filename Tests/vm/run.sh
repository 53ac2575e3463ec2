#!/bin/bash
# The product against real camera drivers in a virtual machine: builds what that needs, and runs cameras.sh in it.
# Usage: Tests/vm/run.sh [CASE…]: all cases, or those whose names hold one of the words.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v qemu-system-x86_64 >/dev/null; then
  echo "skipped: no QEMU here (apt-get install --no-install-recommends qemu-system-x86)"
  exit 0
fi

export VMDIR=$PWD/.build/vm
work=$VMDIR/work
mkdir -p "$work"
gcc-12 -O2 -Wall -Wextra -o "$work/usb-camera" Tests/vm/usb-camera.c

# NAME WIDTH HEIGHT OPTIONS…: pictures of the demo clip. Small JPEGs: emulated processors take long over large ones.
film() {
  local name=$1 size=$2:$3
  shift 3
  [ -e "$work/$name" ] || ffmpeg -v error -nostdin -i clips/demo.mp4 -vf "scale=$size" "$@" "$work/$name"
}
film demo.mjpeg 640 480 -t 10 -c:v mjpeg -q:v 24 -f mjpeg
film odd.mjpeg 641 479 -t 1 -c:v mjpeg -q:v 24 -f mjpeg
film demo.yuyv 640 480 -t 0.5 -pix_fmt yuyv422 -f rawvideo
# For rates: flat colour, so that the emulated processor is done with a picture well before the next one.
[ -e "$work/flat.mjpeg" ] || ffmpeg -v error -nostdin -f lavfi -i color=0x806040:size=640x480:duration=1 \
  -c:v mjpeg -f mjpeg "$work/flat.mjpeg"

Tests/vm/boot.sh -t 1500 Tests/vm/cameras.sh "$PWD/.build/release/faceplay" "$work" "$@"
