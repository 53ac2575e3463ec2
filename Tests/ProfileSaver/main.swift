// Saves a profile over and over, for a test that kills it amid that: ProfileSaver FOLDER.
import Calibration
import Gestures
import Glibc

let store = ProfileStore(folder: CommandLine.arguments[1])
var profile = Profile(name: "player")
putchar(0)
fflush(nil)
while true {
  profile.sensitivity.tilt = profile.sensitivity.tilt == 100 ? 0 : 100
  try await store.save(profile)
}
