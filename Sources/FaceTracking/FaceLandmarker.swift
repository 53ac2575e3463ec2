// The networks: faces in a picture, and the landmarks of one face. Owns the C++ landmarker.

import CFaceLandmarker
import FaceGeometry
import Frames

/// Finds faces and their landmarks in single pictures; knows nothing of the frames before.
struct FaceLandmarker: ~Copyable {
  /// A face in a picture, and how sure the detector is of it, 0.5…1.
  struct Detection {
    let place: FacePlace
    let score: Float
  }

  /// A face's landmarks, and how sure the network is of the face, 0…1.
  struct Sighting {
    let landmarks: FaceLandmarks
    let presence: Float
  }

  /// The presence below which there is no face: MediaPipe's `min_tracking_confidence`.
  static let minimumPresence: Float = 0.5
  /// More faces than this in one picture are passed over, the least sure first.
  private static let mostFaces = 32

  let engine: EngineReport
  private let files: ModelFiles
  private let handle: OpaquePointer

  /// Reads and verifies the networks. `engine` and `instructions` are the best ones that can be had, or those named.
  init(
    files: ModelFiles, engine: LandmarkEngine? = nil, instructions: InstructionSet? = nil
  ) throws(FaceTrackerError) {
    var handle: OpaquePointer?
    var error = fl_error()
    let status = Self.withModels(files) { fl_create($0, fl_engine(engine, instructions), &handle, &error) }
    guard status == FL_OK, let handle else { throw FaceTrackerError(error, files: files) }
    self.handle = handle
    self.files = files
    self.engine = EngineReport(handle)
  }

  deinit { fl_destroy(handle) }

  /// The faces in a square part of the picture, surest first. Those that fill less than a tenth of its side are missed.
  func detect(in frame: Frame, square: Square) throws(FaceTrackerError) -> [Detection] {
    var region = fl_region(centre: fl_point(x: square.centre.x, y: square.centre.y), side: square.side, rotation: 0)
    var faces = [fl_face](repeating: fl_face(), count: Self.mostFaces)
    var count = 0
    var error = fl_error()
    let status = Self.withImage(frame) { fl_detect(handle, $0, &region, &faces, faces.count, &count, &error) }
    guard status == FL_OK else { throw FaceTrackerError(error, files: files) }
    return faces.prefix(count).map { face in
      let place = FacePlace(
        topLeft: SIMD2(face.top_left), bottomRight: SIMD2(face.bottom_right),
        leftEye: SIMD2(face.key_points.0), rightEye: SIMD2(face.key_points.1))
      return Detection(place: place, score: face.score)
    }
  }

  /// The landmarks of the face at `place`; `nil` when there is none.
  func landmarks(in frame: Frame, at place: FacePlace) throws(FaceTrackerError) -> Sighting? {
    var region = fl_region(
      centre: fl_point(x: place.centre.x, y: place.centre.y), side: FacePlace.cropMargin * place.size,
      rotation: place.rotation)
    var mesh = fl_mesh()
    var error = fl_error()
    let status = Self.withImage(frame) {
      fl_find_landmarks(handle, $0, &region, Self.minimumPresence, &mesh, &error)
    }
    guard status == FL_OK else { throw FaceTrackerError(error, files: files) }
    guard mesh.presence >= Self.minimumPresence else { return nil }
    let points = withUnsafeBytes(of: &mesh.points) { bytes in
      bytes.bindMemory(to: fl_landmark.self).map { SIMD3($0.x, $0.y, $0.z) }
    }
    guard let landmarks = FaceLandmarks(points) else { return nil }
    return Sighting(landmarks: landmarks, presence: mesh.presence)
  }

  private static func withImage(_ frame: Frame, _ body: (UnsafePointer<fl_image>) -> fl_status) -> fl_status {
    frame.withPixels { bytes in
      var image = fl_image()
      image.pixels = bytes.bindMemory(to: UInt8.self).baseAddress
      image.byte_count = bytes.count
      image.width = Int32(clamping: frame.width)
      image.height = Int32(clamping: frame.height)
      image.bytes_per_row = frame.bytesPerRow
      image.describe(frame.format)
      return body(&image)
    }
  }

  /// Calls `body` with the files as the shim takes them.
  private static func withModels(
    _ files: ModelFiles, _ body: (UnsafePointer<fl_model_file>) -> fl_status
  ) -> fl_status {
    var models: [fl_model_file] = []
    func add(_ rest: ArraySlice<ModelFiles.File>) -> fl_status {
      guard let file = rest.first else { return body(models) }
      return file.path.withCString { path in
        var model = fl_model_file()
        model.path = path
        withUnsafeMutableBytes(of: &model.sha256) { $0.copyBytes(from: file.digest) }
        models.append(model)
        return add(rest.dropFirst())
      }
    }
    return add(files.files[...])
  }
}

extension fl_image {
  fileprivate mutating func describe(_ pixelFormat: PixelFormat) {
    guard case .yuv(let layout, let encoding) = pixelFormat else {
      format = Int32(FL_BGR24)
      return
    }
    format =
      switch layout {
      case .yuyv: Int32(FL_YUYV)
      case .nv12: Int32(FL_NV12)
      case .i420: Int32(FL_I420)
      case .i422: Int32(FL_I422)
      }
    matrix = encoding.matrix == .bt709 ? Int32(FL_BT709) : Int32(FL_BT601)
    is_full_range = encoding.isFullRange ? 1 : 0
  }
}

extension SIMD2<Float> {
  fileprivate init(_ point: fl_point) {
    self.init(point.x, point.y)
  }
}

extension FaceTrackerError {
  fileprivate init(_ error: fl_error, files: ModelFiles) {
    let reason = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let path = files.files.indices.contains(Int(error.model)) ? files.files[Int(error.model)].path : ""
    self =
      switch error.status {
      case FL_MODEL_MISSING: .modelMissing(path: path)
      case FL_MODEL_UNREADABLE: .modelUnreadable(path: path, reason: reason)
      case FL_MODEL_ALTERED: .modelAltered(path: path, reason: reason)
      case FL_MODEL_REJECTED: .modelRejected(path: path, reason: reason)
      case FL_ENGINE_UNAVAILABLE: .engineUnavailable(reason: reason)
      case FL_BAD_ARGUMENT: .unusablePicture(reason: reason)
      default: .failed(reason: reason)
      }
  }
}
