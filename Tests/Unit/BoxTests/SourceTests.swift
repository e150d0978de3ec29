import HomeAssistant
import Panel
import RadioEngine
import Testing
import Units

@testable import Box
@testable import Control
@testable import Network
@testable import PlayerSupport

/// The box's words about a source that replaces the station (F7).
@Suite struct SourceTests {
  private let bench = SourceBench()
  private var radio: FakeRadio { bench.radio }
  private var player: PlayerController { bench.player }

  @Test("The display, Home Assistant and the service manager have the source of the same moment (F7)")
  func model() throws {
    bench.play()
    #expect(model(at: 1_795_788_000).replacement == nil)
    radio.isAudioPlaying = false
    radio.fault = PlaybackFault(.silence(seconds: 10), url: "http://a/a")
    bench.pass(18)
    let away = model(at: 1_795_788_000)
    let source = try #require(away.view.source)
    #expect(source.station == "A" && away.view.station == "B" && source.kind == .fallback)
    #expect(source.reason == .fault(.noData(attempt: 1, nextTry: nil)))
    #expect(source.since == WallTime.clock(at: 1_795_787_998))
    #expect(source.next == .later(WallTime.clock(at: 1_795_788_008)))
    #expect(away.serviceStatus.line == "connecting: B instead of A")
    let replacement = try #require(away.replacement)
    #expect(replacement.source == "B" && replacement.station == "A")
    #expect(replacement.reason.hasPrefix("No audio for 15 s. "))
    #expect(replacement.since == "2026-11-27T13:59:58Z" && replacement.nextAttempt == "2026-11-27T14:00:08Z")
    let unset = model(at: nil)
    #expect(unset.view.source?.next == .later(nil) && unset.replacement?.since == nil)
    player.stop()
    player.settle()
    #expect(model(at: 1_795_788_000).view.source == nil)
  }

  @Test("Home Assistant has the reason for another address as its past (F7)")
  func otherAddress() throws {
    var request = StationRequest(url: "http://a/own")
    request.alternatives = [AlternativeAddress(url: "http://a/other")]
    player.add(request, name: "C")
    player.play(1)
    for url in ["http://a/own", "http://a/other"] {
      radio.status.facts = StationFacts(url: url, isLive: true, isSeekable: false)
      player.handle(.connecting(url: url))
      bench.pass(1)
    }
    let replacement = try #require(model(at: 1_795_788_000).replacement)
    #expect(replacement.source == "http://a/other" && replacement.reason == "Before: No audio.")
  }

  @Test("Home Assistant has no next attempt during an ad (B4)", arguments: [true, false])
  func duringAd(isAd: Bool) {
    let report = SourceReport(
      source: "B", kind: .fallback, station: "A", reason: isAd ? .ad : .fault(nil), seconds: 3, next: .receiving)
    let replacement = RadioSnapshot.Replacement(report, SourceTimes())
    #expect(replacement.nextAttempt == (isAd ? nil : "now"))
    #expect(PanelSource(report, SourceTimes()).next == (isAd ? .never : .now))
  }

  private func model(at wall: Int64?) -> PanelModel {
    var box = PanelModel.BoxState()
    box.sourceTimes.update(player.fallback.report, wall: wall)
    return PanelModel(box, PanelModel.Playback(player))
  }

  @Test("A clock that is read late changes no time of the source; a clock that is set does")
  func steady() {
    bench.play()
    radio.isAudioPlaying = false
    bench.pass(16)
    var times = SourceTimes()
    times.update(player.fallback.report, wall: 1_000_000)
    let first = times
    #expect(times.since == 1_000_000 && times.next == 1_000_010)
    times.update(player.fallback.report, wall: 1_000_002)
    #expect(times == first)
    times.update(player.fallback.report, wall: 2_000_000)
    #expect(times.since == 2_000_000 && times.next == 2_000_010)
    times.update(nil, wall: 2_000_000)
    #expect(times == SourceTimes())
  }
}
