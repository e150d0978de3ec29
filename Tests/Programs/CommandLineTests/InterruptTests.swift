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

  @Test("Two signals in quick succession end cleanly")
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
      #expect(outcome.code == 0 && outcome.errors.contains("Played "))
    }
  }

  @Test("Ctrl-C and the signal of a wrapper within 300 ms count once")
  func twiceAtOnce() async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live(), .send(Clip.mp3(20).bytes), .stall])
      defer { station.close() }
      let program = try Program(["play", "--output", "null", station.url()])
      #expect(program.waitForError("Playing after"))
      // A stopped process receives both signals at the same time when it continues.
      for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { kill(program.identifier, signal) }
      let outcome = try program.waitForEnd(within: 5)
      #expect(outcome.code == 0 && outcome.errors.contains("Played "), "\(outcome.errors)")
    }
  }

  @Test("A second Ctrl-C, 300 ms after the first, ends a program that cannot end cleanly")
  func later() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let pipe = folder.path + "/events"
      mkfifo(pipe, 0o600)
      // A full pipe whose reader reads nothing: the program waits in its first event.
      let reader = open(pipe, O_RDWR | O_NONBLOCK)
      defer { close(reader) }
      let block = [UInt8](repeating: 10, count: 4_096)
      while write(reader, block, block.count) > 0 {}
      let program = try Program(["play", "--output", "null", "--events", pipe, "http://127.0.0.1:9/"])
      let status = "/proc/\(program.identifier)/status"
      let interrupt: UInt64 = 1 << UInt64(SIGINT - 1)
      func isCaught() -> Bool {
        let lines = ((try? String(contentsOfFile: status, encoding: .utf8)) ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("SigCgt:") }
        return line.flatMap { UInt64($0.dropFirst(8), radix: 16) }.map { $0 & interrupt != 0 } ?? false
      }
      let end = monotonicSeconds() + 10
      while !isCaught(), monotonicSeconds() < end { usleep(5_000) }
      program.interrupt()
      // The rule depends on the time between the signals.
      usleep(400_000)
      let start = monotonicSeconds()
      program.interrupt()
      let outcome = try program.waitForEnd(within: 5)
      #expect(outcome.code == 130 && monotonicSeconds() - start < aSecond)
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
      let (clip, reached, goes) = (Clip.mp3(1.5), Gate(), Gate())
      let station = try ScriptedStation { visit in
        if visit.path == "/last" { return StationAction.onAir(clip) }
        let response =
          visit.number % 3 == 0
          ? StationAction.response("404 Not Found") : StationAction.response("200 OK", "<html></html>")
        return visit.path == "/20" ? [.open(reached), .gate(goes)] + response : response
      }
      defer { station.close() }
      let places = (0..<300).map { station.url("/\($0)") } + [station.url("/last")]
      let program = try Program(["play", "--output", "null"] + places)
      func state() throws -> (descriptors: Int, memory: Int) {
        let folder = "/proc/\(program.identifier)"
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count
        let status = try String(contentsOfFile: folder + "/status", encoding: .utf8).split(separator: "\n")
        return (descriptors, status.first { $0.hasPrefix("RssAnon") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
      }
      #expect(reached.wait(30))
      let few = try state()
      goes.open()
      #expect(program.waitForError("Playing after", within: 30))
      let many = try state()
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 3)
      #expect(many.descriptors == few.descriptors)
      // A sanitizer retains freed memory.
      if !Sanitizer.isOn { #expect(many.memory < few.memory + 100, "KiB: \(few.memory), then \(many.memory)") }
    }
  }
}
