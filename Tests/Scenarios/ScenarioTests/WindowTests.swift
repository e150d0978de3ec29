import MediaSupport
import RadioEngine
import RadioSupport
import Recordings
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct WindowTests {
  private static let clip = Clip.long(240)
  private static let whole = Sound(clip.pcm())
  /// Two packets, in seconds: a segment may start one packet later than listed, and so may the known segment.
  private static let packets = 0.053

  private static func rig(_ station: SegmentedStation) throws -> RadioRig {
    let rig = try RadioRig(isPaced: true)
    rig.tune(station.url)
    try #require(rig.next("playing") != nil)
    return rig
  }

  private static func expectSound(_ rig: RadioRig, after count: Int, from position: Double) {
    let isThere = rig.run { rig.pcmCount > count + 500_000 }
    let bytes = rig.pcm
    let frames = Sound(Array(bytes.dropFirst(count))).frames
    #expect(isThere && frames.count > 10_000, "nothing sounds: \(rig.names)")
    guard frames.count > 10_000 else { return }
    let last = Sound(Array(bytes.suffix(4_000)))
    guard let end = whole.place(of: last) else {
      Issue.record("what sounds is not the clip")
      return
    }
    var (here, there) = (frames.count - 1, Int((end * 44_100).rounded()) + last.frames.count - 1)
    while here > 0, there > 0, frames[here - 1] == whole.frames[there - 1] { (here, there) = (here - 1, there - 1) }
    let begin = Double(there) / 44_100
    // The first milliseconds are a ramp, and the decoder's overlap.
    #expect(abs(begin - position) < packets + 0.012, "from \(begin) s on, and not from \(position) s: \(rig.names)")
  }

  @Test("The broadcast time comes from the list, also after a rewind (H4)")
  func reportsTime() async throws {
    try await Stage.run(speed: 4) {
      // 1,790,000,000 s since 1970; only the first segment has a date.
      let date = "#EXT-X-PROGRAM-DATE-TIME:2026-09-21T14:13:20.000Z\n"
      let station = try SegmentedStation(Self.clip, aired: 40, window: 400, header: date)
      defer { station.close() }
      let rig = try Self.rig(station)
      func expectTime() {
        let heard = rig.radio.status
        let told = Double((heard.onAir ?? 0) - 1_790_000_000)
        #expect(abs(told - heard.position) <= 1.5, "\(told) s at \(heard.position) s")
      }
      rig.run(for: 1)
      expectTime()
      _ = rig.radio.rewind(by: 100)
      #expect(rig.next("seekDone") != nil)
      rig.run(for: 1)
      expectTime()
    }
  }

  @Test("A rewind to before tuning has the right position, title and audio (H4)")
  func rewinds() async throws {
    // Decodes the clip before the station starts.
    #expect(Self.whole.frames.count > 239 * 44_100)
    try await Stage.run(speed: 4) {
      let station = try SegmentedStation(Self.clip, aired: 40, window: 40, hasTitles: true)
      defer { station.close() }
      let rig = try Self.rig(station)
      let begun = rig.radio.status
      #expect(abs(begun.position - 148) < 5 && begun.isRewindAllowed && rig.radio.isRewindAllowed(140))
      #expect(begun.duration == nil && begun.window?.oldest == .zero && (begun.window?.end.seconds ?? 0) >= 160)
      let count = rig.pcmCount
      guard case .reloads(let from) = rig.radio.rewind(by: 60) else {
        Issue.record("nothing is asked for")
        return
      }
      guard case .seekDone(let position, _) = rig.next("seekDone") else {
        Issue.record("it does not get there: \(rig.names)")
        return
      }
      #expect(abs(position - from) < 0.1 && abs(from - (begun.position - 60)) < 5)
      Self.expectSound(rig, after: count, from: position)
      rig.run(for: 0.5)
      let heard = rig.radio.status
      // Segments are slightly shorter than listed.
      let songs = [-0.5, 0.5].map { "Song \(Int((heard.position + $0) / 4))" }
      #expect(songs.contains(heard.title?.text ?? ""), "\(heard.position) s")
      #expect(abs(rig.radio.status.timeShift - 60) < 10, "\(rig.radio.status.timeShift)")
      // The transfer stays at most 20 s ahead.
      rig.run(for: 10)
      #expect(rig.radio.status.held <= 25)

      rig.radio.goOldest()
      #expect(rig.next("seekDone") != nil)
      #expect(rig.radio.status.position - (rig.radio.status.window?.oldest.seconds ?? 0) < 8)
      rig.run(for: 3)
      rig.radio.goLive()
      #expect(rig.next("seekDone") != nil)
      let live = rig.radio.status
      #expect(live.timeShift < 5 && live.position > begun.position, "\(live.position), \(live.timeShift)")
      #expect(rig.events("stitched").isEmpty && rig.events("queueExhausted").isEmpty)
    }
  }

  @Test("Audio that leaves the window during a pause is reported as missing, and playback continues")
  func passes() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, aired: 20, window: 10)
      defer { station.close() }
      let rig = try Self.rig(station)
      rig.radio.goOldest()
      try #require(rig.next("seekDone") != nil)
      rig.run(for: 2)
      rig.radio.pause()
      rig.run(for: 60)
      rig.radio.resume()
      guard case .stitched(_, let lost, _, _) = rig.next("stitched", within: 60) else {
        Issue.record("nothing is told: \(rig.names)")
        return
      }
      #expect(lost > 20 && lost < 60, "\(lost)")
      let heard = rig.radio.status.heard
      #expect(rig.run(60) { rig.radio.status.heard > heard + 30 })
      #expect(rig.radio.state == .playing && rig.events("queueExhausted").isEmpty)
    }
  }

  @Test("A restarted count on the way to a goal plays at once")
  func restartsNumbering() async throws {
    try await Stage.run(speed: 4) {
      let (isSought, flows) = (Locked(false), Gate())
      let station = try SegmentedStation(Self.clip, aired: 40, window: 40) { _, request, air in
        guard isSought.withLock({ $0 }) else { return nil }
        if request == .list { return air.list(sequence: 0) }
        guard case .segment(let number) = request else { return nil }
        let file = SegmentedStation.segmentBytes(of: number, in: Self.clip, length: 4)
        return [.gate(flows), .file(file.count), .send(file)]
      }
      defer { station.close() }
      let rig = try Self.rig(station)
      rig.run(for: 1)
      isSought.withLock { $0 = true }
      let asked = station.listCount
      _ = rig.radio.rewind(by: 80)
      #expect(rig.run(30) { station.listCount >= asked + 2 })
      let count = rig.pcmCount
      flows.open()
      #expect(rig.run(12) { rig.pcmCount > count + 100_000 }, "\(rig.names)")
    }
  }

  @Test("A rewind of a rested station is reported as playing when it plays, and rests no sooner (R2.5)")
  func rewindsAtRest() async throws {
    try await Stage.run(speed: 4) {
      let (isSought, flows) = (Locked(false), Gate())
      let station = try SegmentedStation(Self.clip, aired: 40, window: 40) { _, request, _ in
        guard isSought.withLock({ $0 }), case .segment(let number) = request else { return nil }
        let file = SegmentedStation.segmentBytes(of: number, in: Self.clip, length: 4)
        return [.gate(flows), .file(file.count), .send(file)]
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = Duration(milliseconds: 3_000)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url)
      try #require(rig.next("playing") != nil)
      rig.radio.pause()
      rig.run(for: 5)
      isSought.withLock { $0 = true }
      rig.radio.goOldest()
      rig.run(for: 2)
      let rests = rig.events("paused").count
      rig.run(for: 3)
      #expect(rests == 2 && rig.events("paused").count == 3, "\(rig.names)")
      rig.radio.resume()
      flows.open()
      #expect(rig.next("playing") != nil)
      #expect(rig.radio.state == .playing, "\(rig.names)")
    }
  }

  @Test("A radio that records into a small ring plays all received audio to its end")
  func smallRing() async throws {
    try await Stage.run(speed: 4) {
      // Three segments are 96,000 bytes; the ring has room for 60,000.
      let station = try SegmentedStation(Self.clip, aired: 40, window: 6)
      defer { station.close() }
      let bench = try RecordingBench { $0.blockCount = 16 }
      bench.rig.tune(station.url)
      try #require(bench.rig.next("playing") != nil)
      try bench.radio.record(RecordingOrder(bench.path("a.mp3")))
      bench.rig.run(for: 16)
      #expect(bench.rig.events("seekDone").isEmpty && bench.rig.events("queueExhausted").isEmpty, "\(bench.rig.names)")
    }
  }

  @Test("A seek outside the buffer is refused during a recording, with the reason")
  func refuses() async throws {
    try await Stage.run(speed: 4) {
      let station = try SegmentedStation(Self.clip, aired: 40, window: 40)
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url)
      try #require(bench.rig.next("playing") != nil)
      try bench.radio.record(RecordingOrder(bench.path("a.mp3")))
      guard case .refused(let refusal) = bench.radio.goOldest() else {
        Issue.record("it is not refused")
        return
      }
      #expect(refusal.sentence.contains("recording"))
      bench.rig.run(for: 5)
      #expect(bench.radio.rewind(by: 2) != .stays, "what is held can be gone to (H5)")
      bench.radio.endRecording()
      #expect(bench.end()?.error == nil)
    }
  }

  @Test("A finished station is a file with a length and seeks (H5)")
  func seeks() async throws {
    #expect(Self.whole.frames.count > 239 * 44_100)
    try await Stage.run(speed: 4) {
      let station = try SegmentedStation(Self.clip, aired: 50, window: 50) { _, request, air in
        request == .list ? air.list(to: 50, tail: "#EXT-X-ENDLIST\n") : nil
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url) { $0.start = StreamTime(seconds: 61.3) }
      try #require(rig.next("playing") != nil)
      Self.expectSound(rig, after: 0, from: 61.3)
      #expect(rig.radio.duration == 200 && rig.radio.isFileSeekAllowed)
      for place in [150.2, 12.7] {
        let count = rig.pcmCount
        rig.radio.seek(to: place)
        guard case .seekDone(let position, _) = rig.next("seekDone") else {
          Issue.record("it does not get to \(place)")
          return
        }
        #expect(abs(position - place) < Self.packets)
        Self.expectSound(rig, after: count, from: place)
      }
      rig.radio.seek(to: 195)
      #expect(rig.next("fileComplete", within: 30) != nil && rig.playOut())
    }
  }

  @Test("At the start of a two-hour window audio plays within a second")
  func twoHours() async throws {
    try await Stage.run {
      let station = try SegmentedStation(Self.clip, aired: 1_800, window: 1_800, laps: 40)
      defer { station.close() }
      let rig = try Self.rig(station)
      #expect(rig.radio.status.position > 7_100)
      let asked = rig.radio.time
      rig.radio.goOldest()
      guard case .seekDone(let position, _) = rig.next("seekDone") else {
        Issue.record("it does not get there")
        return
      }
      let count = rig.pcmCount
      #expect(rig.run(2) { rig.pcmCount > count })
      let latency = rig.radio.time - asked
      print("window of two hours: first sound after \(Int(latency * 1_000)) ms")
      #expect(position < 8 && latency < 1)
    }
  }
}
