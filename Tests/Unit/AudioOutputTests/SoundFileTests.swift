import AudioOutput
import Blocks
import CLinux
import Foundation
import SinkBench
import Testing
import Units

struct SoundFileTests {
  @Test func aRawFileHoldsWhatWasPlayed() throws {
    let file = try TemporaryFile()
    let bench = try SinkBench(.free(.raw(file.path)))
    let samples = Pcm.noise(10_000)
    bench.tune(to: 1)
    #expect(try bench.feed(samples, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(try file.bytes() == Pcm.s16le(samples))
    #expect(bench.playedFrames == 10_000)
  }

  @Test func whatIsStoppedFallsToSilence() throws {
    let file = try TemporaryFile()
    let bench = try SinkBench(.free(.raw(file.path)))
    bench.tune(to: 1)
    #expect(try bench.feed([Int32](repeating: 8_000_000, count: 4_000)))
    #expect(try bench.wait { bench.playedFrames == 2_000 })
    bench.thread.stop()
    let samples = try Pcm.samples(file.bytes())
    let fall = samples[4_000...]
    #expect(samples[..<4_000].allSatisfy { $0 == 31_250 })
    #expect(fall.count == 2 * (44_100 / 200 + 1))
    #expect(fall.last == 0)
    #expect(zip(fall, fall.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test(
    "A WAV file contains its format and its length",
    arguments: [
      (nil, 44_100, 2, 2), (nil, 22_050, 1, 2), ("s24le/44100/2", 44_100, 2, 3), ("s32le/44100/1", 44_100, 1, 4),
    ] as [(String?, Int32, Int, Int)])
  func wavHeader(_ format: String?, _ hertz: Int32, _ channels: Int, _ width: Int) throws {
    let file = try TemporaryFile()
    var request = OutputRequest.free(.wav(file.path))
    request.format = format.flatMap { PcmFormat($0) }
    let bench = try SinkBench(request)
    bench.tune(to: 1)
    #expect(
      try bench.feed(
        Pcm.noise(1_500), rate: SampleRate(hertz), channels: format == nil ? Int32(channels) : 2, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    let bytes = try file.bytes()
    let length = 1_500 * channels * width
    #expect(bytes.count == 44 + length)
    #expect(Array(bytes.prefix(44)) == Wav.header(hertz: hertz, channels: channels, width: width, length: length))
  }

  @Test func aWavPipeCannotKnowItsLength() throws {
    let pipe = try NamedPipe()
    let bench = try SinkBench(.free(.wav(pipe.path)))
    let samples = Pcm.noise(500)
    bench.tune(to: 1)
    #expect(try bench.feed(samples, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    let bytes = pipe.read(44 + 2_000)
    #expect(Array(bytes[4..<8]) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(Array(bytes[40..<44]) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(Array(bytes[44...]) == Pcm.s16le(samples))
  }

  /// Calls `setFormat` without a period, as after a request whose period is gone.
  @Test func aFileWaitsForItsFirstPeriod() throws {
    let file = try TemporaryFile()
    let bench = try SinkBench(.free(.wav(file.path)))
    while try !bench.thread.setFormat() {}
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(100), rate: SampleRate(48_000), channels: 1, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(try Array(file.bytes().prefix(44)) == Wav.header(hertz: 48_000, channels: 1, width: 2, length: 200))
  }

  @Test func aFileThatCannotBeOpenedIsTold() {
    let path = "/nowhere/at/all.pcm"
    #expect(throws: SinkError.fileFailed(path: path, errno: ENOENT)) { _ = try SinkBench(.free(.raw(path))) }
  }

  @Test func aFullDiskIsToldAndThePlayingGoesOn() throws {
    let bench = try SinkBench(.free(.raw("/dev/full")))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_000), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(bench.sinkError == -ENOSPC)
    #expect(bench.thread.failure == .fileFailed(path: "/dev/full", errno: ENOSPC))
    #expect(bench.playedFrames == 4_000)
  }

  /// A regular file according to stat(2), unlike /dev/full. Address 0 is not mapped, so a write fails.
  @Test func aFileThatCannotBeWrittenIsToldAndThePlayingGoesOn() throws {
    let path = "/proc/self/mem"
    let bench = try SinkBench(.free(.raw(path)))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_000), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(bench.sinkError == -EIO)
    #expect(bench.thread.failure == .fileFailed(path: path, errno: EIO))
    #expect(bench.playedFrames == 4_000)
  }
}

