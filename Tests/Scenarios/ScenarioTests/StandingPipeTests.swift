import AudioOutput
import CLinux
import Foundation
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct StandingPipeTests {
  private final class Fifo {
    private let folder = TemporaryFolder()
    private var reader: Int32 = -1
    var path: String { folder.path + "/pipe" }

    init() throws { guard mkfifo(folder.path + "/pipe", 0o600) == 0 else { throw POSIXError(.EIO) } }
    deinit { closeReader() }

    var hasReader: Bool { reader >= 0 }

    /// Opens the read end and sets the pipe's capacity in bytes.
    func openReader(capacity: Int32? = nil) {
      reader = open(path, O_RDONLY | O_NONBLOCK)
      if let capacity { _ = fcntl(reader, 1_031, capacity) }  // F_SETPIPE_SZ
    }

    func closeReader() {
      if reader >= 0 { close(reader) }
      reader = -1
    }

    /// Reads up to `most` bytes, without blocking. Returns their number.
    @discardableResult
    func read(_ most: Int = .max) -> Int {
      var (buffer, sum) = ([UInt8](repeating: 0, count: 65_536), 0)
      while sum < most, case let count = Foundation.read(reader, &buffer, min(buffer.count, most - sum)), count > 0 {
        sum += count
      }
      return sum
    }

    var waiting: Int {
      var count: Int32 = 0
      return ioctl(reader, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
    }

    var isAtEnd: Bool {
      var byte: UInt8 = 0
      return Foundation.read(reader, &byte, 1) == 0
    }
  }

  private static func output(_ path: String, isPaced: Bool) -> OutputRequest {
    var output = OutputRequest(.raw(path))
    output.isPaced = isPaced
    return output
  }

  @Test(
    "A stalled reader costs no processor time, stops no thread and delays no caller",
    arguments: [true, false])
  func stands(isPaced: Bool) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in [.live(), .send(Clip.mp3(30).bytes), .stall] }
      defer { station.close() }
      signal(SIGPIPE, SIG_IGN)
      let fifo = try Fifo()
      fifo.openReader()
      let rig = try RadioRig(InterruptionBench.settings, to: Self.output(fifo.path, isPaced: isPaced))
      rig.tune(station.url("/one"))
      try #require(rig.next("playing") != nil)
      // The pipe buffers 0.4 s.
      rig.run(for: 1.5)
      rig.tune(station.url("/two"))
      rig.run(for: 0.5)
      let before = rig.radio.heartbeats
      var longest = 0.0
      let end = monotonicSeconds() + 3
      while monotonicSeconds() < end {
        let start = monotonicSeconds()
        rig.radio.step(Duration(milliseconds: 20))
        longest = max(longest, monotonicSeconds() - start)
      }
      #expect(
        rig.radio.sinkTrouble?.description.contains("accepts no data") == true && !rig.radio.status.isAudioPlaying)
      let after = rig.radio.heartbeats
      #expect(after.standing(since: before) == ["net"] || after.standing(since: before) == [])
      #expect(after.decode &- before.decode < 300, "\(after.decode &- before.decode) rounds in 3 s")
      #expect(after.render &- before.render < 300)
      #expect(longest < 1)
      #expect(
        rig.run {
          fifo.read()
          return rig.names.count { $0 == "playing" } == 2
        })
      #expect(rig.radio.sinkTrouble == nil)
      let start = monotonicSeconds()
      _ = rig.radio.close()
      #expect(monotonicSeconds() - start < 2)
    }
  }

  @Test("A pipe without a reader delays nothing, is reported, and plays for the next reader")
  func noReader() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in [.live(), .send(Clip.mp3(30).bytes), .stall] }
      defer { station.close() }
      signal(SIGPIPE, SIG_IGN)
      let fifo = try Fifo()
      let path = fifo.path
      // Unblocks a radio that waits for a reader, so that the test ends.
      Thread.detachNewThread {
        sleep(4)
        let late = open(path, O_RDONLY | O_NONBLOCK)
        sleep(1)
        close(late)
      }
      let start = monotonicSeconds()
      let rig = try RadioRig(InterruptionBench.settings, to: Self.output(path, isPaced: true))
      #expect(monotonicSeconds() - start < 2)
      rig.tune(station.url())
      rig.run(for: 1)
      #expect(rig.radio.state == .paused && rig.radio.deviceFailure?.description.contains("No program reads") == true)
      fifo.openReader()
      #expect(rig.next("deviceBack", within: 2) != nil && rig.next("playing", within: 2) != nil)
      #expect(rig.run { fifo.read() > 0 })
      _ = rig.radio.close()
    }
  }

  @Test("A reader that leaves is reported, and playback continues with the next", arguments: [true, false])
  func readerLeaves(isPaced: Bool) async throws {
    try await Stage.run {
      let clip = Clip.mp3(30)
      let station = try ScriptedStation { _ in [.live(), .send(clip.bytes), .stall] }
      defer { station.close() }
      signal(SIGPIPE, SIG_IGN)
      let fifo = try Fifo()
      fifo.openReader()
      let rig = try RadioRig(InterruptionBench.settings, to: Self.output(fifo.path, isPaced: isPaced))
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      #expect(rig.run { fifo.read() > 0 })
      for _ in 0..<2 {
        let start = monotonicSeconds()
        while monotonicSeconds() < start + 0.5 {
          fifo.read()
          rig.run(for: 0.02)
        }
        let position = rig.radio.status.position
        fifo.closeReader()
        guard case .deviceLost(_, let message) = rig.next("deviceLost", within: 5) else {
          Issue.record("not told: \(rig.names)")
          return
        }
        #expect(message.contains("The program that read the pipe \(fifo.path) ended"))
        rig.run(for: 0.5)
        #expect(rig.radio.state == .paused && rig.radio.sinkFailure == nil && rig.radio.sinkTrouble != nil)
        fifo.openReader()
        #expect(rig.next("deviceBack", within: 2) != nil && rig.next("playing", within: 2) != nil)
        #expect(rig.run { fifo.read() > 0 } && rig.radio.sinkTrouble == nil)
        #expect(isPaced ? rig.radio.status.position < position + 2 : true, "nothing is passed over")
      }
      _ = rig.radio.close()
    }
  }

  private static func onPipe(
    isRead: Bool = false, _ body: @escaping @Sendable (RadioRig, Fifo) throws -> Void
  ) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in [.live(), .send(Clip.mp3(30).bytes), .stall] }
      defer { station.close() }
      signal(SIGPIPE, SIG_IGN)
      let fifo = try Fifo()
      if isRead { fifo.openReader() }
      let rig = try RadioRig(InterruptionBench.settings, to: output(fifo.path, isPaced: true))
      rig.tune(station.url())
      try body(rig, fifo)
      _ = rig.radio.close()
    }
  }

  @Test("A reported reader's pipe is closed: the next reader gets no old audio and no end")
  func closedBeforeTold() async throws {
    try await Self.onPipe(isRead: true) { rig, fifo in
      try #require(rig.next("playing") != nil && rig.run { fifo.waiting > 0 })
      var wasAtEnd: Bool?
      rig.radio.onEvent = { event, _ in
        guard event.name == "deviceLost" else { return }
        fifo.openReader()
        wasAtEnd = fifo.isAtEnd
      }
      fifo.closeReader()
      #expect(rig.run { wasAtEnd != nil } && wasAtEnd == true)
      #expect(rig.run { fifo.read() > 0 })
    }
  }

  @Test("A reader that reopens the pipe repeatedly is reported once a second")
  func flappingReader() async throws {
    try await Self.onPipe() { rig, fifo in
      // The first event reports the missing reader.
      #expect(
        rig.run {
          if !fifo.hasReader { fifo.openReader() }
          if fifo.read(1) > 0 { fifo.closeReader() }
          return rig.events("deviceLost").count == 4
        })
      let times = rig.events.filter { $0.event.name == "deviceLost" }.map(\.time).dropFirst()
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.95 }, "\(times)")
    }
  }

  @Test("A reader that leaves before a file's last audio does not end it: the next one gets the rest")
  func lastSound() async throws {
    try await Stage.run {
      let clip = Clip.mp3(4)
      let head = StationAction.head("200 OK", ["Content-Type: audio/mpeg", "Content-Length: \(clip.bytes.count)"])
      let station = try ScriptedStation { _ in [head, .send(clip.bytes)] }
      defer { station.close() }
      signal(SIGPIPE, SIG_IGN)
      let fifo = try Fifo()
      fifo.openReader(capacity: 4_096)
      var output = OutputRequest(.wav(fifo.path))
      output.isPaced = false
      let rig = try RadioRig(InterruptionBench.settings, to: output)
      rig.tune(station.url("/song.mp3"))
      // Two headers are written. The pipe buffers at most 4,096 bytes.
      let whole = clip.pcm().count
      var first = 0
      #expect(
        rig.run {
          first += fifo.read(44 + whole - 16_000 - first)
          return first == 44 + whole - 16_000 && fifo.waiting > 0 && rig.radio.sinkTrouble != nil
        }, "\(first) of \(whole)")
      let lost = fifo.waiting
      fifo.closeReader()
      #expect(rig.next("deviceLost") != nil && rig.next("suspended") != nil)
      fifo.openReader()
      var second = 0
      #expect(
        rig.run {
          second += fifo.read()
          return rig.radio.state == .stopped
        })
      second += fifo.read()
      #expect(first - 44 + lost + second - 44 == whole)
      #expect(rig.names.contains("fileComplete"))
      _ = rig.radio.close()
    }
  }

  @Test("A pipe removed while the radio waits is not recreated as a file, and its replacement is not emptied")
  func removed() async throws {
    try await Self.onPipe() { rig, fifo in
      unlink(fifo.path)
      #expect(rig.run { rig.radio.deviceFailure?.description.contains("is no longer a pipe") == true })
      #expect(!FileManager.default.fileExists(atPath: fifo.path))
      let other = fifo.path + "-other"
      try Data("kept".utf8).write(to: URL(filePath: other))
      try FileManager.default.createSymbolicLink(atPath: fifo.path, withDestinationPath: other)
      rig.run(for: 0.5)
      #expect(try Data(contentsOf: URL(filePath: other)) == Data("kept".utf8))
      #expect(
        rig.radio.state == .paused && rig.radio.deviceFailure?.description.contains("is no longer a pipe") == true)
      unlink(fifo.path)
      try #require(mkfifo(fifo.path, 0o600) == 0)
      fifo.openReader()
      #expect(rig.next("deviceBack", within: 2) != nil && rig.next("playing", within: 2) != nil)
      #expect(rig.run { fifo.read() > 0 })
    }
  }
}
