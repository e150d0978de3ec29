import MediaSupport
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// Pause and rewind in live Ogg and FLAC, also across links (R3, N1, C1, C2).
@Suite struct EncodedShiftTests {
  struct Programme: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var pcm: [UInt8]
    var maxPacketFrames = 4_096
    var titles: [(text: String, at: Double)] = []
    /// True if decoded samples depend on much earlier packets.
    var isVague = false

    init(_ name: String, _ form: EncodedMusic.Codec, links: Int = 3, longest: Int) {
      testDescription = name
      self.maxPacketFrames = longest
      let all = (0..<links).map { index in
        let seconds = 18 / links
        let music = EncodedMusic(
          Music(frames: seconds * 48_000 + 311 * index, rate: 48_000, seed: UInt64(30 + index)), form,
          cut: index * 100)
        return OggLink(music, "Song \(index)", serial: UInt32(index + 1))
      }
      (bytes, pcm) = (all.flatMap(\.bytes), all.flatMap(\.music.pcm))
      var time = 0.0
      for link in all {
        titles.append((link.title ?? "", time))
        time += link.music.duration
      }
      if case .opus = form { isVague = true }
    }

    init(native name: String) {
      testDescription = name
      let music = EncodedMusic(Music(frames: 18 * 48_000, rate: 48_000, seed: 33), .flac(bits: 24))
      (bytes, pcm) = (music.flac(["TITLE=Song 0"], isSized: false), music.pcm)
      titles = [("Song 0", 0)]
    }

    var duration: Double { Double(pcm.count / S24Samples.frameByteCount) / 48_000 }
  }

  static let programmes = [
    Programme("Vorbis", .vorbis, longest: 1_024), Programme("Opus", .opus(), longest: 960),
    Programme("FLAC in Ogg", .flac(), longest: 4_096), Programme(native: "FLAC"),
  ]

  /// Runs a radio that has received the whole programme and plays in real time.
  private static func playing(_ programme: Programme, _ work: (RadioRig) throws -> Void) throws {
    // A reconnect gets no data, because a repeated programme would replace the buffered one.
    let station = try ScriptedStation { visit in
      visit.number == 0 ? [.live(type: "application/ogg"), .send(programme.bytes), .stall] : [.stall]
    }
    defer { station.close() }
    var settings = RadioSettings.bench
    settings.blockCount = 2_400
    let rig = try RadioRig(settings, isPaced: true, format: "s24le/48000/2")
    rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
    try #require(rig.next("playing", within: 10) != nil)
    try #require(rig.run(10) { rig.radio.status.blocks.written.seconds > programme.duration - 0.2 })
    try work(rig)
    _ = rig.radio.close()
  }

  @Test("Resume continues with the sample after the last one played (R3.1)", arguments: programmes)
  func pause(programme: Programme) async throws {
    try await Stage.run(speed: 2) {
      try Self.playing(programme) { rig in
        rig.run(for: 0.5)
        for _ in 0..<3 {
          rig.radio.pause()
          rig.run(for: 0.4)
          let silent = rig.pcmCount
          rig.run(for: 0.3)
          #expect(rig.pcmCount == silent)
          rig.radio.resume()
          #expect(rig.next("playing", within: 2) != nil)
          rig.run(for: 0.6)
        }
        // Only three falling and three rising ramps differ.
        let heard = rig.pcm
        let differing = stride(from: 0, to: heard.count / 6 * 6, by: 6).filter {
          heard[$0..<$0 + 6] != programme.pcm[$0..<$0 + 6]
        }
        let spans = differing.reduce(into: [Int]()) { if $1 / 6 - ($0.last ?? -1_000) > 480 { $0.append($1 / 6) } }
        #expect(rig.holdsUnlessLate(spans.count == 3 && differing.count <= 3 * 2 * 242), "\(spans) \(differing.count)")
      }
    }
  }

  @Test(
    "A seek plays the reported sample and its title, across links too (R3.2, R3.5)",
    arguments: programmes)
  func rewind(programme: Programme) async throws {
    try await Stage.run(speed: 2) {
      try Self.playing(programme) { rig in
        // Enough audio follows each goal for the comparison.
        for goal in [7.0, 5, 11.6, 9.5, 10.3, 1, 11.9, 0.5, 5.8] {
          rig.run(for: 0.3)
          let before = rig.radio.status.position
          if goal > before { rig.radio.forward(by: goal - before) } else { rig.radio.rewind(by: before - goal) }
          guard case .seekDone(let position, let requested) = rig.next("seekDone", within: 2) else {
            Issue.record("no seek was done")
            return
          }
          let packet = Double(programme.maxPacketFrames) / 48_000
          #expect(
            abs(requested - goal) < 0.1 && position <= requested + 0.001 && position > requested - packet - 0.001,
            "\(goal): \(position) \(requested)")
          let bytes = rig.pcmCount
          // Skips the audio that the sink had buffered.
          #expect(rig.run(4) { rig.pcmCount > bytes + 6 * 30_000 })
          let (heard, now) = (rig.pcm, rig.radio.status.position)
          let tail = heard.suffix(6 * 12_000)
          if programme.isVague {
            let place = Int(((now - 0.7) * 48_000).rounded())
            #expect(Self.isNear(tail, programme.pcm, around: max(0, place)), "\(goal)")
          } else {
            let place = S24Samples.place(of: tail, in: programme.pcm)
            #expect(
              place.map { abs(Double($0) / 48_000 + 0.25 - now) < 0.6 } == true, "\(goal): \(place ?? -1), \(now)")
          }
          let title = programme.titles.last { $0.at <= rig.radio.status.position }?.text
          #expect(rig.run(2) { rig.radio.status.title?.text == title }, "\(goal)")
        }
      }
    }
  }

  /// True if the piece resembles audio within a second of a frame.
  private static func isNear(_ piece: ArraySlice<UInt8>, _ whole: [UInt8], around frame: Int) -> Bool {
    let piece = RecordingComparison.samples(piece)
    let first = max(0, frame - 48_000)
    let near = RecordingComparison.samples(whole[(first * 6)..<min(whole.count, (frame + 2 * 48_000) * 6)])
    return RecordingComparison.place(of: piece, in: near) != nil
  }
}
