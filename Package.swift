// swift-tools-version: 6.0
// faceplay: play by face. One target a room; docs/design.md draws the arrows between them.
import PackageDescription

/// Debian keeps OpenCV's headers outside the compiler's default path. A root package may name the folder this way;
/// linking `opencv4` through pkg-config instead would load every OpenCV module at each start (300 ms).
let openCVHeaders = CXXSetting.unsafeFlags(["-isystem", "/usr/include/opencv4"])

let package = Package(
  name: "faceplay",
  targets: [
    .target(
      name: "CFFmpeg",
      linkerSettings: ["avformat", "avcodec", "avutil", "swscale"].map { .linkedLibrary($0) }),
    .target(
      name: "CFaceLandmarker",
      // The engine's loops are useless unoptimised, in debug builds too.
      cxxSettings: [openCVHeaders, .unsafeFlags(["-O2"])],
      linkerSettings: ["opencv_core", "opencv_dnn", "nettle"].map { .linkedLibrary($0) }),
    .target(
      name: "CV4L2",
      linkerSettings: ["jpeg", "v4lconvert"].map { .linkedLibrary($0) }),
    .target(name: "CWebSockets", linkerSettings: [.linkedLibrary("websockets")]),
    .target(name: "COpenH264", linkerSettings: [.linkedLibrary("openh264")]),
    .target(name: "Frames"),
    .target(name: "FaceGeometry"),
    .target(name: "Gestures", dependencies: ["FaceGeometry"]),
    .target(name: "GestureStream", dependencies: ["Frames", "Gestures"]),
    .target(name: "Capture", dependencies: ["Frames", "CFFmpeg", "CV4L2"]),
    .target(name: "VideoEncoding", dependencies: ["Frames", "COpenH264", "CFFmpeg"]),
    .target(name: "FaceTracking", dependencies: ["Frames", "FaceGeometry", "CFaceLandmarker"]),
    .target(name: "Calibration", dependencies: ["Gestures", "GestureStream"]),
    .target(name: "Evaluation", dependencies: ["Gestures"]),
    .target(name: "WebService", dependencies: ["Frames", "CWebSockets"]),
    .target(name: "GameEngine"),
    .target(name: "CosmicAdventure", dependencies: ["GameEngine", "Gestures"]),
    .target(
      name: "FacePlayService",
      dependencies: [
        "Capture", "FaceTracking", "GestureStream", "Calibration", "Evaluation", "CosmicAdventure", "VideoEncoding",
        "WebService",
      ]),
    .executableTarget(name: "faceplay", dependencies: ["FacePlayService"]),
    .executableTarget(
      name: "StageBenchmark", dependencies: ["Capture", "FaceTracking", "Gestures"], path: "Benchmarks/Stages"),
    .executableTarget(
      name: "EngineBenchmark", dependencies: ["CosmicAdventure", "Fixtures"], path: "Benchmarks/Engine"),
    .executableTarget(
      name: "EncodingBenchmark", dependencies: ["FacePlayService", "VideoEncoding"], path: "Benchmarks/Encoding"),
    .target(
      name: "Fixtures", dependencies: ["Calibration", "FaceGeometry", "Frames", "GameEngine"], path: "Tests/Fixtures",
      // Pictures are made pixel by pixel: in debug builds that would take most of the tests' time.
      swiftSettings: [.unsafeFlags(["-O"])]),
    .testTarget(name: "FaceGeometryTests", dependencies: ["FaceGeometry", "Fixtures"]),
    .testTarget(name: "GesturesTests", dependencies: ["Gestures", "Fixtures"]),
    .executableTarget(name: "ProfileSaver", dependencies: ["Calibration"], path: "Tests/ProfileSaver"),
    .testTarget(name: "CalibrationTests", dependencies: ["Calibration", "ProfileSaver", "Fixtures"]),
    .testTarget(name: "EvaluationTests", dependencies: ["Evaluation"]),
    .testTarget(name: "GameEngineTests", dependencies: ["GameEngine", "Fixtures"]),
    .testTarget(name: "CosmicAdventureTests", dependencies: ["CosmicAdventure", "Fixtures"]),
    .testTarget(name: "GestureStreamTests", dependencies: ["GestureStream", "Frames", "Fixtures"]),
    .testTarget(name: "FramesTests", dependencies: ["Frames"]),
    .testTarget(name: "CaptureTests", dependencies: ["Capture", "Frames", "CV4L2", "Fixtures"]),
    .testTarget(name: "VideoEncodingTests", dependencies: ["VideoEncoding", "Capture", "Frames", "Fixtures"]),
    .testTarget(name: "FaceTrackingTests", dependencies: ["FaceTracking", "Capture", "Fixtures"]),
    .testTarget(name: "LandmarkEngineTests", dependencies: ["FaceTracking", "Capture", "Fixtures"]),
    .testTarget(name: "WebServiceTests", dependencies: ["WebService", "CWebSockets", "Fixtures"]),
    .testTarget(name: "FacePlayServiceTests", dependencies: ["FacePlayService", "Fixtures"]),
    .executableTarget(
      name: "SyntheticService", dependencies: ["FacePlayService", "Fixtures"], path: "Tests/SyntheticService"),
    .testTarget(name: "PageTests", dependencies: ["SyntheticService", "Fixtures"], exclude: ["Scripts"]),
    .testTarget(name: "CommandLineTests", dependencies: ["faceplay", "Calibration", "Fixtures"]),
    .testTarget(
      name: "ProductTests",
      dependencies: ["faceplay", "Calibration", "GestureStream", "Evaluation", "CosmicAdventure", "Fixtures"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
