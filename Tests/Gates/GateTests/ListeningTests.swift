import AudioOutput
import CAllocGuard
import Glibc
import Network
import RadioEngine
import Rendering
import TestSupport
import Testing
import Units

/// The same guard while a whole radio plays: net thread, decode thread and all.
extension AllocationTests {
  /// Minutes take seconds here: the sink takes sound as fast as it comes, and follows each programme's rate.
  @Test("A minute and more of each codec leaves the render thread clean (D1, N4)", arguments: Programme.minutes)
  func listeningIsClean(_ programme: Programme) async throws {
    try await Stage.run {
      let outcome = try Listening(to: programme.clip).run()
      #expect(outcome.counts.offences == 0)
      #expect(outcome.counts.accesses == 0)
      #expect(outcome.formats == programme.formats)
      #expect(outcome.summary.heard >= 60, "\(outcome.summary.heard) s were rendered")
      #expect(abs(outcome.summary.heard - programme.clip.duration) < 0.2)
    }
  }

  /// The card fails once amid the first period ring's sound: the real way out of it is taken, and all is heard.
  @Test("So do an xrun and a suspend, with changes of the format on a card (D2)", arguments: [EPIPE, ESTRPIPE])
  func xrunIsClean(_ error: Int32) async throws {
    try await Stage.run {
      // Nobody else in this process plays to a device of this name.
      let device = "plug:null"
      var listening = Listening(to: Clip(Clip.mp3(4).bytes + ToneMp3.frames(160, rate: 48_000) + Clip.aac(4).bytes))
      listening.output = OutputRequest(.alsa(device))
      guard_fail_write(device, 5, -Int(error))
      let outcome = try listening.run()
      #expect(outcome.summary.xruns == 1)
      #expect(outcome.counts.offences == 0)
      #expect(outcome.counts.accesses == 0)
      #expect(outcome.formats == ["MP3 44100", "MP3 48000", "AAC 44100"])
      #expect(abs(outcome.summary.heard - listening.clip.duration) < 0.2)
    }
  }

  @Test func theDecodeThreadIsNotClean() async throws {
    try await Stage.run {
      var listening = Listening(to: .mp3(2))
      listening.thread = "bk-decode"
      let outcome = try listening.run()
      #expect(outcome.counts.allocations > 0, "the guard sees the threads of a radio")
    }
  }
}

/// What is listened to.
struct Programme: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let clip: Clip
  /// The codecs and rates that the radio tells of, in turn.
  let formats: [String]

  static let minutes = [
    Programme(testDescription: "MP3", clip: .mp3(66), formats: ["MP3 44100"]),
    Programme(testDescription: "AAC-LC", clip: .aac(66), formats: ["AAC 44100"]),
    Programme(testDescription: "HE-AAC", clip: highEfficiency(66), formats: ["AAC 44100"]),
    Programme(
      testDescription: "44.1 kHz, then 48 kHz; MP3, then AAC",
      clip: Clip(Clip.mp3(22).bytes + ToneMp3.frames(920, rate: 48_000) + Clip.aac(22).bytes),
      formats: ["MP3 44100", "MP3 48000", "AAC 44100"]),
  ]

  /// A short recording, over and over.
  private static func highEfficiency(_ seconds: Double) -> Clip {
    let bytes = TestSupport.Repository.bytes("Tests/Support/Fixtures/he-44100.aac")
    let once = Clip(bytes).duration
    return Clip(Array(repeatElement(bytes, count: Int(seconds / once) + 1).joined()))
  }
}

/// A radio that plays one programme to its end, one of its threads under guard from its first instruction to its last.
private struct Listening {
  let clip: Clip
  /// Takes sound as fast as it comes.
  var output = OutputRequest(.null)
  var thread = "bk-render"

  init(to clip: Clip) {
    self.clip = clip
    output.isPaced = false
  }

  func run() throws -> (summary: Summary, formats: [String], counts: guard_counts) {
    let station = try ScriptedStation([.live(), .send(clip.bytes)])
    defer { station.close() }
    var request = StationRequest(url: station.url())
    request.retry = .times(0)
    request.liveAhead = StreamTime(seconds: 300)
    var formats: [String] = []
    guard_arm(thread)
    // With all that may listen: a tap, the meters, the spectrum.
    var settings = RadioSettings()
    settings.taps = [Tap(softer)]
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

/// A tap that keeps the render thread's rules.
@_noLocks @_noAllocation
private func softer(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let samples else { return }
  for index in 0..<(frames &* 2) { samples[index] = samples[index] / 2 }
}
