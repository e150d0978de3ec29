import Control
import Foundation
import MediaSupport
import RadioEngine
import StationSupport
import TestSupport
import Testing

/// Silence and loops of a station, from its server to the fallback (F3).
@Suite struct DeadAirTests {
  /// A programme with dead air from `start` on, in seconds.
  struct Dead: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var start: Double
    /// The limits, and the seconds of dead air that the listener may hear.
    var limits = DeadAir(decibels: -50, seconds: 20)
    var heard = 19.0...21
    var isLoop = false
    var audio: @Sendable () throws -> DeadAirAudio
  }

  /// A programme that is never left. `quiet`, `loop`: least seconds of silence and repetition that it contains.
  struct Alive: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var limits = DeadAir(decibels: -50, seconds: 20)
    var quiet = 0.0
    var loop = 0.0
    var audio: @Sendable () throws -> DeadAirAudio
  }

  private typealias Form = DeadAirAudio.Form

  private static let encoded: [Form] = DeadAirAudio.hasEncoders ? [.mp3, .aac] : []

  private static func silence(
    _ name: String, _ form: Form, rate: Int = 44_100, channels: Int = 1, limits: (Double, Double) = (-50, 20),
    _ end: @escaping @Sendable (inout DeadAirMaterial) -> Void
  ) -> Dead {
    var dead = Dead(testDescription: "\(name), \(form), \(rate) Hz, \(channels) channels", start: 10) {
      try DeadAirAudio(DeadAirProgrammes.music(rate, then: end), rate: rate, channels: channels, as: form)
    }
    dead.limits = DeadAir(decibels: limits.0, seconds: limits.1)
    dead.heard = limits.1 - 1...limits.1 + 1
    return dead
  }

  static let silences: [Dead] =
    ([.flac] + encoded).flatMap { form in
      [
        silence("silence", form) { $0.addSilence(35) }, silence("noise of -55 dB", form) { $0.addNoise(-55, 35) },
      ]
    }
    + [
      silence("silence", .wav, channels: 2) { $0.addSilence(35) },
      silence("noise of -55 dB", .flac, rate: 96_000, channels: 2) { $0.addNoise(-55, 35) },
      silence("hum of -55 dB", .flac, rate: 22_050) { $0.addTone(50, -55, 35) },
      silence("noise of -65 dB with limits of its own", .flac, rate: 48_000, limits: (-60, 5)) { $0.addNoise(-65, 20) },
    ]

  private static func loop(_ name: String, after before: Double, _ part: Clip, type: String = "audio/mpeg") -> Dead {
    let isAac = type == "audio/aac"
    let head = isAac ? Clip.aac(before + 30) : Clip.mp3(before + 30)
    return loop("a loop of \(name) after \(before) s", start: before) {
      DeadAirAudio(head.from(500).prefix(before), thenLoop: part, 75, type: type)
    }
  }

  private static func loop(
    _ name: String, start: Double, _ audio: @escaping @Sendable () throws -> DeadAirAudio
  ) -> Dead {
    Dead(testDescription: name, start: start, heard: 58...62, isLoop: true, audio: audio)
  }

  private static func sampleLoop(
    _ name: String, _ form: Form, rate: Int, _ part: @escaping @Sendable (inout DeadAirMaterial) -> Void
  ) -> Dead {
    loop("\(name), encoded as \(form), \(rate) Hz", start: 10) {
      var piece = DeadAirMaterial(rate, seed: 21)
      part(&piece)
      return try DeadAirAudio(
        DeadAirProgrammes.music(rate) { $0.addLoop(piece.samples, 75) }, rate: rate, as: form)
    }
  }

  private static let pause = Clip(Repository.bytes("Tests/Support/Fixtures/silence-44100.mp3")).prefix(1)

  static let loops: [Dead] =
    [
      loop("3 s", after: 0.5, .mp3(3)), loop("3 s", after: 17, .mp3(3)), loop("1 s", after: 5, .mp3(1)),
      loop("29 s", after: 9, .mp3(29)), loop("3 s, AAC", after: 7, .aac(3), type: "audio/aac"),
      loop("3 s with a pause", after: 0, Clip(pause.bytes + Clip.mp3(2).bytes)),
      sampleLoop("a jingle of 3 s", .flac, rate: 44_100) { $0.addPhrase(3) },
      sampleLoop("a jingle of 3 s", .wav, rate: 48_000) { $0.addPhrase(3) },
      sampleLoop("hum of -45 dB", .flac, rate: 44_100) { $0.addTone(50, -45, 1) },
    ] + encoded.prefix(1).map { form in sampleLoop("a jingle of 3 s", form, rate: 48_000) { $0.addPhrase(3) } }

  private static func alive(
    _ name: String, _ form: Form, rate: Int, quiet: Double = 0, loop: Double = 0,
    _ samples: @escaping @Sendable () -> [Float]
  ) -> Alive {
    Alive(testDescription: "\(name), \(form), \(rate) Hz", quiet: quiet, loop: loop) {
      try DeadAirAudio(samples(), rate: rate, as: form)
    }
  }

  /// A beat of whole MP3 packets at 48 kHz, so that equal bars may have equal packets.
  private static let beat = 21 * 1_152

  static let programmes: [Alive] =
    ([.flac] + encoded.prefix(1)).flatMap { form in
      [
        alive("classical music with passages of -35 dB", form, rate: 32_000) {
          DeadAirProgrammes.classical(32_000, 137)
        },
        alive("speech with pauses of 4 s", form, rate: 44_100, quiet: 3.2) { DeadAirProgrammes.speech(44_100, 137) },
        alive("drums with a fill every 4 bars", form, rate: 48_000, loop: 4) {
          DeadAirProgrammes.drums(48_000, 137, beat: beat, bars: 4)
        },
        alive("drums with a fill every 8 bars", form, rate: 48_000, loop: 10) {
          DeadAirProgrammes.drums(48_000, 137, beat: beat, bars: 8)
        },
        alive("a metronome that changes its tempo", form, rate: 48_000, loop: 35) {
          DeadAirProgrammes.metronome(48_000, 137, beats: [beat, beat * 20 / 21, beat * 19 / 21])
        },
        alive("techno with noise of -50 dB", form, rate: 48_000) {
          DeadAirProgrammes.techno(48_000, 137, beat: beat)
        },
      ]
    }
    + encoded.suffix(1).map { form in
      alive("speech with pauses of 4 s", form, rate: 44_100, quiet: 3.2) { DeadAirProgrammes.speech(44_100, 137) }
    }

  private static let speed = 30

  private static func report(_ name: String, _ bench: DeadAirBench) {
    guard ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil else { return }
    print("dead air: \(name): \(bench.changes), most \(bench.most), position \(bench.position)")
  }

  @Test("Dead air of a station is left in time for the fallback (F3)", arguments: silences + loops)
  func leaves(_ row: Dead) async throws {
    try await Stage.run(speed: Self.speed) {
      let bench = try DeadAirBench(row.audio(), row.limits)
      #expect(bench.run(row.start + row.heard.upperBound + 30) { bench.isAway }, "\(bench.changes)")
      Self.report(row.testDescription, bench)
      #expect(bench.changes.map(\.event.name) == ["deadAir", "failedOver"])
      let first = try #require(bench.changes.first)
      let heard = first.position - row.start
      #expect(bench.holdsUnlessLate(row.heard.contains(heard)), "after \(heard) s")
      guard case .deadAir(let level, _) = first.event else { return }
      #expect((level < row.limits.decibels) != row.isLoop, "\(level)")
      guard case .failedOver("A", "B", let reason, _, _) = bench.changes[1].event else {
        Issue.record("\(bench.changes)")
        return
      }
      #expect(reason.hasPrefix(row.isLoop ? "The same audio again for 6" : "Only silence for "), "\(reason)")
      #expect(bench.main.visits.count == 1 && bench.fallback.visits.count == 1)
    }
  }

  @Test("Quiet passages, pauses and music that differs within each minute are never left (F3)", arguments: programmes)
  func stays(_ row: Alive) async throws {
    try await Stage.run(speed: Self.speed) {
      let bench = try DeadAirBench(row.audio(), row.limits)
      #expect(bench.run(200) { bench.position >= 132 }, "\(bench.position)")
      Self.report(row.testDescription, bench)
      #expect(bench.changes.isEmpty, "\(bench.changes)")
      #expect(bench.main.visits.count == 1 && bench.fallback.visits.isEmpty)
      let (quiet, loop) = bench.most
      #expect(quiet >= row.quiet && quiet < 10, "\(quiet)")
      #expect(loop >= row.loop && loop < 55, "\(loop)")
    }
  }
}
