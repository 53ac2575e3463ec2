// A guided calibration in the words that the page shows.
import Calibration
import WebService

extension CalibrationState {
  init(_ status: GuidedCalibration.Status, _ script: CalibrationScript, _ language: Language) {
    switch status.phase {
    case .waitingForFace, .preparing: self.init(.preparing)
    case .measuring: self.init(.recording)
    case .finished: self.init(.done)
    }
    countdown = script.words(status, language)
    activity = status.activity.rawValue
    title = status.title[language]
    prompt = status.prompt[language]
    hint = status.hint.map { script.text($0, language) }
    progress = status.progress
    if let purses = script.purses(status, language) { countdown = (countdown.map { $0 + " · " } ?? "") + purses }
  }
}
