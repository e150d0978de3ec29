import AudioOutput
import CAllocGuard
import Glibc
import MediaSupport
import Network
import RadioEngine
import Rendering
import StationSupport
import TestSupport
import Testing
import Units

/// Guards threads of a complete radio.
extension AllocationTests {
  /// Minutes of audio play in seconds: the sink accepts audio as fast as possible and changes its rate with the
  /// programme.
  @Test(
    "A minute of MP3 and of AAC, and 20 s of each other codec, leave the render thread clean (C1, C2, C5, D1, N4)",
    arguments: Programme.minutes + Programme.contained)
  func listeningIsClean(_ programme: Programme) async throws {
    try await Stage.run {
      let outcome = try GuardedPlayback(to: programme).run()
      #expect(outcome.counts.offences == 0)
      #expect(outcome.counts.accesses == 0)
      #expect(outcome.formats == programme.formats)
      #expect(programme.seconds >= 20 && abs(outcome.summary.heard - programme.seconds) < 0.2)
    }
  }

  /// The card fails once during the first period ring's audio. All audio must still be played.
  @Test("An xrun, a suspend and format changes follow the thread rules (D2)", arguments: [EPIPE, ESTRPIPE])
  func xrunIsClean(_ error: Int32) async throws {
    try await Stage.run {
      // Only this test uses this device name in this process.
      let device = "plug:null"
      let clip = Clip(Clip.mp3(4).bytes + ToneMp3.frames(160, rate: 48_000) + Clip.aac(4).bytes)
      let programme = Programme("MP3, then AAC", clip, ["MP3 44100", "MP3 48000", "AAC 44100"])
      var listening = GuardedPlayback(to: programme)
      listening.output = OutputRequest(.alsa(device))
      guard_fail_write(device, 5, -Int(error))
      let outcome = try listening.run()
      #expect(outcome.summary.xruns == 1)
      #expect(outcome.counts.offences == 0)
      #expect(outcome.counts.accesses == 0)
      #expect(outcome.formats == programme.formats)
      #expect(abs(outcome.summary.heard - programme.seconds) < 0.2)
    }
  }

  @Test func theDecodeThreadIsNotClean() async throws {
    try await Stage.run {
      var listening = GuardedPlayback(to: Programme("MP3", .mp3(2), []))
      listening.thread = "bk-decode"
      let outcome = try listening.run()
      #expect(outcome.counts.allocations > 0, "the guard sees the threads of a radio")
    }
  }
}

struct Programme: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let seconds: Double
  /// The codecs and rates that the radio reports, in order.
  let formats: [String]
  var mp3Decoder = RadioSettings.Mp3Decoder.mad

  init(_ name: String, _ clip: Clip, _ formats: [String], mp3Decoder: RadioSettings.Mp3Decoder = .mad) {
    (testDescription, bytes, seconds, self.formats) = (name, clip.bytes, clip.duration, formats)
    self.mp3Decoder = mp3Decoder
  }

  init(_ name: String, _ bytes: [UInt8], seconds: Double, _ formats: [String]) {
    (testDescription, self.bytes, self.seconds, self.formats) = (name, bytes, seconds, formats)
  }

  /// Creates a chained Ogg programme.
  init(_ name: String, _ links: [OggLink], _ formats: [String]) {
    let seconds = links.reduce(0) { $0 + $1.music.duration }
    self.init(name, links.flatMap(\.bytes), seconds: seconds, formats)
  }

  static let minutes = [
    Programme("MP3", .mp3(66), ["MP3 44100"]),
    Programme("AAC-LC", .aac(66), ["AAC 44100"]),
    Programme("HE-AAC", highEfficiency(66), ["AAC 44100"]),
    Programme(
      "44.1 kHz, then 48 kHz; MP3, then AAC",
      Clip(Clip.mp3(22).bytes + ToneMp3.frames(920, rate: 48_000) + Clip.aac(22).bytes),
      ["MP3 44100", "MP3 48000", "AAC 44100"]),
  ]

  static let contained: [Programme] = {
    let (cd, fine) = (music(44_100, 10.1), music(48_000, 10.1))
    let (vorbis, opus) = (EncodedMusic(cd, .vorbis), EncodedMusic(fine, .opus()))
    let high = EncodedMusic(music(96_000, 20.1), .flac(bits: 24))
    let wav = WavWriter().file(Music([cd, cd])).bytes
    return [
      Programme("MP3 by libmpg123", .mp3(22), ["MP3 44100"], mp3Decoder: .mpg123),
      Programme("Vorbis", [OggLink(vorbis), OggLink(vorbis, serial: 2)], ["Vorbis 44100"]),
      Programme(
        "Opus, then FLAC, in Ogg", [OggLink(opus), OggLink(EncodedMusic(cd, .flac()), serial: 2)],
        ["Opus 48000", "FLAC 44100"]),
      Programme("FLAC of 24 bits", high.flac(), seconds: high.duration, ["FLAC 96000"]),
      Programme("WAV", wav, seconds: 2 * Double(cd.frameCount) / Double(cd.rate), ["PCM 44100"]),
    ]
  }()

  private static func music(_ rate: Int, _ seconds: Double) -> Music {
    Music(frames: Int(seconds * Double(rate)), rate: rate, seed: 6)
  }

  /// Repeats a short recording of HE-AAC.
  private static func highEfficiency(_ seconds: Double) -> Clip {
    let bytes = TestSupport.Repository.bytes("Tests/Support/Fixtures/he-44100.aac")
    let once = Clip(bytes).duration
    return Clip(Array(repeatElement(bytes, count: Int(seconds / once) + 1).joined()))
  }
}

/// Plays a programme to its end and guards one of the radio's threads from its first instruction to its last.
private struct GuardedPlayback {
  let programme: Programme
  /// Accepts audio as fast as possible.
  var output = OutputRequest(.null)
  var thread = "bk-render"

  init(to programme: Programme) {
    self.programme = programme
    output.isPaced = false
  }

  func run() throws -> (summary: Summary, formats: [String], counts: guard_counts) {
    let station = try ScriptedStation([.live(), .send(programme.bytes)])
    defer { station.close() }
    var request = StationRequest(url: station.url())
    request.retry = .times(0)
    request.liveAhead = StreamTime(seconds: 300)
    var formats: [String] = []
    guard_arm(thread)
    // With all consumers of the audio: a tap, meters, spectrum.
    var settings = RadioSettings()
    settings.taps = [Tap(softer)]
    settings.mp3Decoder = programme.mp3Decoder
    let radio = try Radio(settings, output)
    radio.onEvent = { event, _ in
      if case .stationInfo(let info) = event { formats.append("\(info.codec) \(info.sampleRate)") }
    }
    radio.tune(request)
    let deadline = monotonicSeconds() + 120
    while radio.state != .stopped, monotonicSeconds() < deadline {
      radio.step(Duration(milliseconds: 20))
      _ = (radio.levels, radio.spectrum(bands: 20))
    }
    let summary = radio.close()
    let counts = guard_disarm()
    if counts.offences > 0, thread == "bk-render" { guard_blame() }
    return (summary, formats, counts)
  }
}

/// A tap that obeys the render thread's rules.
@_noLocks @_noAllocation
private func softer(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let samples else { return }
  for index in 0..<(frames &* 2) { samples[index] = samples[index] / 2 }
}
