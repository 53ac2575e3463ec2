// What the page calls settings: parts of the player's profile and of the player's file.
import Calibration
import Gestures
import WebService

struct PlayerSettings: Sendable, Equatable {
  var profile: Profile
  var player: PlayerFile.Player

  /// As pages are told.
  var told: PageSettings {
    let (tilt, purse) = (profile.effectiveTilt, profile.effectivePurse)
    func side(_ side: TiltSettings.Side) -> PageSettings.Thresholds.Side {
      PageSettings.Thresholds.Side(begin: side.begin, end: side.end, full: side.full)
    }
    var told = PageSettings(
      profile: profile.name,
      thresholds: PageSettings.Thresholds(
        left: side(tilt.left), right: side(tilt.right), purseBegin: purse.begin, purseEnd: purse.end))
    told.nickname = player.nickname
    told.character = player.character
    told.sensitivity = PageSettings.Sensitivity(tilt: profile.sensitivity.tilt, purse: profile.sensitivity.purse)
    told.curve = profile.tilt.curve
    told.isInverted = profile.tilt.isInverted
    told.allowsDouble = profile.jump.allowsDouble
    told.pictureSize = player.pictureSize
    told.volume = player.volume
    told.guideSeen = player.guideSeen
    return told
  }

  /// Throws what is wrong with the profile that this would be.
  func changed(by change: PageSettings) throws -> PlayerSettings {
    var new = self
    new.profile.sensitivity.tilt = change.sensitivity?.tilt ?? profile.sensitivity.tilt
    new.profile.sensitivity.purse = change.sensitivity?.purse ?? profile.sensitivity.purse
    new.profile.tilt.curve = change.curve ?? profile.tilt.curve
    new.profile.tilt.isInverted = change.isInverted ?? profile.tilt.isInverted
    new.profile.jump.allowsDouble = change.allowsDouble ?? profile.jump.allowsDouble
    new.player.nickname = change.nickname ?? player.nickname
    new.player.character = change.character ?? player.character
    new.player.pictureSize = change.pictureSize ?? player.pictureSize
    new.player.volume = change.volume ?? player.volume
    new.player.guideSeen = change.guideSeen ?? player.guideSeen
    try new.profile.validate()
    return new
  }
}
