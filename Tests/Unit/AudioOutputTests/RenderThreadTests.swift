import AudioOutput
import Blocks
import CLinux
import MediaSupport
import SinkBench
import Testing
import Units

struct RenderThreadTests {
  @Test func aClockedSinkTakesRealTime() throws {
    let bench = try SinkBench(OutputRequest(.null))
    let start = bk_monotonic_ns()
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(22_050), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(bk_monotonic_ns() - start >= 500_000_000)
    #expect(bench.heard == StreamTime(seconds: 0.5))
  }

  @Test func aFreeSinkDoesNot() throws {
    let bench = try SinkBench(.free(.null))
    let start = bk_monotonic_ns()
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(20 * 44_100), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(bk_monotonic_ns() - start < 20_000_000_000)
    #expect(bench.heard == StreamTime(seconds: 20))
  }

  @Test func whatIsHeardIsBehindWhatTheClockHolds() throws {
    let bench = try SinkBench(OutputRequest(.null), isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(30_000), flags: .end))
    let start = bk_monotonic_ns()
    bench.thread.run()
    var isAhead = false
    #expect(
      try bench.wait {
        let heard = bench.heard
        isAhead = isAhead || heard.seconds > Double(bk_monotonic_ns() - start) / 1e9
        return heard > StreamTime(seconds: 0.5)
      })
    #expect(!isAhead)
  }

  @Test func starvingIsCountedOnceAndGotOver() throws {
    let bench = try SinkBench(OutputRequest(.null), isRunning: false)
    let board = bench.board
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_410)))
    bench.thread.run()
    #expect(try bench.wait { bench.thread.state == .silent })
    #expect(try bench.wait { bench.heard == StreamTime(seconds: 0.1) })
    #expect(board.pointee.underruns.load(ordering: .acquiring) == 1)
    #expect(try bench.feed(Pcm.noise(1_000), flags: [.followsGap, .end]))
    #expect(try bench.waitForEnd())
    #expect(board.pointee.underruns.load(ordering: .acquiring) == 1)
    #expect(bench.playedFrames == 5_410)
    #expect(try bench.wait { bench.thread.state == .idle })
  }

  @Test func afterAGapWhatIsHeardNeverGoesBack() throws {
    let bench = try SinkBench(OutputRequest(.null), isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(8_820)))
    bench.thread.run()
    #expect(try bench.wait { bench.thread.state == .silent })
    #expect(try bench.feed(Pcm.noise(22_050), flags: [.followsGap, .end]))
    var (last, steps) = (bench.heard, [StreamTime]())
    #expect(
      try bench.wait {
        let heard = bench.heard
        if heard < last { steps.append(heard - last) }
        last = heard
        return heard == StreamTime(frames: FrameCount(30_870), at: SampleRate(44_100))
      })
    #expect(steps == [])
  }

  @Test func aZapTellsItsFirstFrame() throws {
    let bench = try SinkBench(OutputRequest(.null))
    let board = bench.board
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(40_000)))
    #expect(try bench.wait { board.pointee.heardEpoch.load(ordering: .acquiring) == 1 })
    let zapped = bk_monotonic_ns()
    bench.tune(to: 2)
    #expect(try bench.feed(Pcm.noise(1_000), rate: SampleRate(32_000), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(board.pointee.heardEpoch.load(ordering: .acquiring) == 2)
    #expect(board.pointee.firstFrame.load(ordering: .acquiring) >= zapped)
    #expect(bench.heard == StreamTime(frames: FrameCount(1_000), at: SampleRate(32_000)))
  }

  @Test func aCardThatTakesAllIsPlayedTo() throws {
    let bench = try SinkBench(OutputRequest(.alsa("null")))
    #expect(bench.thread.depth == 16)
    #expect(bench.thread.outputRate(for: SampleRate(22_050)) == SampleRate(22_050))
    bench.tune(to: 1)
    for hertz in [44_100, 48_000, 8_000] as [Int32] {
      #expect(try bench.feed(Pcm.noise(2_000), rate: SampleRate(hertz), flags: hertz == 8_000 ? .end : []))
    }
    #expect(try bench.waitForEnd())
    #expect(bench.playedFrames == 6_000)
    #expect(bench.sinkError == 0)
  }

  @Test("A card with less than its start threshold plays that, and silence, when no more arrives")
  func lessThanAPeriod() throws {
    let card = BenchCard()
    let bench = try SinkBench(card.output, isRunning: false)
    bench.tune(to: 1)
    // More than half a period, less than a whole one.
    let samples = Pcm.noise(3_000)
    #expect(try bench.feed(samples))
    bench.thread.run()
    #expect(
      try bench.wait { bench.thread.state == .silent && bench.heard == StreamTime(frames: FrameCount(3_000), at: .cd) })
    bench.thread.stop()
    #expect(card.playedPcmWithFill.starts(with: Pcm.s16le(samples)))
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 1)
  }

  @Test("A programme that starts with less than half a period continues without a gap", arguments: [true, false])
  func beginsWithLittle(isCard: Bool) throws {
    let card = BenchCard()
    var output = isCard ? card.output : OutputRequest(.null)
    (output.periodMilliseconds, output.bufferMilliseconds) = (1_000, 4_000)
    let bench = try SinkBench(output, isRunning: false)
    // Slow enough for a busy machine.
    let rate = SampleRate(isCard ? 8_000 : 2_000)
    bench.tune(to: 1)
    let samples = Pcm.noise(6_000)
    #expect(try bench.feed(Array(samples.prefix(4_000)), rate: rate))
    bench.thread.run()
    #expect(try bench.wait { bench.playedFrames == 2_000 })
    let turn = bench.board.pointee.renderBeat.load(ordering: .acquiring)
    #expect(try bench.wait { bench.board.pointee.renderBeat.load(ordering: .acquiring) &- turn > 3 })
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
    #expect(try bench.feed(Array(samples.dropFirst(4_000)), rate: rate, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
    if isCard { #expect(difference(card.playedPcm, Pcm.s16le(samples)) == nil) }
  }

  @Test("A pause while a card waits for data is silent at once, and not an underrun")
  func pauseBeforeTheStart() throws {
    let card = BenchCard()
    var output = card.output
    (output.periodMilliseconds, output.bufferMilliseconds) = (1_000, 4_000)
    let bench = try SinkBench(output, isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(2_000), rate: SampleRate(8_000)))
    bench.thread.run()
    #expect(try bench.wait { bench.playedFrames == 2_000 })
    bench.board.pointee.isPaused.store(true, ordering: .releasing)
    bench.thread.call()
    #expect(try bench.wait { bench.thread.state == .paused })
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
    bench.thread.stop()
  }

  @Test("A card with a long period is awaited for its playing time")
  func longPeriods() throws {
    let card = BenchCard()
    var output = card.output
    (output.periodMilliseconds, output.bufferMilliseconds) = (1_000, 4_000)
    let bench = try SinkBench(output, isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(30_000)))
    bench.thread.run()
    #expect(try bench.wait { bench.playedFrames == 30_000 })
    let given = bk_monotonic_ns()
    #expect(try bench.wait { bench.board.pointee.underruns.load(ordering: .acquiring) == 1 })
    #expect(bk_monotonic_ns() - given > 400_000_000)
    bench.thread.stop()
  }

  @Test("A dry sink without a clock waits, and continues with the next sample")
  func freeSinkRunsDry() throws {
    let file = try TemporaryFile()
    let bench = try SinkBench(.free(.raw(file.path)))
    let samples = Pcm.noise(6_000)
    bench.tune(to: 1)
    #expect(try bench.feed(Array(samples.prefix(5_000))))
    #expect(try bench.wait { bench.playedFrames == 2_500 && bench.thread.state == .idle })
    let before = bench.board.pointee.renderBeat.load(ordering: .acquiring)
    bk_sleep_until_ns(bk_monotonic_ns() + 300_000_000)
    #expect(bench.board.pointee.renderBeat.load(ordering: .acquiring) &- before <= 2)
    #expect(try bench.feed(Array(samples.suffix(7_000)), flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(try file.bytes() == Pcm.s16le(samples))
    #expect(bench.board.pointee.underruns.load(ordering: .acquiring) == 0)
  }

  @Test("A pause of a dry sink without a clock is silent and releases it", arguments: [true, false])
  func freeSinkPauses(isPaused: Bool) throws {
    let file = try TemporaryFile()
    let bench = try SinkBench(.free(.raw(file.path)))
    bench.tune(to: 1)
    #expect(try bench.feed([Int32](repeating: 8_000_000, count: 4_000)))
    #expect(try bench.wait { bench.playedFrames == 2_000 })
    if isPaused {
      bench.board.pointee.isPaused.store(true, ordering: .releasing)
    } else {
      bench.tune(to: 2)
    }
    bench.thread.call()
    #expect(try bench.wait { bench.thread.state == (isPaused ? .paused : .idle) })
    #expect(try bench.wait { bench.thread.release() })
    let fall = try Pcm.samples(file.bytes())[4_000...]
    #expect(fall.count == 2 * (44_100 / 200 + 1) && fall.last == 0)
    bench.thread.stop()
  }

  @Test("A missing card is reported, with the existing ones", arguments: ["bakelite-none", "hw:77", "plughw:77,3"])
  func missingCard(_ name: String) {
    #expect(throws: SinkError.noSuchDevice(name, existing: AlsaDevices.names())) {
      _ = try SinkBench(OutputRequest(.alsa(name)))
    }
  }

  @Test func theThreadEndsTwice() throws {
    let bench = try SinkBench(OutputRequest(.null))
    bench.thread.stop()
    bench.thread.stop()
    #expect(bench.thread.state == .parked)
  }
}
