// Exit statuses, after sysexits.h.
import Calibration
import Capture
import FacePlayService
import FaceTracking
import GestureStream
import VideoEncoding
import WebService

enum ExitStatus: Int32, Sendable {
  case ok = 0
  case usage = 64
  /// An input is not what it should be.
  case data = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case system = 71
  /// A file of the installation is missing or altered.
  case systemFile = 72
  case cannotCreate = 73
  case inputOutput = 74
  case noPermission = 77
  case configuration = 78
  /// Ended by SIGHUP, SIGINT or SIGTERM before the work was done: 128 and the signal's number, as shells tell it.
  case hangUp = 129
  case interrupted = 130
  case terminated = 143

  init(_ error: any Error) {
    self =
      switch error {
      case is UsageError, is NothingLeftError: .usage
      case let error as CaptureError: Self(error)
      case let error as StreamReadError: if case .unreadable = error.cause { .noInput } else { .data }
      case let error as StreamWriteError: Self(error)
      case let error as TruthError: if case .missing = error { .noInput } else { .data }
      case let error as FaceTrackerError: Self(error)
      case let error as VideoEncodingError: if case .unsupported = error { .unavailable } else { .software }
      case is DataFileError, is LevelFileError, is CalibrationScriptError: .systemFile
      case is RunFileError: .data
      case let error as PageServerError: Self(error)
      case is PlayError, is PlayerInUseError: .unavailable
      case let error as ProfileError: Self(error)
      case let error as ProfileSaveError: Self(error.cause)
      default: .software
      }
  }

  private init(_ error: CaptureError) {
    self =
      switch error {
      case .fileNotFound, .noPermission, .notARegularFile, .unreadable: .noInput
      case .notAVideo, .noVideoStream, .tooLarge, .noPictures: .data
      case .noCamera, .noSuchCamera, .ambiguousCamera, .noSuchDevice, .notACamera: .noInput
      case .noDecoder, .cameraBusy, .noUsableMode: .unavailable
      case .cameraDenied: .noPermission
      case .cameraFailed: .inputOutput
      case .outOfMemory: .system
      }
  }

  private init(_ error: PageServerError) {
    self =
      switch error {
      case .portInUse: .unavailable
      case .portDenied: .noPermission
      case .noSuchAddress: .usage
      case .failed: .system
      }
  }

  private init(_ error: StreamWriteError) {
    self =
      switch error.kind {
      case .noPermission: .noPermission
      case .readOnlyFileSystem, .noSuchFolder, .notAFile, .exists: .cannotCreate
      case .diskFull, .closedPipe, .other: .inputOutput
      case .interrupted: Interruption.status(default: .inputOutput)
      }
  }

  private init(_ error: ProfileError) {
    self =
      switch error {
      case .badName, .reservedName: .usage
      case .unknown, .unreadable: .noInput
      case .exists: .cannotCreate
      case .notAProfile, .setAside, .futureVersion, .unworkable: .configuration
      }
  }

  private init(_ error: FaceTrackerError) {
    self =
      switch error {
      case .modelMissing, .modelUnreadable, .modelAltered, .modelRejected: .systemFile
      case .unusablePicture: .data
      case .engineUnavailable: .unavailable
      case .failed: .software
      }
  }
}