struct PipeTests {
  @Test func aSlowReaderGetsEveryByte() throws {
    let pipe = try NamedPipe(capacity: 4_096)
    let bench = try SinkBench(.free(.raw(pipe.path)))
    let samples = Pcm.noise(40_000)
    let heard = pipe.readSlowly(samples.count * 2)
    bench.tune(to: 1)
    #expect(try bench.feed(samples, flags: .end))
    #expect(try bench.waitForEnd())
    #expect(heard() == Pcm.s16le(samples))
  }

  @Test func aReaderThatStallsLetsTheClockRunDryAndThatIsCounted() throws {
    let pipe = try NamedPipe(capacity: 65_536)
    let bench = try SinkBench(OutputRequest(.raw(pipe.path)))
    let samples = Pcm.noise(30_000)
    bench.tune(to: 1)
    #expect(try bench.feed(samples, flags: .end))
    // Three periods of 0.1 s fill the pipe, and the clock has played them before the first read.
    #expect(try bench.wait { bench.playedFrames == 3 * 4_410 })
    bk_sleep_until_ns(bk_monotonic_ns() + 400_000_000)
    let before = bench.board.pointee.xruns.load(ordering: .acquiring)
    let heard = pipe.readSlowly(samples.count * 2)
    #expect(try bench.waitForEnd())
    #expect(bench.board.pointee.xruns.load(ordering: .acquiring) > before)
    #expect(heard() == Pcm.s16le(samples))
  }

  @Test("A reader that leaves is reported, and the next one gets new audio", arguments: [true, false])
  func readerGoesAway(isWav: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try NamedPipe()
    let bench = try SinkBench(.free(isWav ? .wav(pipe.path) : .raw(pipe.path)))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(1_000)))
    #expect(try bench.wait { bench.playedFrames == 1_000 })
    pipe.close()
    #expect(try bench.feed(Pcm.noise(1_000)))
    #expect(try bench.wait { bench.thread.state == .lost })
    #expect(bench.thread.failure == .readerGone(path: pipe.path))
    #expect(try bench.wait { bench.thread.release() })
    #expect(bench.thread.consumeUnheardFlag(), "what was not written goes to the next reader")
    #expect(throws: SinkError.noReader(path: pipe.path)) { try bench.thread.reopen() }
    try pipe.reopen()
    try bench.thread.reopen()
    let samples = Pcm.noise(4_000)
    #expect(try bench.feed(samples, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(bench.sinkError == 0)
    let header = isWav ? Wav.header(hertz: 44_100, channels: 2, width: 2, length: 0).prefix(4) : []
    let bytes = pipe.read((isWav ? 44 : 0) + 16_000)
    #expect(
      bytes.starts(with: header) && Pcm.s16le(samples).suffix(15_000) == bytes.suffix(15_000), "it rises at first")
  }

  @Test("A reader that leaves before a programme's last audio does not finish it, nor does the next header")
  func endNotTaken() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try NamedPipe(capacity: 4_096)
    let bench = try SinkBench(.free(.wav(pipe.path)))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_000), flags: .end))
    #expect(try bench.wait { bench.thread.state == .standing })
    pipe.close()
    #expect(try bench.wait { bench.thread.release() })
    #expect(bench.thread.consumeUnheardFlag())
    try pipe.reopen()
    try bench.thread.reopen()
    #expect(try bench.wait { bench.thread.state == .idle })
    #expect(pipe.read(44).starts(with: Array("RIFF".utf8)))
    #expect(bench.board.pointee.finishedEpoch.load(ordering: .acquiring) == 0, "its rest is to come")
  }

  @Test("An anonymous pipe without a reader fails, because it cannot be reopened")
  func anonymousPipe() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    let path = "/proc/self/fd/\(ends[1])"
    close(ends[0])
    signal(SIGPIPE, SIG_IGN)
    let bench = try SinkBench(.free(.raw(path)))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_000), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(bench.thread.failure == .fileFailed(path: path, errno: EPIPE))
    #expect(!bench.thread.isRecoverable)
  }

  @Test func aReaderThatReadsNothingDoesNotKeepTheThread() throws {
    let pipe = try NamedPipe(capacity: 4_096)
    let bench = try SinkBench(.free(.raw(pipe.path)))
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(20_000)))
    bench.thread.stop()
    #expect(bench.playedFrames < 20_000)
  }
}
