import Foundation
import StationSupport
import TestSupport
import Testing

@testable import bakelite

@Suite struct RetryWordsTests {
  @Test("A new cause is reported at once, then at growing intervals, whatever its figures")
  func growingPauses() {
    var words = RetryWords()
    let told = (0..<3_600).filter { words.isTold("radio.example sent nothing for \($0) s.", at: Double($0)) }
    #expect(told == [0, 10, 30, 70, 150, 310, 630, 1_230, 1_830, 2_430, 3_030])
  }

  @Test("Another cause is reported at once, and an old one that returns is new")
  func otherCauses() {
    var words = RetryWords()
    let heard = [
      ("It refuses connections.", 0.0), ("It sent nothing for 3 s.", 1), ("It refuses connections.", 2),
      ("It sent nothing for 4 s.", 3), ("It refuses connections.", 200),
    ]
    let told = heard.map { words.isTold($0.0, at: $0.1) }
    #expect(told == [true, true, false, false, true])
  }

  @Test("Endless causes are not reported endlessly")
  func manyCauses() {
    var words = RetryWords()
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let told = (0..<600).count { words.isTold("\(letters[$0 % 26])\(letters[$0 / 26])", at: Double($0)) }
    #expect(told < 200)
  }

  @Test("On a terminal the attempts rewrite one line")
  func oneLine() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live(), .send(clip.bytes)] : StationAction.response("503 Busy")
      }
      defer { station.close() }
      let text = try Self.onTerminal(["play", "--output", "null", "--retry", "4", station.url()])
      #expect(station.visits.count == 5)
      let lines = text.split(separator: "\r\n").map { $0.split(separator: "\r").last.map(String.init) ?? "" }
      #expect(text.contains("Reconnecting: 127.0.0.1 cannot serve the station now (503)  try 4"), "the line tells it")
      #expect(!lines.contains { $0.contains("Reconnecting") }, "and is rewritten: \(lines)")
      #expect(lines.count { $0.contains("answered 503") } == 1)
    }
  }

  @Test("Elsewhere each cause is one line")
  func aLineForEachCause() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live(), .send(clip.bytes)] : StationAction.response("503 Busy")
      }
      defer { station.close() }
      let outcome = try Program.run("play", "--output", "null", "--retry", "4", station.url())
      let lines = outcome.errors.split(separator: "\n")
      #expect(station.visits.count == 5)
      #expect(lines.count { $0.contains(" Retry ") } == 2, "it closed the connection, and then it was busy: \(lines)")
    }
  }

  @Test(
    "The live line of a reconnecting radio starts with state and reason at any width",
    arguments: [
      (100, "Reconnecting: radio.example, port 8000, refuses connections  try 12  [#####-----]  5 s buffered"),
      (83, "Reconnecting: radio.example, port 8000, refuses connections  try 12  5 s buffered"),
      (74, "Reconnecting: radio.example, port 8000, refuses connections  5 s buffered"),
      (60, "Reconnecting: radio.example, port 8000, refuses connections"),
      (39, "Reconnecting: radio.example, port 8000…"), (12, "Reconnectin…"),
    ])
  func retryLine(width: Int, line: String) {
    var text = LiveText()
    (text.heard, text.held, text.capacity) = (60, 5, 300)
    let reason = "radio.example, port 8000, refuses connections; check the port, or wait until the station is back."
    text.retry = LiveText.Retry(reason: reason, attempt: 12)
    #expect(text.line(width: width) == line)
    text.heard = 0
    #expect(text.line(width: 40).hasPrefix("Connecting: radio.example, port 8000"), "it has not played yet")
    text.state = .paused
    #expect(text.line(width: 40).hasPrefix("Paused: radio.example, port 8000"))
  }

  @Test(
    "A clock formats any number",
    arguments: [
      (0.0, "0:00"), (62, "1:02"), (3_723, "1:02:03"), (-1, "0:00"), (.nan, "0:00"), (1e300, "277777:46:40"),
    ])
  func clock(seconds: Double, text: String) { #expect(LiveText.clock(seconds) == text) }

  @Test(
    "The live line drops its bars before the title",
    arguments: [
      (94, "Playing    1:02  [#####-----] 5 s buffered  |====    |  3 s behind  Nina Simone - Sinnerman"),
      (88, "Playing    1:02  [#####-----] 5 s buffered  |====    |  3 s behind  Nina Simone - Sinne…"),
      (83, "Playing    1:02  [#####-----] 5 s buffered  3 s behind  Nina Simone - Sinnerman"),
      (64, "Playing    1:02  5 s buffered  3 s behind  Nina Simone - Sinner…"),
      (40, "Playing    1:02  Nina Simone - Sinnerman"), (20, "Playing    1:02  Ni…"),
    ])
  func playingLine(width: Int, line: String) {
    var text = LiveText()
    (text.state, text.heard, text.held, text.capacity) = (.playing, 62, 5, 300)
    (text.timeShift, text.level, text.name) = (3, -24, "Nina Simone - Sinnerman")
    #expect(text.line(width: width) == line)
    text.note = "A recording needs a path."
    #expect(text.line(width: 60) == "Playing    1:02  A recording needs a path.", "a note has the whole line")
    text.note = nil
    text.marks = ["REC 0:05", "sleep 29 min"]
    #expect(text.line(width: 60) == "Playing    1:02  REC 0:05  sleep 29 min  Nina Simone - Sinn…", "the marks stay")
    text.retry = LiveText.Retry(reason: "It is away.", attempt: 2)
    #expect(text.line(width: 60) == "Reconnecting: It is away  REC 0:05  sleep 29 min")
    #expect(text.line(width: 40) == "Reconnecting: It is away")
    (text.retry, text.marks) = (nil, [])
    text.name = "宇多田ヒカル - 初恋"
    let columns = text.line(width: 30).reduce(0) { $0 + ($1.isASCII || $1 == "…" ? 1 : 2) }
    #expect((29...30).contains(columns), "wide letters take two columns")
  }

  static func onTerminal(_ arguments: [String]) throws -> String {
    var (side, program): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&side, &program, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    defer { close(side) }
    let process = Process()
    process.executableURL = Program.folder.appendingPathComponent("bakelite")
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.standardError = FileHandle(fileDescriptor: program)
    try process.run()
    close(program)
    var (text, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(side, &bytes, bytes.count)
      guard count > 0 else { break }
      text += bytes.prefix(count)
    }
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
