import AudioOutput
import Blocks
import Foundation
import MediaSupport
import Metering
import Network
import RadioEngine
import RadioSupport
import Rendering
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Taps and monitors read and change the PCM during playback (R7.1, R9.1, S2).
@Suite struct MonitorTests {
  /// A tap that generates a sine of 997 Hz: full scale on the left, one tenth on the right.
  final class Tone {
    var phase = 0.0
    var step = 0.0

    static let sound: Tap.Process = { context, samples, count in
      guard let context, let samples else { return }
      let tone = Unmanaged<Tone>.fromOpaque(context).takeUnretainedValue()
      for frame in 0..<count {
        let value = sin(tone.phase) * 8_388_607
        samples[2 * frame] = Int32(value)
        samples[2 * frame + 1] = Int32(value / 10)
        tone.phase += tone.step
      }
    }

    var tap: Tap {
      Tap(
        Self.sound, context: Unmanaged.passUnretained(self).toOpaque(),
        created: { [unowned self] in step = 2 * .pi * 997 / Double($0.rate.hertz) })
    }
  }

  @Test("A full-scale sine measures -3.01 dBFS in its band; a pause gives silence (R7.1, S2)")
  func measured() async throws {
    try await Stage.run {
      let tone = Tone()
      var settings = RadioSettings.bench
      settings.taps = [tone.tap]
      let rig = try RadioRig(settings, isPaced: true)
      let station = try ScriptedStation(StationAction.onAir(.mp3(8)))
      defer { station.close() }
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      #expect(rig.radio.levels.left.average == .silence, "the first look begins to measure")
      let place = try #require(SpectrumBands(count: 20, rate: .cd).band(of: 997))
      #expect(rig.run { rig.radio.levels.left.average > Decibels(-4) })
      rig.run(for: 0.3)
      let (left, right) = rig.radio.levels
      let bands = rig.radio.spectrum(bands: 20)
      #expect(rig.holdsUnlessLate(abs(left.average.value + 3.01) < 0.1 && abs(left.peak.value) < 0.1))
      #expect(rig.holdsUnlessLate(abs(right.average.value + 23.01) < 0.1 && abs(right.peak.value + 20) < 0.1))
      #expect(rig.holdsUnlessLate(bands.firstIndex(of: bands.max() ?? .silence) == place))
      #expect(rig.holdsUnlessLate(abs(bands[place].value + 3) < 0.5), "both channels counted alike")
      rig.radio.pause()
      #expect(rig.run { rig.radio.levels.left.average == .silence })
      #expect(rig.radio.spectrum(bands: 16).allSatisfy { $0 == .silence })
      withExtendedLifetime(tone) { _ = rig.radio.close() }
    }
  }

  @Test("A tap is notified of each format before its first frame, and of its end (R9.1)")
  func formats() async throws {
    try await Stage.run {
      let log = Locked<[String]>([])
      var settings = RadioSettings.bench
      settings.taps = [
        Tap({ _, _, _ in }, created: { format in log.withLock { $0.append("+\(format.rate.hertz)") } }) {
          log.withLock { $0.append("-") }
        }
      ]
      var output = OutputRequest(.null)
      output.isPaced = false
      let radio = try Radio(settings, output)
      EventTrace.record(radio)
      var told: [String] = []
      radio.onEvent = { event, _ in
        switch event {
        case .tapCreated(let format): told.append("+\(format.rate.hertz)")
        case .tapDisposed: told.append("-")
        case .playing, .summary: told.append(event.name)
        default: break
        }
      }
      let station = try ScriptedStation([.live(), .send(Clip.mp3(4).bytes + ToneMp3.frames(160, rate: 48_000))])
      defer { station.close() }
      var request = StationRequest(url: station.url())
      request.retry = .times(0)
      radio.tune(request)
      let deadline = monotonicSeconds() + 20
      while radio.state != .stopped, monotonicSeconds() < deadline { radio.step(Duration(milliseconds: 20)) }
      _ = radio.close()
      #expect(log.withLock { $0 } == ["+44100", "-", "+48000", "-"])
      #expect(told.filter { $0 != "playing" } == ["+44100", "-", "+48000", "-", "summary"])
      #expect(told.first == "+44100")
    }
  }
}
