// The texts of messages.
import Fixtures
import Foundation
import Testing

@testable import WebService

@Suite("Messages")
struct MessageTests {
  @Test(
    "Messages of pages are read",
    arguments: [
      (#"{"type":"video","on":true}"#, .video(on: true)),
      (#"{"type":"landmarks","on":false}"#, .landmarks(on: false)),
      (#"{"type":"control","more":1}"#, .takeControl),
      (#"{"type":"getSettings"}"#, .getSettings),
      (#"{"type":"calibration","action":"start","language":"ko"}"#, .calibration(.start(language: "ko"))),
      (#"{"type":"game","action":"start","level":"level-1"}"#, .game(.start(level: "level-1"))),
      (#"{"type":"game","action":"respawn"}"#, .game(.respawn)),
      (#"{"type":"steer","value":-0.5}"#, .steer(-0.5)),
      (#"{"type":"jump"}"#, .jump),
      (#"{"type":"record","on":true}"#, .record(on: true)),
      (#"{"type":"snap"}"#, .snap),
    ] as [(String, ClientMessage)])
  func reading(text: String, message: ClientMessage) throws {
    #expect(try ClientMessage(text: text) == message)
  }

  @Test("Settings are read as far as they are there")
  func settings() throws {
    let text = """
      {"type":"setSettings","settings":{"nickname":"하나 🦊","pictureSize":"large","volume":0.3,
      "sensitivity":{"tilt":9.5},"profile":"high"}}
      """
    guard case .setSettings(let settings) = try ClientMessage(text: text) else {
      Issue.record("not settings")
      return
    }
    #expect(settings.nickname == "하나 🦊")
    #expect(settings.pictureSize == .large)
    #expect(settings.volume == 0.3)
    #expect(settings.sensitivity == PageSettings.Sensitivity(tilt: 9.5))
    #expect(settings.profile == nil, "only told, never changed")
    #expect(settings.guideSeen == nil)
  }

  @Test(
    "What is wrong with a message is named",
    arguments: [
      ("", "message"), ("[1]", "message"), (#""text""#, "message"), (#"{"type":"#, "message"),
      (#"{}"#, "type"), (#"{"type":1}"#, "type"), (#"{"type":"dance"}"#, "type"),
      (#"{"type":"video"}"#, "on"), (#"{"type":"video","on":"yes"}"#, "on"), (#"{"type":"video","on":null}"#, "on"),
      (#"{"type":"steer","value":1.1}"#, "value"), (#"{"type":"steer","value":1e999}"#, "message"),
      (#"{"type":"steer","value":NaN}"#, "message"),
      (#"{"type":"game","action":"win"}"#, "action"), (#"{"type":"game","action":"start"}"#, "level"),
      (#"{"type":"game","action":"start","level":"../etc"}"#, "level"),
      (#"{"type":"game","action":"start","level":""}"#, "level"),
      (#"{"type":"calibration","action":"skip"}"#, "action"),
      (#"{"type":"setSettings","settings":{"nickname":""}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"a\u0000b"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"aaaaaaaaaaaaaaaaaaaaaaaaa"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"  \u3000"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"\u200d\u200d"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"ab\u202Edc"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"\u3164"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"nickname":"a\u2028b"}}"#, "nickname"),
      (#"{"type":"setSettings","settings":{"character":"zzz"}}"#, "character"),
      (#"{"type":"setSettings","settings":{"volume":2}}"#, "volume"),
      (#"{"type":"setSettings","settings":{"pictureSize":"huge"}}"#, "pictureSize"),
      (#"{"type":"setSettings","settings":{"sensitivity":{"tilt":-1}}}"#, "tilt"),
      (#"{"type":"setSettings","settings":{"curve":0}}"#, "curve"),
    ])
  func problems(text: String, field: String) {
    #expect { try ClientMessage(text: text) } throws: { ($0 as? MessageProblem)?.field == field }
  }

  @Test("Names as people write them may be had", arguments: ["하나 🦊", "Zoë", "👩🏽‍🚀", "1", "नमस्ते", "❤️"])
  func nicknames(name: String) throws {
    #expect(try name.checkedNickname() == name)
  }

  @Test("The characters that may be chosen are those that the page draws")
  func characters() throws {
    let drawn = try String(contentsOf: Checkout.root.appending(path: "page/characters.js"), encoding: .utf8)
      .matches(of: /(?m)^  (\w+): { body:/).map { String($0.1) }
    #expect(drawn == PageSettings.Character.allCases.map(\.rawValue))
  }

  @Test("Deep nesting is refused, not followed")
  func nesting() {
    let text = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
    #expect(throws: MessageProblem.self) { try ClientMessage(text: text) }
  }

  @Test(
    "Messages of the service are JSON with their type",
    arguments: [
      (
        .hello(controls: true, pages: 2, key: AccessKey(hexadecimal: String(repeating: "0f", count: 32))!),
        #"{"type":"hello","version":1,"controls":true,"pages":2,"key":"\#(String(repeating: "0f", count: 32))"}"#
      ),
      (.saved(name: "a"), #"{"type":"saved","name":"a"}"#),
      (.error(.refused, message: "no"), #"{"type":"error","code":"refused","message":"no"}"#),
      (
        .calibration(CalibrationState(.recording)),
        #"{"type":"calibration","calibration":{"phase":"recording","progress":0,"lines":[]}}"#
      ),
      (
        .video(VideoFormat(codec: "avc1.42E01F", width: 640, height: 480), stream: 3),
        #"{"type":"video","stream":3,"video":{"codec":"avc1.42E01F","width":640,"height":480}}"#
      ),
      (
        .status(ServiceStatus(source: "cam", rate: .nan, latency: 2, isRecording: false)),
        #"{"type":"status","status":{"source":"cam","rate":"NaN","latency":2,"demo":false,"isRecording":false}}"#
      ),
    ] as [(ServerMessage, String)])
  func writing(message: ServerMessage, expected: String) throws {
    let objects = try [Data(message.json), Data(expected.utf8)].map { try JSONSerialization.jsonObject(with: $0) }
    #expect(objects[0] as? NSDictionary == objects[1] as? NSDictionary)
  }
}
