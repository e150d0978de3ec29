import Http
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// The requests of a search for the parts of a joined file: stops, seeks, a next file, and servers that limit their
/// rate (R11.2, O1 … O3).
@Suite struct PartSearchTests {
  private static let form = JoinedFileTests.forms[2]

  /// The first byte and the end of a requested range; nil for a request of the head or of a whole file.
  private static func range(_ visit: ScriptedStation.Request) -> (first: Int, last: Int?)? {
    let ends = visit.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
    return ends.first.flatMap { $0 > 0 ? (first: $0, last: ends.count > 1 ? ends[1] : nil) : nil }
  }

  private static func isProbe(_ visit: ScriptedStation.Request) -> Bool { range(visit)?.last != nil }

  /// A station of one file. `fault`: the actions for a probe with a fault; nil for the bytes of the probe.
  private static func station(
    _ fault: @escaping @Sendable (ScriptedStation.Request) -> [StationAction]?
  ) throws -> ScriptedStation {
    let file = FileServer(form.bytes)
    return try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
      fault(visit) ?? file.actions(for: visit)
    }
  }

  enum End: CaseIterable { case stop, finalFault }

  @Test("A stop or a final fault during the search before a late start ends all requests", arguments: End.allCases)
  func endDuringSearch(end: End) async throws {
    try await Stage.run(speed: 2) {
      let station = try Self.station { Self.isProbe($0) ? [.stall] : nil }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/pod.mp3")) {
        $0.start = StreamTime(seconds: 40)
        guard end == .finalFault else { return }
        ($0.retry, $0.patience, $0.dataTimeout) = (.times(0), .zero, Duration(seconds: 1))
      }
      #expect(rig.run(10) { station.visits.contains(where: Self.isProbe) })
      if end == .stop { rig.radio.stop() } else { #expect(rig.playOut(within: 10), "\(rig.names)") }
      let count = station.visits.count
      // The limit of a search is 3 s.
      rig.run(for: 4)
      #expect(station.visits.count == count, "\(station.firstBytes)")
    }
  }

  @Test("A next file with a start position is searched while the ring is full")
  func nextFile() async throws {
    try await Stage.run(speed: 4) {
      let file = FileServer(Self.form.bytes)
      let (first, direct) = (FileServer(Clip.long(30).bytes), try ScriptedStation(file))
      defer { direct.close() }
      let list = try ScriptedStation { ($0.path == "/pod.mp3" ? file : first).actions(for: $0) }
      defer { list.close() }
      func window(of station: ScriptedStation) -> Int? {
        station.visits.last.flatMap { Self.range($0) }.flatMap { $0.last == nil ? $0.first : nil }
      }
      let alone = try RadioRig()
      alone.tune(direct.url("/pod.mp3")) { $0.start = StreamTime(seconds: 40) }
      #expect(alone.run(20) { window(of: direct) != nil })
      let rig = try RadioRig(isPaced: true)
      var next = StationRequest(url: list.url("/pod.mp3"))
      next.start = StreamTime(seconds: 40)
      rig.tune(list.url("/first.mp3"))
      rig.radio.follower = next
      #expect(rig.run(40) { list.visits.last?.path == "/pod.mp3" && window(of: list) != nil }, "\(list.firstBytes)")
      #expect(list.visits.count(where: Self.isProbe) == direct.visits.count(where: Self.isProbe))
      #expect(window(of: list) == window(of: direct))
    }
  }

  @Test(
    "A server that limits its rate is searched once before a late start",
    arguments: [4, 99], ["429 Too Many Requests", "503 Service Unavailable"])
  func rateLimit(refused: Int, status: String) async throws {
    try await Stage.run(speed: 2) {
      // Either a probe and the window are refused, or the window after a whole search.
      let isRefused = Gate()
      let station = try Self.station { visit in
        guard let range = Self.range(visit) else { return nil }
        if range.last != nil { return visit.number >= refused ? StationAction.response(status) : nil }
        defer { isRefused.open() }
        return isRefused.isOpen ? nil : StationAction.response(status)
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.duration = StreamTime(seconds: 0.5)
      let rig = try RadioRig(settings)
      rig.tune(station.url("/pod.mp3")) { $0.start = StreamTime(seconds: 40) }
      #expect(rig.playOut(within: 30), "\(rig.names) \(station.firstBytes)")
      #expect(rig.radio.close().heard >= 0.49, "\(rig.names)")
      let windows = station.visits.indices.filter { Self.range(station.visits[$0]).map { $0.last == nil } ?? false }
      let probes = station.visits.prefix(windows.dropFirst().first ?? .max).filter(Self.isProbe)
      #expect(windows.count == 2 && probes.count == Set(probes.compactMap { Self.range($0)?.first }).count)
      #expect(probes.count == 4 || probes.count > 4 && probes.count <= 20 && refused > 4, "\(station.firstBytes)")
    }
  }

  @Test("All searches for the parts of a file cost 20 probes at most, also with seeks")
  func seeks() async throws {
    try await Stage.run {
      // Some probes stall until the seek.
      let station = try Self.station { Self.isProbe($0) && $0.number % 3 == 2 && $0.number < 16 ? [.stall] : nil }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/pod.mp3"))
      #expect(rig.next("playing") != nil)
      let isEnded = { abs((rig.radio.duration ?? 0) / Self.form.duration - 1) < 0.005 }
      // Each position is outside of the buffer. On a busy machine, the search may end at its limit of 3 s, and the file
      // may have played from a late position to its end.
      for position in [20.0, 45, 30, 50] where !isEnded() {
        let before = station.visits.count
        let isStalled = { station.visits.dropFirst(before).contains { Self.isProbe($0) && $0.number % 3 == 2 } }
        _ = rig.run(4) { isEnded() || isStalled() }
        if rig.radio.state == .stopped { break }
        rig.radio.seek(to: position)
        #expect(rig.next("seekDone") != nil)
      }
      _ = rig.run(4) { isEnded() }
      let probes = station.visits.filter(Self.isProbe).compactMap { Self.range($0)?.first }
      #expect(probes.count <= 20 && probes.count - Set(probes).count <= 4, "\(probes)")
    }
  }
}
