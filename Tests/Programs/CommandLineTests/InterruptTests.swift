import Foundation
import StationSupport
import TestSupport
import Testing

/// Limit in seconds for an end within one second; a busy machine needs more.
private let aSecond = 2.0

@Suite struct InterruptTests {
  @Test("Ctrl-C ends with a summary and code 0 within a second", arguments: ["playing", "connecting", "waiting"])
  func interrupt(state: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation { _ in
        switch state {
        case "playing": StationAction.onAir(clip)
        case "connecting": [.stall]
        default: StationAction.response("503 Later", headers: ["Retry-After: 20"])
        }
      }
      defer { station.close() }
      let program = try Program(["play", "--output", "null", "--events", "-", station.url()])
      #expect(
        program.waitForError(state == "playing" ? "Playing after" : state == "waiting" ? "Retry 1" : "Connecting to"))
      let start = monotonicSeconds()
      program.interrupt()
      let outcome = try program.waitForEnd(within: 5)
      #expect(monotonicSeconds() - start < aSecond)
      #expect(outcome.code == 0)
      #expect(outcome.events.suffix(2) == ["stopped", "summary"])
      #expect(outcome.outputText.contains(#""reason":"user""#))
      #expect(outcome.errors.contains("Played "))
    }
  }

  @Test("A second Ctrl-C ends at once")
  func twice() async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live(), .send(Clip.mp3(20).bytes), .stall])
      defer { station.close() }
      let program = try Program(["play", "--output", "null", station.url()])
      #expect(program.waitForError("Playing after"))
      let start = monotonicSeconds()
      program.interrupt()
      usleep(2_000)
      program.interrupt()
      let outcome = try program.waitForEnd(within: 5)
      #expect(monotonicSeconds() - start < aSecond)
      #expect(outcome.code == 130 || outcome.code == 0)
    }
  }

  @Test("A signal after Ctrl-C gives exit code 130")
  func twiceAtOnce() async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live(), .send(Clip.mp3(20).bytes), .stall])
      defer { station.close() }
      let program = try Program(["play", "--output", "null", station.url()])
      #expect(program.waitForError("Playing after"))
      // A stopped process receives both signals at the same time when it continues.
      for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { kill(program.identifier, signal) }
      let outcome = try program.waitForEnd(within: 5)
      #expect(outcome.code == 130)
      #expect(!outcome.errors.contains("Played "))
    }
  }

  @Test("A pipe without a reader does not delay Ctrl-C")
  func stuckPipe() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.path + "/pipe"
      mkfifo(path, 0o600)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let program = try Program(
        ["play", "--output", "raw:\(path)", "--pace", "free", Repository.root + "/config/demo/bakelite-demo.mp3"])
      #expect(program.waitForError("Playing after"))
      let start = monotonicSeconds()
      program.interrupt()
      let outcome = try program.waitForEnd(within: 5)
      #expect(monotonicSeconds() - start < aSecond)
      #expect(outcome.code == 0)
    }
  }

  @Test("Three hundred stations in a row leave no memory or descriptors (S4)")
  func thrift() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1.5)
      func state(after count: Int) throws -> (descriptors: Int, memory: Int) {
        let station = try ScriptedStation { visit in
          if visit.path == "/last" { return StationAction.onAir(clip) }
          return visit.number % 3 == 0
            ? StationAction.response("404 Not Found") : StationAction.response("200 OK", "<html></html>")
        }
        defer { station.close() }
        let places = (0..<count).map { station.url("/\($0)") } + [station.url("/last")]
        let program = try Program(["play", "--output", "null"] + places)
        #expect(program.waitForError("Playing after", within: 30))
        let folder = "/proc/\(program.identifier)"
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count
        let status = try String(contentsOfFile: folder + "/status", encoding: .utf8).split(separator: "\n")
        program.interrupt()
        #expect(try program.waitForEnd(within: 5).code == (count == 0 ? 0 : 3))
        return (descriptors, status.first { $0.hasPrefix("RssAnon") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
      }
      let (few, many) = (try state(after: 20), try state(after: 300))
      #expect(many.descriptors == few.descriptors)
      // A sanitizer retains freed memory.
      if !Sanitizer.isOn { #expect(many.memory < few.memory + 600, "KiB: \(few.memory), then \(many.memory)") }
    }
  }
}
