#!/bin/bash
# Runs one command as root under a stock Debian kernel with real V4L2 drivers, in QEMU, and exits with its status.
#
# The guest sees this machine's root folder through an overlay: what it writes is thrown away, and nothing is installed
# here. The kernel's packages are downloaded and unpacked once, into $VMDIR. The drivers vivid, v4l2loopback
# (/dev/video10), vhci_hcd and uvcvideo are loaded, and udev runs. Standard output and error arrive as they are written.
#
# Usage: boot.sh [-t SECONDS] COMMAND [ARGUMENT…]; boot.sh --setup prepares $VMDIR only.
# Status: the command's; 124 when the time is up (600 s); 125 when the machine does not start or dies.
# Needs: qemu-system-x86 gcc-12 make kmod cpio python3
set -uo pipefail

VMDIR=${VMDIR:-$(cd "$(dirname "$0")/../.." && pwd)/.build/vm}
modules=(
  # One webcam; two bits an input say which kind it is, 0 = webcam.
  'vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0 vid_cap_nr=0'
  'v4l2loopback devices=1 video_nr=10 card_label=loopback exclusive_caps=1'
  vhci_hcd
  uvcvideo
)

fail() {
  echo "boot: $*" >&2
  exit 125
}

# The kernel package to use: the one in $VMDIR/debs, or else the newest that apt offers, downloaded with what belongs to
# it. The cloud kernel has no media drivers.
fetch_kernel() {
  local version
  version=$(cd "$VMDIR/debs" && find . -name 'linux-image-*.deb' | sed -n '1s/.*linux-image-\([^_]*\)_.*/\1/p')
  if [ -z "$version" ]; then
    version=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-//p' | head -n 1)
    [ -n "$version" ] || { echo "apt knows no linux-image-amd64; run apt-get update" >&2; return 1; }
    (cd "$VMDIR/debs" && apt-get -qq -o APT::Sandbox::User=root download "linux-image-$version" \
      "linux-headers-$version" "linux-headers-${version%-amd64}-common" "linux-kbuild-$(cut -d. -f1,2 <<<"$version")" \
      v4l2loopback-dkms busybox-static udev) >&2 || return 1
  fi
  echo "$version"
}

unpack() {
  local folder=$1 pattern
  shift
  for pattern in "$@"; do
    local package
    for package in "$VMDIR"/debs/$pattern; do dpkg -x "$package" "$folder" || return 1; done
  done
}

# Debian's kernel image is compressed; unpacked once here, it need not be at each start. QEMU boots the ELF file inside.
unpack_kernel() {
  python3 - "$1" "$2" <<'PYTHON'
import lzma, sys
image = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(lzma.LZMADecompressor().decompress(image[image.index(b"\xfd7zXZ\0"):]))
PYTHON
}

# v4l2loopback comes as source.
build_loopback() {
  local version=$1 headers="$VMDIR/unpacked/usr/src/linux-headers-$1"
  sed -i "s#^include /usr/src/#include $VMDIR/unpacked/usr/src/#" "$headers/Makefile"
  cp -r "$VMDIR"/unpacked/usr/src/v4l2loopback-* "$VMDIR/loopback"
  make -s -C "$headers" M="$VMDIR/loopback" modules >&2
}

# What is laid over this machine's root: modules and udev. /lib stays this machine's link.
make_layer() {
  local version=$1 layer=$VMDIR/layer from=$VMDIR/unpacked
  mkdir -p "$layer"/usr/{bin,lib/modules} "$layer/etc"
  mv "$from/lib/modules/$version" "$layer/usr/lib/modules/" || return 1
  mkdir -p "$layer/usr/lib/modules/$version/extra"
  strip -g -o "$layer/usr/lib/modules/$version/extra/v4l2loopback.ko" "$VMDIR/loopback/v4l2loopback.ko" || return 1
  cp -a "$from/bin/udevadm" "$layer/usr/bin/"
  cp -a "$from/lib/udev" "$layer/usr/lib/"
  cp -a "$from/etc/udev" "$layer/etc/"
  ln -sf ../../bin/udevadm "$layer/usr/lib/udev/systemd-udevd"
  ln -sfn usr/lib "$layer/lib"
  depmod -b "$layer" "$version" || return 1
  rm "$layer/lib"
}

# The first root: busybox and the modules that reach the shared folders, in the order of their dependencies.
make_initrd() {
  local version=$1 root=$VMDIR/initrd.root name file
  local tree=$VMDIR/layer/usr/lib/modules/$version
  mkdir -p "$root"/{bin,lib,proc,sys,dev,host,layer,upper,root,control}
  cp "$VMDIR/unpacked/bin/busybox" "$root/bin/"
  for name in virtio_pci virtio_console 9p 9pnet_virtio overlay; do
    for file in $(sed -n "s/:/ /; /\/$name\.ko /p" "$tree/modules.dep" | tr ' ' '\n' | tac); do
      [ -e "$root/lib/$(basename "$file")" ] && continue
      cp "$tree/$file" "$root/lib/" && basename "$file" >>"$root/lib/order"
    done
  done
  guest_init >"$root/init"
  chmod 755 "$root/init"
  (cd "$root" && find . | cpio -o -H newc --quiet) >"$VMDIR/initrd"
}

