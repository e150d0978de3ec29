import AudioOutput
import Blocks
import CLinux
import Foundation
import SinkBench
import System
import Testing
import Units

/// Snapserver reads the sink at its own pace and plays later. During silence the sink writes no data.
struct SnapcastSinkTests {
  init() { signal(SIGPIPE, SIG_IGN) }

  /// Reads 20 ms of audio every 20 ms on its own thread, as snapserver does.
  private final class Server: @unchecked Sendable {
    private let pipe: NamedPipe
    private let lock = NSLock()
    private var taken: [UInt8] = []
    private var lastTaking: Int64 = 0
    private var ends = false
    private var stands = false
    private let done = DispatchSemaphore(value: 0)
    static let chunk = 3_840

    init(_ pipe: NamedPipe) {
      self.pipe = pipe
      Thread { [self] in serve() }.start()
    }

    private func serve() {
      var next = bk_monotonic_ns()
      while !lock.withLock({ ends }) {
        next += 20_000_000
        bk_sleep_until_ns(next)
        if lock.withLock({ stands }) { continue }
        let bytes = pipe.readWaiting(Self.chunk)
        lock.withLock {
          taken += bytes
          if !bytes.isEmpty { lastTaking = bk_monotonic_ns() }
        }
      }
      done.signal()
    }

    func stop() {
      lock.withLock { ends = true }
      done.wait()
    }

    /// Stops or resumes reading.
    func stand(_ stands: Bool) { lock.withLock { self.stands = stands } }

    var bytes: [UInt8] { lock.withLock { taken } }
    var frames: Int { lock.withLock { taken.count / 4 } }
    /// Time of the last read.
    var last: Int64 { lock.withLock { lastTaking } }
  }

  private static func request(_ pipe: NamedPipe, milliseconds: Int = 300) -> OutputRequest {
    var request = OutputRequest(.snapcast(pipe.path))
    request.serverMilliseconds = milliseconds
    return request
  }

  private static let rate = SampleRate(48_000)

