import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Lines that are slower than the bit rate of a station.
@Suite struct LowBandwidthTests {
  private static func tune(_ rig: RadioRig, _ url: String, _ others: [String]) {
    rig.tune(url) { $0.alternatives = others.map { AlternativeAddress(url: StationAddress($0)) } }
  }

  /// Plays for `seconds`, or until the end of the silence number `count`, and returns the seconds of each silence after
  /// the first audio.
  private static func pauses(_ rig: RadioRig, for seconds: Double, until count: Int = .max) -> [Double] {
    guard rig.next("playing") != nil else { return [] }
    var (pauses, start): ([Double], Double?) = ([], nil)
    let end = monotonicSeconds() + seconds
    while monotonicSeconds() < end, pauses.count < count {
      rig.run(for: 0.1)
      if rig.radio.state != .playing {
        start = start ?? monotonicSeconds()
      } else if let began = start.take() {
        pauses.append(monotonicSeconds() - began)
      }
    }
    return pauses + (start.map { [monotonicSeconds() - $0] } ?? [])
  }

  @Test(
    "A line at 75 % of the bit rate is silent at most once, for 8 s, with a lower alternative (F6)",
    arguments: [(2.0, true), (0, true), (2, false)])
  func alternative(burst: Double, isMarked: Bool) async throws {
    try await Stage.run(speed: 6) {
      var plan = SlowLine.Plan()
      (plan.burst, plan.isMarked) = (burst, isMarked)
      let line = try SlowLine(plan)
      defer { line.close() }
      let rig = try RadioRig(isPaced: true)
      Self.tune(rig, line.main.url(), [line.lower.url()])
      let pauses = Self.pauses(rig, for: 70)
      if ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil { print("low bandwidth: \(pauses)") }
      #expect(rig.holdsUnlessLate(pauses.count <= 1 && pauses.allSatisfy { $0 <= 8 }), "\(pauses)")
      #expect(line.lower.visits.count == 1 && line.main.visits.count == 1)
      #expect(rig.radio.status.lowerRate?.reason.hasPrefix("The line is too slow for ") == true)
      #expect(rig.events("failedOver").count == 1 && rig.radio.state == .playing)
    }
  }

  @Test("Without another source, a slow line changes nothing")
  func alone() async throws {
    try await Stage.run(speed: 4) {
      var plan = SlowLine.Plan()
      (plan.duration, plan.laps) = (300, 4)
      let line = try SlowLine(plan)
      defer { line.close() }
      let rig = try RadioRig(isPaced: true)
      Self.tune(rig, line.main.url(), [])
      let pauses = Self.pauses(rig, for: 300, until: 2)
      if ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil { print("alone: \(pauses)") }
      #expect(line.main.visits.count == 1 && pauses.count == 2 && rig.radio.status.lowerRate == nil)
    }
  }

  @Test("A source with the same bit rate is left at its head, and the next one plays")
  func equal() async throws {
    try await Stage.run(speed: 4) {
      let line = try SlowLine()
      let equal = try ScriptedStation([.live("icy-br: 128"), .stall])
      defer {
        line.close()
        equal.close()
      }
      let rig = try RadioRig(isPaced: true)
      Self.tune(rig, line.main.url(), [equal.url(), line.lower.url()])
      #expect(rig.run(40) { rig.radio.status.lowerRate != nil })
      #expect(equal.visits.count == 1 && line.lower.visits.count == 1 && line.main.visits.count == 1)
    }
  }