guest_init() {
  cat <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
end() { sync; echo o >/proc/sysrq-trigger; sleep 60; }
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
for module in $(cat /lib/order); do insmod /lib/$module || echo "no $module"; done
share=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o $share,cache=none control /control || end
mount -t 9p -o ro,$share,cache=loose host /host || end
mount -t 9p -o ro,$share,cache=loose layer /layer || end
mount -t tmpfs -o mode=755,size=75% upper /upper; mkdir /upper/upper /upper/work
mount -t overlay -o lowerdir=/layer:/host,upperdir=/upper/upper,workdir=/upper/work root /root || end
mkdir -p /root/proc /root/sys /root/dev /root/run /root/tmp
mount -t proc proc /root/proc; mount -t sysfs sysfs /root/sys; mount -t devtmpfs dev /root/dev
mount -t tmpfs -o mode=755 run /root/run
ln -sf /proc/self/fd /root/dev/fd
mkdir -p /root/dev/shm /root/run/control /root/run/udev; mount -t tmpfs shm /root/dev/shm
mount -o bind /control /root/run/control
ip link set lo up
chroot /root /bin/bash /run/control/start
echo $? >/control/status
end
INIT
}

setup() {
  mkdir -p "$VMDIR/debs" || return 1
  exec 8>"$VMDIR/lock"
  flock 8
  [ ! -e "$VMDIR/ready" ] || return 0
  rm -rf "$VMDIR"/{unpacked,loopback,layer,initrd.root}
  local version
  version=$(fetch_kernel) || return 1
  unpack "$VMDIR/unpacked" 'linux-*.deb' 'v4l2loopback*.deb' 'busybox*.deb' 'udev_*.deb' || return 1
  unpack_kernel "$VMDIR/unpacked/boot/vmlinuz-$version" "$VMDIR/vmlinux" || return 1
  build_loopback "$version" && make_layer "$version" && make_initrd "$version" || return 1
  rm -rf "$VMDIR"/{unpacked,loopback,initrd.root}
  touch "$VMDIR/ready"
}

# What the guest's first shell does: drivers, then the command, whose output goes through the two ports.
guest_start() {
  echo 'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root'
  # The shared root looks like a chroot to udevadm, which would then do nothing.
  echo 'export SYSTEMD_IGNORE_CHROOT=1'
  echo '/usr/lib/udev/systemd-udevd --daemon'
  local module
  for module in "${modules[@]}"; do echo "modprobe $module || echo 'no $module'"; done
  echo 'udevadm trigger; udevadm settle -t 20'
  echo 'for port in /sys/class/virtio-ports/vport*; do ln -sf /dev/${port##*/} /run/port-$(cat $port/name); done'
  printf 'cd %q || exit 125\n' "$PWD"
  echo 'exec </dev/null >/run/port-output 2>/run/port-errors'
  printf '%q ' "$@"
  echo
}

share() {
  echo "-fsdev local,id=$1,path=$2,security_model=none,multidevs=remap${3:-} -device virtio-9p-pci,fsdev=$1,mount_tag=$1"
}

# Software emulation: a kernel booted under KVM would be faster, but few test machines let one. Without AVX, which it
# emulates so slowly that a network takes ten times as long.
run_machine() {
  # QEMU leaves descriptors 0 to 2 alone: the ports get pipes of their own.
  exec 3> >(cat) 4> >(cat >&2)
  # The shares are words of their own; no folder here has spaces in its name.
  # shellcheck disable=SC2046
  timeout --foreground "$limit" qemu-system-x86_64 -M pc,usb=off,vmport=off -nodefaults -no-user-config \
    -display none -no-reboot -accel tcg,thread=multi,tb-size=512 -smp 2 -m 2048 \
    -cpu max,la57=off,avx=off,avx2=off,fma=off \
    -kernel "$VMDIR/vmlinux" -initrd "$VMDIR/initrd" \
    -append 'console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check random.trust_cpu=1' \
    -serial "file:$control/console" -device virtio-serial-pci \
    -add-fd fd=3,set=1 -chardev file,id=output,path=/dev/fdset/1,append=on \
    -device virtserialport,chardev=output,name=output \
    -add-fd fd=4,set=2 -chardev file,id=errors,path=/dev/fdset/2,append=on \
    -device virtserialport,chardev=errors,name=errors \
    $(share control "$control") $(share host / ,readonly=on) $(share layer "$VMDIR/layer" ,readonly=on) \
    </dev/null >"$control/qemu" 2>&1
  local status=$?
  exec 3>&- 4>&-
  return $status
}

limit=600
if [ "${1:-}" = -t ]; then
  limit=$2
  shift 2
fi
[ $# -gt 0 ] || fail "which command?"
command -v qemu-system-x86_64 >/dev/null || fail "there is no qemu-system-x86_64"
setup || fail "the machine could not be prepared in $VMDIR"
[ "$1" != --setup ] || exit 0

control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
guest_start "$@" >"$control/start"
run_machine
ended=$?
if [ $ended -eq 124 ]; then
  echo "boot: not done after $limit s" >&2
  exit 124
fi
if [ ! -s "$control/status" ]; then
  tail -n 40 "$control/console" "$control/qemu" >&2
  fail "the machine ended without a status"
fi
exit "$(cat "$control/status")"
