import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Drift compensation stretches or shortens audio to keep the distance from live (N7).
@Suite struct SteeringTests {
  /// A station with a burst of two seconds and a clock that is faster by `drift`. The title changes every ten seconds,
  /// but each half second has a title block, for an even rate.
  private static func station(_ clip: Clip, drift: Double) throws -> ScriptedStation {
    let halves = stride(from: 0, to: clip.bytes.count, by: 2_000).enumerated()
    let mixed = halves.flatMap { half, place in
      clip.bytes[place...].prefix(2_000) + Icy.block("StreamTitle='\(half / 20 * 10) s';")
    }
    let rate = Double(mixed.count) / clip.duration
    return try ScriptedStation([
      .live("icy-metaint: 2000"), .pace(mixed, perSecond: rate * (1 + drift), burst: Int(2 * rate)), .stall,
    ])
  }

  @Test(
    "The buffer grows inaudibly to its goal for all clocks, and the position is exact (N7)", arguments: [-1.0, 1])
  func grows(sign: Double) async throws {
    // Without optimisation the interpolator is slow.
    try await Stage.run(speed: 3) {
      let clip = Clip(ToneMp3.hum(2_000))
      let station = try Self.station(clip, drift: sign * 500e-6)
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.steers = true
      let rig = try RadioRig(settings, isPaced: true, bufferMilliseconds: 1_600)
      let keep = rig.radio.onEvent
      var titles: [(text: String, at: Double, position: Double)] = []
      rig.radio.onEvent = { [unowned rig] event, time in
        keep(event, time)
        guard case .metadataChanged(let title, let at) = event else { return }
        titles.append((title.text, at, rig.radio.status.position))
      }
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      let growth = 0.003 + sign * 500e-6
      let early = Self.bufferedSeconds(of: rig, at: 8, growing: growth)
      let late = Self.bufferedSeconds(of: rig, at: 53, growing: growth)
      let time = rig.radio.time
      rig.radio.pause()
      #expect(rig.run(20) { rig.radio.status.heard - rig.radio.status.position < 0.001 })
      let heard = rig.radio.close().heard
      let tone = Tone(rig.pcm)
      let steepest = Tone(clip.prefix(1).pcm(channels: 1)).steepest
      #expect(rig.holdsUnlessLate(tone.steepest <= steepest * 21 / 20))
      #expect(rig.holdsUnlessLate(abs(tone.programme - heard) < 0.05))
      #expect(titles.count >= 5)
      for (number, title) in titles.enumerated() {
        #expect(title.text == "\(number * 10) s" && (-0.1...0.6).contains(title.at - Double(number * 10)))
        #expect(abs(title.position - title.at) < 0.5)
      }
      let stretch = tone.seconds - tone.programme
      print("steering: in \(time) s the hold grows from \(early) to \(late) s, the sound by \(stretch) s")
      // 0.3 % plus the station's drift. Excused if silence came from a busy machine.
      let isLate = station.maxThreadDelay > 0.01
      #expect(rig.holdsUnlessLate(abs(late - early - 45 * growth) < 0.06, or: isLate))
      #expect(rig.holdsUnlessLate(abs(stretch - 0.003 * time) < 0.04))
    }
  }

  @Test("Without drift compensation every sample stays unchanged", arguments: ["the radio's", "the station's"])
  func untouched(wish: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip(ToneMp3.frames(1_400, rate: 16_000, channels: 1, kilobits: 32))
      let station = try Self.station(clip, drift: 500e-6)
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.steers = wish == "the station's"
      let rig = try RadioRig(settings, isPaced: true, bufferMilliseconds: 1_600)
      rig.tune(station.url()) { if wish == "the station's" { $0.isSteered = false } }
      try #require(rig.next("playing") != nil)
      rig.run(for: 40)
      let pcm = rig.pcm
      #expect(
        rig.holdsUnlessLate(pcm.count > 40 * 32_000 && difference(pcm, beginningOf: clip.pcm(channels: 1)) == nil))
    }
  }

  /// The buffered seconds at a time: the median of ten seconds of samples, which ignores short delays.
  private static func bufferedSeconds(of rig: RadioRig, at seconds: Double, growing growth: Double) -> Double {
    _ = rig.run(200) { rig.radio.time > seconds - 5 }
    var holds: [Double] = []
    while rig.radio.time < seconds + 5 {
      rig.run(for: 0.07)
      holds.append(rig.radio.status.held - growth * (rig.radio.time - seconds))
    }
    return holds.sorted()[holds.count / 2]
  }
}

private struct Tone {
  var seconds = 0.0
  /// Seconds of the programme in the recording, counted by periods of the tone.
  var programme = 0.0
  var steepest = 0

  init(_ pcm: [UInt8]) {
    pcm.withUnsafeBytes { bytes in
      let samples = bytes.bindMemory(to: Int16.self)
      var (last, periods) = (0, 0)
      for sample in samples {
        if last < 0 && sample >= 0 { periods += 1 }
        steepest = max(steepest, abs(Int(sample) - last))
        last = Int(sample)
      }
      seconds = Double(samples.count) / 16_000
      programme = Double(periods) / 7 * 576 / 16_000
    }
  }
}
