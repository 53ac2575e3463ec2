// Test support: the levels that come with the program, and made-up ones.
import CosmicAdventure
import Fixtures
import Foundation

extension Level {
  static func named(_ name: String) throws -> Level {
    try Level(json: Data(contentsOf: Checkout.root.appending(path: "levels/\(name).json")))
  }

  /// Rungs as x, top and width.
  static func of(
    _ rungs: [(Double, Double, Double)], timeLimit: Double? = 60, monsterSpeed: Double = 60
  ) throws -> Level {
    let platforms = rungs.map { #"{"x": \#($0.0), "top": \#($0.1), "width": \#($0.2)}"# }.joined(separator: ",")
    let limit = timeLimit.map { #""timeLimit": \#($0),"# } ?? ""
    return try Level(
      json: Data(
        #"""
        {"schema": "faceplay-level/1", "name": "test", "title": "Test", "halfWidth": 195, \#(limit)
         "monsterSpeed": \#(monsterSpeed), "platforms": [\#(platforms)]}
        """#.utf8))
  }

  /// A floor as wide as the world with the goal out of reach.
  static func floor(timeLimit: Double? = 60) throws -> Level {
    try of([(0, 0, 390), (194, 280, 1)], timeLimit: timeLimit)
  }
}
