import Foundation
import Framing
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Titles from an AudioVault XML feed (R6.3, R6.6, R6.8), for a station with a simulated clock.
@Suite struct NowPlayingTests {
  /// Days with special clock times in New York: a winter's day, midnight, and both clock changes.
  static let days: [(name: String, base: Int64)] = [
    ("a winter's day", CalendarDay(2026, 1, 5).seconds + 15 * 3_600),
    ("midnight", CalendarDay(2026, 1, 6).seconds + 5 * 3_600 - 5),
    ("the spring night", CalendarDay(2026, 3, 8).seconds + 7 * 3_600 - 5),
    ("the autumn night", CalendarDay(2026, 11, 1).seconds + 6 * 3_600 - 5),
  ]

  @Test(
    "External titles appear at the stream times of the station's clocks (R6.3, R6.8)",
    arguments: zip([days[0]] + days, [6.0, 0, 0, 0, -2]))
  func places(_ day: (name: String, base: Int64), _ delay: Double) async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: day.base, [("A", -70, 80), ("B", 10, 15), ("C", 25, 300)])
      let station = try script.station()
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) {
        $0.externalMetadata.xmlURL = StationAddress(station.url("/feed.xml"))
        ($0.externalMetadata.zone, $0.externalMetadata.delay) = (StationZone("EST"), delay)
      }
      #expect(rig.run(90) { rig.events("metadataChanged").count == 3 })
      #expect(script.titles(rig, "metadataReceived") == ["Artist A - A", "Artist B - B", "Artist C - C"])
      #expect(script.titles(rig, "metadataChanged") == ["Artist A - A", "Artist B - B", "Artist C - C"])
      let heard = rig.events("metadataChanged").compactMap { event -> (title: Title, at: Double)? in
        if case .metadataChanged(let title, let at) = event { (title, at) } else { nil }
      }
      try #require(heard.count == 3)
      #expect(heard.map(\.title.artist) == ["Artist A", "Artist B", "Artist C"])
      #expect(heard.map(\.title.track) == ["A", "B", "C"])
      #expect(heard[0].at == 0, "what began before the first sound is heard from there on")
      for (moment, start) in zip(heard.dropFirst(), [10.0, 25]) {
        #expect(abs(moment.at - script.place(of: start + delay)) < 0.8, "\(moment)")
      }
      // One poll at the start and one at each title's end; the last may be a second early.
      let looks = station.visits.filter { $0.path == "/feed.xml" }.map(\.time)
      #expect((3...5).contains(looks.count))
      #expect(zip(looks.dropFirst(), looks).allSatisfy { $0 - $1 > 4.9 })
      rig.radio.rewind(by: rig.radio.status.position - heard[1].at - 3)
      #expect(rig.run(20) { rig.radio.status.title?.track == "B" })
      #expect(rig.run(40) { rig.radio.status.title?.track == "C" })
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0))
    }
  }

  @Test("Polling is started and stopped at run time, and restarts with another station")
  func beginAndEnd() async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: Self.days[0].base, (0..<30).map { ("T\($0)", Double($0) * 6, 6) })
      let station = try script.station()
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      func tune(begun: Bool) {
        rig.tune(station.url()) {
          $0.externalMetadata.xmlURL = StationAddress(station.url("/feed.xml"))
          ($0.externalMetadata.zone, $0.externalMetadata.isBegun) = (StationZone("EST"), begun)
        }
      }
      func looks() -> Int { station.visits.count { $0.path == "/feed.xml" } }
      #expect(!rig.radio.beginNowPlaying() && !rig.radio.endNowPlaying(), "nothing is tuned to")
      tune(begun: false)
      try #require(rig.next("playing") != nil)
      rig.run(for: 8)
      #expect(looks() == 0)
      #expect(rig.radio.beginNowPlaying())
      #expect(rig.next("metadataChanged", within: 30) != nil)
      #expect(rig.radio.endNowPlaying())
      rig.run(for: 1)
      let (seen, told) = (looks(), rig.events("metadataReceived").count)
      rig.run(for: 15)
      #expect(looks() == seen && rig.events("metadataReceived").count == told)
      #expect(rig.radio.status.title != nil, "what was told stays")
      tune(begun: true)
      #expect(rig.run(20) { looks() > seen })
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      #expect(!rig.radio.beginNowPlaying(), "this one tells nothing beside its stream")
      rig.radio.stop()
      #expect(!rig.radio.endNowPlaying())
    }
  }

  @Test("A working feed overrides titles in the stream, and is polled after a reconnect")
  func besideTheStream() async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: Self.days[0].base, [("A", -70, 3_000)])
      script.titles = (0..<60).map { "In stream \($0)" }
      let station = try script.station(seconds: { $0.number == 0 ? 12 : 3_600 })
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) {
        $0.externalMetadata.xmlURL = StationAddress(station.url("/feed.xml"))
        $0.externalMetadata.zone = StationZone("EST")
      }
      #expect(rig.run(30) { rig.radio.status.title?.track == "A" })
      let before = rig.events("metadataReceived").count
      #expect(rig.next("stitched", within: 60) != nil)
      #expect(rig.run(30) { station.visits.count { $0.path == "/feed.xml" } == 2 }, "it may have moved on meanwhile")
      rig.run(for: 5)
      #expect(rig.events("metadataReceived").count == before && rig.radio.status.title?.track == "A")
    }
  }

  @Test("Credentials go to the station's own host, headers and query only to the stream")
  func credentials() async throws {
    try await Stage.run(speed: 4) {
      for isHome in [true, false] {
        let script = NowPlayingScript(base: Self.days[0].base, [("A", -70, 3_000)])
        let (station, other) = (try script.station(), try script.station())
        defer {
          station.close()
          other.close()
        }
        let rig = try RadioRig(isPaced: true)
        let place = isHome ? station : other
        rig.tune(station.url()) {
          $0.externalMetadata.xmlURL = StationAddress(place.url("/feed.xml"))
          $0.credentials = Credentials(name: "anna", password: "geheim")
          ($0.headers, $0.query, $0.userAgent) = (["X-Token: t0ken"], ["token=t0ken"], "Radio/1")
        }
        #expect(rig.next("metadataReceived", within: 30) != nil)
        let look = try #require(place.visits.first { $0.path.hasPrefix("/feed.xml") })
        #expect((look.header("Authorization") != nil) == isHome)
        #expect(look.path == "/feed.xml" && look.header("X-Token") == nil && look.header("User-Agent") == "Radio/1")
        #expect(look.header("Icy-MetaData") == nil && look.header("x-audiocast-udpport") == nil)
        let said = rig.events.map { $0.event.json(at: 0) }.joined()
        #expect(!said.contains("geheim") && !said.contains("t0ken"))
      }
    }
  }
}