  @Test("An empty buffer after a cut or a stall leaves a healthy line at its bit rate", arguments: ["cut", "stall"])
  func healthy(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip(ToneMp3.frames(2_300, kilobits: 128))
      let broadcast = Broadcast(clip, burst: 2)
      let lowBroadcast = Broadcast(Clip(ToneMp3.frames(2_300, kilobits: 64)), burst: 2)
      let (rate, isBack, isLowerBack) = (clip.byteRate, Gate(), Gate())
      // Responds only after the station is heard again.
      let lower = try ScriptedStation { visit in
        [.gate(isLowerBack), .live("icy-br: 64")] + lowBroadcast.actions(visit)
      }
      let main = try ScriptedStation { visit in
        guard visit.number == 0 else {
          return [.gate(isBack), .live(), .open(isLowerBack)] + broadcast.actions(visit)
        }
        let stall: [StationAction] = [
          .wait(2.8), .pace(Array(clip.bytes.dropFirst(Int(10 * rate))), perSecond: rate, burst: 0),
        ]
        _ = broadcast.age(visit)
        let head = StationAction.pace(Array(clip.bytes.prefix(Int(10 * rate))), perSecond: rate, burst: Int(2 * rate))
        return [.live(), head] + (kind == "stall" ? stall : [])
      }
      defer {
        lower.close()
        main.close()
      }
      let rig = try RadioRig(isPaced: true)
      Self.tune(rig, main.url(), [lower.url("/a", host: "localhost")])
      #expect(rig.next("queueExhausted") != nil)
      isBack.open()
      rig.run(for: 10)
      #expect(rig.radio.status.lowerRate == nil && rig.radio.state == .playing, "\(rig.names)")
    }
  }

  /// The list of the lower variant.
  enum VariantList: CaseIterable { case whole, gone, trickling }

  @Test("On a slow line the second connection closes and stays closed")
  func secondSource() async throws {
    try await Stage.run(speed: 8) {
      let line = try SlowLine()
      defer { line.close() }
      let bench = try NetBench(hasSecond: true)
      bench.net.use(SecondSourceRule(.always))
      bench.tune(line.main.url()) {
        $0.alternatives = [AlternativeAddress(url: StationAddress(line.lower.url()))]
      }
      bench.run(for: 12)
      #expect(line.lower.visits.count == 1)
      bench.setRefilling(true)
      #expect(bench.run { line.lower.visits.count == 2 })
      bench.setRefilling(false)
      bench.run(for: 30)
      #expect(line.main.visits.count == 1 && line.main.connectionCount == 0 && line.lower.connectionCount == 1)
    }
  }

  @Test(
    "A lower variant continues an HLS station on a slow line, with at most one silence of 8 s (F6)",
    arguments: VariantList.allCases)
  func variant(list: VariantList) async throws {
    try await Stage.run(speed: 6) {
      let clips = [128, 64].map { Clip(ToneMp3.frames(5_200, kilobits: $0)) }
      let (rate, began) = (clips[0].byteRate * 0.75, monotonicSeconds())
      @Sendable func slow(_ bytes: [UInt8]) -> [StationAction]? {
        monotonicSeconds() - began < 8 ? nil : [.file(bytes.count), .pace(bytes, perSecond: rate, burst: 0)]
      }
      let other = try SegmentedStation(clips[1]) { visit, request, _ in
        switch list {
        case .whole: break
        case .gone: return StationAction.response("404 Not Found")
        case .trickling:
          return [
            .file(90), .pace(Array("#EXTM3U\n#".utf8) + [UInt8](repeating: 0x20, count: 81), perSecond: 1, burst: 0),
          ]
        }
        guard case .segment(let number) = request else { return nil }
        return slow(SegmentedStation.segmentBytes(of: number, in: clips[1], length: 4))
      }
      let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.34"
        live.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.34"
        \(other.url)
        """
      let station = try SegmentedStation(clips[0]) { visit, request, _ in
        if visit.path == "/master.m3u8" {
          return StationAction.response("200 OK", master, type: "application/vnd.apple.mpegurl")
        }
        guard case .segment(let number) = request else { return nil }
        return slow(SegmentedStation.segmentBytes(of: number, in: clips[0], length: 4))
      }
      defer {
        station.close()
        other.close()
      }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.server.url("/master.m3u8"))
      if list != .whole {
        #expect(rig.run(100) { !other.server.visits.isEmpty })
        let heard = rig.radio.status.heard
        rig.run(for: 25)
        #expect(rig.radio.status.heard > heard + 4)
        #expect(rig.radio.status.lowerRate == nil && other.server.visits.count == 1)
        #expect(rig.radio.status.facts?.segments?.variant?.bitRate == 128_000)
        return
      }
      let pauses = Self.pauses(rig, for: 90)
      if ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil { print("variants: \(pauses)") }
      #expect(rig.holdsUnlessLate(pauses.count <= 1 && pauses.allSatisfy { $0 <= 8 }), "\(pauses)")
      #expect(rig.radio.status.lowerRate == LowerRate(from: "128 kbit/s", to: "64 kbit/s"))
      #expect(rig.radio.status.facts?.segments?.variant?.bitRate == 64_000)
    }
  }
}
