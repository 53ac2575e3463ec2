# Everything faceplay needs, from a fresh Debian 12 with the Swift toolchain.

BUILD_PACKAGES := libopencv-core-dev libopencv-dnn-dev \
  libavformat-dev libavcodec-dev libavutil-dev libswscale-dev nettle-dev \
  libjpeg62-turbo-dev libv4l-dev libopenh264-dev libwebsockets-dev
TEST_PACKAGES := ffmpeg python3-jsonschema
PAGE_PACKAGES := chromium chromium-driver python3-selenium python3-venv fonts-noto-cjk
ARM_PACKAGES := g++-aarch64-linux-gnu qemu-user-static
VM_PACKAGES := qemu-system-x86 gcc-12 libc6-dev make kmod cpio python3 v4l-utils ffmpeg
CASES := $(or $(FACEPLAY_CASES),../shared/cases)
FACEPLAY := .build/release/faceplay
RELEASE := -c release --static-swift-stdlib --product faceplay

.PHONY: play test release test-vm test-arm64 test-threads sanitize bench bench-check lint fuzz coverage eval screenshot models

play: release
	$(FACEPLAY) play

test: packages-test
	swift build --build-tests
	# One at a time: live tests want the processor to themselves.
	swift test --skip-build --no-parallel

# The program against real camera drivers in a virtual machine: all cases, or those that hold a word of VM_CASES.
# Skipped, with a word, where there is no QEMU.
test-vm: release
	-@.ci/packages $(VM_PACKAGES)
	Tests/vm/run.sh $(VM_CASES)

# The networks' engine on an arm64 processor, emulated, against this one; skipped, with a word, where it cannot be had.
test-arm64: packages-build
	-@.ci/packages $(ARM_PACKAGES)
	Tests/CFaceLandmarkerTests/arm64.sh

release: packages-build
	swift build $(RELEASE)

# Gesture accuracy at each preset, on the bundled clip and on whatever cases there are.
eval: release
	for preset in low medium high; do \
	  $(FACEPLAY) evaluate --profile $$preset clips/demo.mp4 $(wildcard $(CASES)/*.mp4) $(wildcard $(CASES)/traces/*.fplm) || exit; \
	done

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift

fuzz: packages-test
	Tests/Fuzz/run.sh $(or $(SECONDS_EACH),60)

# Capture, tracking and sessions under the thread sanitizer.
test-threads: export TSAN_OPTIONS = exitcode=0 log_path=$(CURDIR)/.build/tsan/report
test-threads: packages-test
	swift build --sanitize=thread --build-path .build/tsan --build-tests
	rm -f .build/tsan/report.*
	swift test --sanitize=thread --build-path .build/tsan --skip-build --no-parallel \
	  --filter 'FramesTests|CaptureTests|FacePlayServiceTests|FaceTrackingTests|WebServiceTests'
	.build/tsan/debug/faceplay track clips/demo.mp4 | tail -n 2
	Tests/thread-reports.py $$(ls .build/tsan/report.* 2>/dev/null)

# The landmarker's C interface under address, undefined-behaviour and leak checks, with every engine.
sanitize: packages-build
	Tests/CFaceLandmarkerTests/run.sh

# Cost of each stage, and of MediaPipe in the same run: into docs/benchmarks.md, or against the stored thresholds. Then
# the game's engine, the encoder beside x264 and the service with a page (both added when the page is written), and the
# latency from frame to events with the demo clip paced as a camera, by either engine.
bench bench-check: release .build/bench-venv
	@.ci/packages $(TEST_PACKAGES) $(PAGE_PACKAGES)
	for product in StageBenchmark EngineBenchmark EncodingBenchmark; do \
	  swift build -c release --static-swift-stdlib --product $$product || exit; \
	done
	python3 Benchmarks/bench.py $(if $(filter bench,$@),--write docs/benchmarks.md,--check Benchmarks/thresholds.json)
	.build/release/EngineBenchmark levels/comet.json
	python3 Benchmarks/encoding.py $(if $(filter bench,$@),>>docs/benchmarks.md)
	/usr/bin/python3 Benchmarks/service.py $(FACEPLAY) $(if $(filter bench,$@),>>docs/benchmarks.md)
	for engine in fused dnn; do echo "$$engine:"; $(FACEPLAY) track clips/demo.mp4 --engine $$engine | tail -n 1; done

.build/bench-venv: Benchmarks/requirements.txt
	python3 -m venv $@
	$@/bin/pip install --quiet --requirement $<
	touch $@

# Line coverage of the pure rooms.
coverage: packages-test
	swift test --enable-code-coverage >/dev/null
	python3 Tests/coverage.py "$$(swift test --show-codecov-path)"

# The README's pictures.
screenshot: packages-test release
	python3 docs/screenshot.py $(FACEPLAY) clips/demo.mp4 16 docs/track.svg
	.ci/packages $(PAGE_PACKAGES)
	/usr/bin/python3 docs/page-screenshots.py $(FACEPLAY) clips/demo.mp4 docs

# Makes the networks again from their published originals; models/README.md says how.
models:
	python3 -m venv .build/models-venv
	.build/models-venv/bin/pip install --quiet --requirement models/requirements.txt
	.build/models-venv/bin/pip download --quiet mediapipe==0.10.14 --no-deps --only-binary :all: \
	  --python-version 3.11 --platform manylinux_2_17_x86_64 --dest .build/models-wheel
	.build/models-venv/bin/python models/convert.py .build/models-wheel/mediapipe-0.10.14-*.whl models

# packages-build, packages-test: installs what is missing, or says how.
packages-%:
	@.ci/packages $(BUILD_PACKAGES) $(if $(filter test,$*),$(TEST_PACKAGES) $(PAGE_PACKAGES))