/// A station's programme by the clock of New York, with its feed.
final class NowPlayingScript: Sendable {
  let base: Int64
  private let began: Double
  private let events: [(title: String, start: Double, length: Double)]
  private let inStream = Locked<[String]>([])
  private let onAir = Locked(0.0)
  private let clip: [UInt8]
  private let borders: [Int]
  private let byteRate: Double
  private static let burst = 4

  /// Starts when the simulated clock shows `base`. Starts of events are seconds after that.
  init(base: Int64, _ events: [(String, Double, Double)]) {
    let programme = Clip.long(150)
    (clip, byteRate) = (programme.bytes, programme.byteRate)
    borders = programme.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
    began = monotonicSeconds()
    self.base = base
    self.events = events
    TestClock.current.setWall(Double(base))
  }

  var titles: [String] {
    get { inStream.withLock { $0 } }
    set { inStream.withLock { $0 = newValue } }
  }

  /// Serves the programme at /live, for `seconds` on each connection, and the feed at other paths.
  func station(
    feed: (@Sendable (ScriptedStation.Request) -> [StationAction])? = nil,
    seconds: @escaping @Sendable (ScriptedStation.Request) -> Double = { _ in 3_600 }
  ) throws -> ScriptedStation {
    try ScriptedStation { [self] visit in
      if visit.path.hasPrefix("/live") { return live(visit, seconds(visit)) }
      return feed?(visit) ?? StationAction.response("200 OK", xml(at: visit.time), type: "text/xml")
    }
  }

  private func live(_ visit: ScriptedStation.Request, _ seconds: Double) -> [StationAction] {
    let start = onAir.withLock { start in
      if start == 0 { start = monotonicSeconds() }
      return start
    }
    let entry = Int((monotonicSeconds() - start) * byteRate)
    let first = borders.first { $0 >= entry } ?? clip.count
    let last = min(clip.count, first + Int((Double(Self.burst) + seconds) * byteRate))
    let (bytes, burst, titles) = (Array(clip[first..<last]), Int(Double(Self.burst) * byteRate), titles)
    if titles.isEmpty { return [.live(), .pace(bytes, perSecond: byteRate, burst: burst)] }
    let cues = titles.enumerated().map { (at: $0.offset * Int(byteRate) * 2, text: $0.element) }
    let mixed = Icy.interleave(bytes, metaint: 2_000, titles: cues)
    return [.live("icy-metaint: 2000"), .pace(mixed, perSecond: byteRate, burst: burst)]
  }

  /// The current and the next title in NexGen's format.
  func xml(at time: Double) -> String {
    let now = time - began
    let current = events.lastIndex { $0.start <= now } ?? 0
    let shown = events[current...].prefix(2).map { event in
      """
      <audio ID="x"><type>Song</type><played_time>\(clock(base + Int64(event.start)))</played_time>
      <length>\(Int(event.length * 1_000))</length><composer/><title>\(event.title)</title>
      <artist>Artist \(event.title)</artist></audio>
      """
    }
    return "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><export>\(shown.joined())</export>"
  }

  private func clock(_ moment: Int64) -> String {
    let second = Int((StationZone("EST")?.reading(at: moment) ?? 0) % 86_400)
    return [second / 3_600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  /// Position in the programme for a time in seconds after `base`.
  func place(of second: Double) -> Double {
    second - (onAir.withLock { $0 } - began) + Double(Self.burst)
  }

  func titles(_ rig: RadioRig, _ name: String) -> [String] {
    rig.events(name).compactMap { event in
      switch event {
      case .metadataReceived(let title), .metadataChanged(let title, _): title.text
      default: nil
      }
    }
  }
}