  @Test("The pipe gets the programme to the byte, then at most two chunks of silence, then nothing")
  func bytes() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    let samples = Pcm.noise(24_100)
    bench.tune(to: 1)
    let server = Server(pipe)
    #expect(try bench.feed(samples, rate: Self.rate, flags: .end))
    #expect(try bench.waitForEnd())
    server.stop()
    let pcm = Pcm.s16le(samples)
    let bytes = server.bytes + pipe.readWaiting(65_536)
    #expect(bytes.starts(with: pcm), "\(bytes.count) of \(pcm.count) bytes")
    #expect(bytes.dropFirst(pcm.count).allSatisfy { $0 == 0 })
    #expect((Server.chunk...2 * Server.chunk).contains(bytes.count - pcm.count))
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
  }

  @Test("The audible position lags the server by its buffer, and a programme ends when audible")
  func delay() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    let server = Server(pipe)
    #expect(try bench.feed(Pcm.noise(48_000), rate: Self.rate, flags: .end))
    var (ahead, back, last) = (0.0, 0.0, 0.0)
    #expect(
      try bench.wait {
        // Reads the audible position first: meanwhile the server consumes more, never less.
        let heard = bench.heard.seconds
        let taken = server.frames
        if heard > 0, taken < 48_000 { ahead = max(ahead, heard - Double(taken) / 48_000 + 0.3) }
        back = max(back, last - heard)
        last = heard
        return bench.board.pointee.finishedEpoch.load(ordering: .acquiring) == 1
      })
    #expect(ahead < 0.1, "\(ahead) s ahead of the rooms")
    #expect(back < 0.005, "\(back) s back")
    #expect(bk_monotonic_ns() - server.last > 250_000_000, "it ends when the rooms have heard it")
    #expect(bench.heard == StreamTime(seconds: 1))
    server.stop()
  }

  @Test("A pause writes nothing, the rooms' buffer is audible, and playback resumes after it")
  func pause() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    let server = Server(pipe)
    let samples = Pcm.noise(96_000)
    // The period ring is smaller than these samples.
    let feeding = Feeder(bench, samples, Self.rate)
    #expect(try feeding.advance { bench.playedFrames > 24_000 })
    bench.board.pointee.isPaused.store(true, ordering: .releasing)
    bench.thread.call()
    #expect(try bench.wait { bench.thread.state == .paused })
    let played = bench.playedFrames
    #expect(try bench.wait { bench.heard == StreamTime(frames: FrameCount(played), at: Self.rate) })
    let written = server.frames
    bk_sleep_until_ns(bk_monotonic_ns() + 100_000_000)
    #expect(server.frames == written, "nothing is written")
    bench.board.pointee.isPaused.store(false, ordering: .releasing)
    bench.thread.call()
    #expect(try feeding.advance { feeding.isDone })
    #expect(try bench.waitForEnd())
    #expect(bench.playedFrames == 96_000, "nothing is heard twice, nothing is left out")
    server.stop()
    let bytes = server.bytes
    #expect(bytes.starts(with: Pcm.s16le(Array(samples[..<(2 * (played - 300))]))))
    #expect(bytes.count >= (96_000 + 1_920) * 4)
  }

  @Test("A stalled server is reported and awaited; nothing is lost, and nothing is audible meanwhile")
  func standing() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    let server = Server(pipe)
    let samples = Pcm.noise(72_000)
    let feeding = Feeder(bench, samples, Self.rate)
    #expect(try feeding.advance { bench.playedFrames > 24_000 })
    server.stand(true)
    #expect(try feeding.advance { bench.thread.state == .standing })
    #expect(bench.thread.standing == .readerStands(path: pipe.path))
    bk_sleep_until_ns(bk_monotonic_ns() + 400_000_000)
    let heard = bench.heard
    #expect(heard.seconds < Double(server.frames) / 48_000)
    server.stand(false)
    #expect(try feeding.advance { feeding.isDone })
    #expect(try bench.waitForEnd())
    server.stop()
    #expect((server.bytes + pipe.readWaiting(65_536)).starts(with: Pcm.s16le(samples)))
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
  }

  @Test("A server that ends is a lost sink with its unplayed audio; the next one plays new audio")
  func serverGone() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    let server = Server(pipe)
    let feeding = Feeder(bench, Pcm.noise(96_000), Self.rate)
    #expect(try feeding.advance { bench.playedFrames > 36_000 })
    server.stop()
    pipe.close()
    #expect(try feeding.advance { bench.thread.state == .lost })
    #expect(bench.thread.failure == .readerGone(path: pipe.path))
    let lost = Double(bench.playedFrames) / 48_000 - bench.heard.seconds
    #expect((0.2...0.8).contains(lost), "\(lost) s were in the pipe and in the server")
    bench.thread.closeLost()
    #expect(try bench.wait { bench.thread.release() })
    #expect(bench.thread.consumeUnheardFlag())
    #expect(throws: SinkError.noReader(path: pipe.path)) { try bench.thread.reopen() }
    // The pipe stays open from here on, so a server finds a writer.
    try pipe.reopen()
    #expect(pipe.hasWriter)
    try bench.thread.reopen()
    let next = Server(pipe)
    #expect(try feeding.advance { next.frames > 4_800 })
    next.stop()
  }

  @Test("Audio that rooms played during a stall is audible, not lost when the server then ends")
  func serverGoneAfterStanding() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe, milliseconds: 1_000))
    bench.tune(to: 1)
    let server = Server(pipe)
    let feeding = Feeder(bench, Pcm.noise(192_000), Self.rate)
    #expect(try feeding.advance { bench.playedFrames > 72_000 })
    server.stand(true)
    #expect(try feeding.advance { bench.thread.state == .standing })
    // The rooms have buffered one second of audio.
    bk_sleep_until_ns(bk_monotonic_ns() + 1_100_000_000)
    pipe.close()
    #expect(try feeding.advance { bench.thread.state == .lost })
    let lost = Double(bench.playedFrames) / 48_000 - bench.heard.seconds
    #expect((0.2...0.45).contains(lost), "\(lost) s were in the pipe, or not taken yet")
    server.stop()
  }

  @Test(
    "A server that ends while nothing is written is noticed, and its unplayed audio is reported",
    arguments: [Period.Flags.end, []])
  func serverGoneAtEnd(_ flags: Period.Flags) throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe, milliseconds: 1_000))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(7_200), rate: Self.rate, flags: flags))
    #expect(try bench.wait { bench.playedFrames == 7_200 })
    pipe.close()
    #expect(try bench.wait { bench.thread.state == .lost })
    #expect(bench.thread.failure == .readerGone(path: pipe.path))
    #expect(bench.board.pointee.finishedEpoch.load(ordering: .acquiring) == 0, "nobody heard the end")
    bench.thread.closeLost()
    #expect(try bench.wait { bench.thread.release() })
    #expect(bench.thread.consumeUnheardFlag())
  }

  @Test("A new programme is not late while the pipe has some of it and the rest is being decoded")
  func begun() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(1_152), rate: Self.rate))
    #expect(try bench.wait { bench.playedFrames == 1_152 })
    #expect(pipe.readWaiting(Server.chunk).count == Server.chunk)
    #expect(try bench.wait { bench.thread.state == .standing })
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
    #expect(try bench.feed(Pcm.noise(1_152), rate: Self.rate))
    #expect(try bench.wait { bench.playedFrames == 2_304 })
  }

  @Test("A server that stalls at a dry station is reported; then it plays on, and the underrun is reported")
  func standingWhileDry() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(Self.request(pipe))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(7_200), rate: Self.rate))
    #expect(try bench.wait { bench.thread.state == .standing })
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
    let server = Server(pipe)
    #expect(try bench.wait { bench.board.pointee.underruns.load(ordering: .acquiring) == 1 })
    #expect(bench.thread.state != .standing)
    server.stop()
  }

  @Test("A missing pipe, or a file instead, gives a sentence with a remedy, and nothing is written")
  func noPipe() throws {
    let file = try TemporaryFile()
    let request = OutputRequest(.snapcast(file.path))
    #expect(throws: SinkError.noFeed(path: file.path)) { _ = try SinkBench(request) }
    #expect(access(file.path, F_OK) != 0)
    #expect(FileManager.default.createFile(atPath: file.path, contents: Data("kept".utf8)))
    #expect(throws: SinkError.noFeed(path: file.path)) { _ = try SinkBench(request) }
    #expect(try file.bytes() == Array("kept".utf8))
    let shipped = "/run/bakelite-snapcast/feed"
    #expect(SinkError.noFeed(path: shipped).description.contains("systemd-tmpfiles --create bakelite-snapcast.conf"))
    #expect(SinkError.noFeed(path: file.path).description.contains("make it with mkfifo, "))
  }

  @Test("A pipe that appears, or gets a reader, while the radio waits is used")
  func waits() throws {
    let file = try TemporaryFile()
    var request = OutputRequest(.snapcast(file.path))
    request.waitsForDevice = true
    let bench = try SinkBench(request)
    #expect(bench.thread.absence == .noFeed(path: file.path))
    #expect(throws: SinkError.noFeed(path: file.path)) { try bench.thread.reopen() }
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(throws: SinkError.noReader(path: file.path)) { try bench.thread.reopen() }
    // Recreates the pipe, as systemd-tmpfiles may do.
    #expect(unlink(file.path) == 0 && mkfifo(file.path, 0o600) == 0)
    let reader = open(file.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try bench.thread.reopen()
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_800), rate: Self.rate))
    #expect(try bench.wait { bench.playedFrames == 4_800 })
  }
}

/// Feeds a bench whenever a period is free.
private final class Feeder {
  private let bench: SinkBench
  private let samples: [Int32]
  private let rate: SampleRate
  private var offset = 0

  init(_ bench: SinkBench, _ samples: [Int32], _ rate: SampleRate) {
    (self.bench, self.samples, self.rate) = (bench, samples, rate)
  }

  var isDone: Bool { offset == samples.count }

  /// Feeds until `condition` is true. Returns false after ten seconds.
  func advance(until condition: () -> Bool) throws -> Bool {
    try bench.wait {
      while offset < samples.count, bench.hasFreePeriod {
        let part = Array(samples[offset..<min(offset + 2 * Period.frameCapacity, samples.count)])
        offset += part.count
        let flags: Period.Flags = isDone ? .end : []
        guard (try? bench.feed(part, rate: rate, flags: flags)) == true else { return false }
      }
      return condition()
    }
  }
}
