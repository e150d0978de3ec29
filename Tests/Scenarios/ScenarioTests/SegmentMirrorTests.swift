import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Two HLS stations with the same segments.
@Suite struct SegmentMirrorTests {
  private static let clip = Clip.long(400)

  /// A fault of all responses of a station.
  private struct Fault {
    enum Kind: CaseIterable { case absent, busy, reset, stall, half }

    let station: Int
    let kind: Kind
    let times: Range<Double>

    func actions(_ request: SegmentedStation.Request) -> [StationAction]? {
      switch kind {
      case .absent: return StationAction.response("404 Not Found")
      case .busy: return StationAction.response("503 Busy")
      case .reset: return [.reset]
      case .stall: return [.stall]
      case .half:
        guard case .segment(let number) = request else { return nil }
        let file = SegmentedStation.segmentBytes(of: number, in: clip, length: 4)
        return [.file(file.count), .send(Array(file.prefix(file.count / 2)))]
      }
    }

    /// Returns faults at random, each after all stations have recovered.
    static func faults(until end: Double, seed: UInt64) -> [Fault] {
      var random = SeededGenerator(seed)
      var (time, faults): (Double, [Fault]) = (Double.random(in: 5...8, using: &random), [])
      while time < end {
        let duration = Double.random(in: 0.5...25, using: &random)
        let kind = Kind.allCases.randomElement(using: &random) ?? .stall
        let station = Int.random(in: 0..<2, using: &random)
        faults.append(Fault(station: station, kind: kind, times: time..<(time + duration)))
        time += duration + Double.random(in: 5...8, using: &random)
      }
      return faults
    }
  }

  @Test("Faults of two HLS mirrors at random are inaudible", arguments: [1, 2, 3] as [UInt64])
  func faults(seed: UInt64) async throws {
    try await Stage.run(speed: 4) {
      let faults = Fault.faults(until: 90, seed: seed)
      let begun = monotonicSeconds()
      let stations = try (0..<2).map { number in
        try SegmentedStation(Self.clip) { _, request, _ in
          let age = monotonicSeconds() - begun
          let fault = faults.first { $0.station == number && $0.times.contains(age) }
          return fault?.actions(request)
        }
      }
      defer { for station in stations { station.close() } }
      var settings = RadioSettings.bench
      settings.steers = false
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(stations[0].url) { $0.alternatives = [AlternativeAddress(url: StationAddress(stations[1].url))] }
      #expect(rig.run(300) { rig.radio.status.heard > 110 })
      let whole = Clip(stations[0].bytes(3..<40)).pcm()
      #expect(rig.events("queueExhausted").isEmpty, "seed \(seed)")
      #expect(rig.holdsUnlessLate(difference(rig.pcm, beginningOf: whole) == nil), "seed \(seed)")
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0), "seed \(seed)")
    }
  }

  @Test("A mirror replaces a silent HLS station before its short segments end", arguments: [5, 5.5, 6, 6.5])
  func shortSegments(start: Double) async throws {
    try await Stage.run(speed: 2) {
      let fault = Fault(station: 0, kind: .stall, times: start..<start + 12)
      let begun = monotonicSeconds()
      let stations = try (0..<2).map { number in
        try SegmentedStation(Self.clip, length: 2) { _, request, _ in
          let isFaulty = number == fault.station && fault.times.contains(monotonicSeconds() - begun)
          return isFaulty ? fault.actions(request) : nil
        }
      }
      defer { for station in stations { station.close() } }
      let rig = try RadioRig(isPaced: true)
      rig.tune(stations[0].url) { $0.alternatives = [AlternativeAddress(url: StationAddress(stations[1].url))] }
      #expect(rig.run(60) { rig.radio.status.heard > 16 })
      #expect(rig.holdsUnlessLate(rig.events("queueExhausted").isEmpty))
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0))
      #expect(!stations[1].server.visits.isEmpty)
    }
  }

  @Test("After an outage, addresses that respond slowly play again")
  func slowResponses() async throws {
    try await Stage.run(speed: 4) {
      let outage = Fault(station: 0, kind: .stall, times: 6..<20)
      let begun = monotonicSeconds()
      let stations = try (0..<2).map { _ in
        try SegmentedStation(Self.clip, length: 4) { _, request, _ in
          if outage.times.contains(monotonicSeconds() - begun) { return outage.actions(request) }
          guard case .segment(let number) = request, monotonicSeconds() - begun >= 20 else { return nil }
          let bytes = SegmentedStation.segmentBytes(of: number, in: Self.clip, length: 4)
          return [.wait(2), .file(bytes.count), .send(bytes)]
        }
      }
      defer { for station in stations { station.close() } }
      let rig = try RadioRig(isPaced: true)
      rig.tune(stations[0].url) { $0.alternatives = [AlternativeAddress(url: StationAddress(stations[1].url))] }
      #expect(rig.run(20) { rig.radio.status.heard > 4 })
      #expect(rig.run(20) { !rig.events("queueExhausted").isEmpty })
      let heard = rig.radio.status.heard
      #expect(rig.run(40) { rig.radio.status.heard > heard + 15 })
    }
  }

  @Test("A missing segment is skipped although the other address is dead")
  func missing() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 60) { _, request, _ in
        request == .segment(8) ? StationAction.response("404 Not Found") : nil
      }
      let dead = try ScriptedStation(StationAction.response("404 Not Found"))
      defer {
        station.close()
        dead.close()
      }
      let bench = try NetBench()
      bench.tune(station.url) { $0.alternatives = [AlternativeAddress(url: StationAddress(dead.url()))] }
      #expect(bench.run(90) { bench.written > 60 })
    }
  }

  @Test("A segment of an hour that arrives byte by byte ends the wait for its address")
  func drip() async throws {
    try await Stage.run(speed: 4) {
      let stations = try (0..<2).map { number in
        try SegmentedStation(Self.clip, length: 4) { _, request, air in
          guard number == 0 else { return nil }
          switch request {
          case .segment(8...):
            let bytes = [UInt8](repeating: 0, count: 40_000)
            return [.file(bytes.count), .pace(bytes, perSecond: 20, burst: 20)]
          case .list:
            let text = Self.withHours(air.text(), from: 8)
            return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl")
          default: return nil
          }
        }
      }
      defer { for station in stations { station.close() } }
      let bench = try NetBench()
      bench.tune(stations[0].url) { $0.alternatives = [AlternativeAddress(url: StationAddress(stations[1].url))] }
      #expect(bench.run(20) { bench.written > 4 })
      #expect(bench.run(120) { bench.written > 40 })
      #expect(!stations[1].server.visits.isEmpty)
    }
  }

  /// Returns a list whose segments with the number `first` and later ones last an hour.
  private static func withHours(_ text: String, from first: Int) -> String {
    var number = text.split(separator: "#EXT-X-MEDIA-SEQUENCE:").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    var lines: [Substring] = []
    for line in text.split(separator: "\n") {
      guard line.hasPrefix("#EXTINF:") else {
        lines.append(line)
        continue
      }
      lines.append(number < first ? line : "#EXTINF:3600,")
      number += 1
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
