import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct SegmentTroubleTests {
  private static let clip = Clip.long(400)

  /// Expects the complete programme for some seconds, without a report.
  private static func expectNothing(_ station: SegmentedStation, seconds: Double = 40) throws {
    let bench = try NetBench()
    bench.tune(station.url)
    SegmentTests.expectWhole(bench, station, seconds: seconds)
    #expect(bench.reasons.isEmpty && bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
  }

  @Test("A list of changing length is the same station")
  func lengths() async throws {
    try await Stage.run(speed: 8) {
      let turn = Locked(0)
      let station = try SegmentedStation(Self.clip) { _, request, air in
        guard request == .list else { return nil }
        var air = air
        air.window = turn.withLock {
          $0 += 1
          return [6, 3, 20, 4, 9][($0 - 1) % 5]
        }
        return air.list()
      }
      defer { station.close() }
      try Self.expectNothing(station, seconds: 50)
    }
  }

  @Test("A list refused every other time loses nothing", arguments: [404, 503])
  func refusedList(_ status: Int) async throws {
    try await Stage.run(speed: 8) {
      let asked = Locked(0)
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard request == .list else { return nil }
        let isRefused = asked.withLock {
          $0 += 1
          return $0 % 2 == 0
        }
        return isRefused ? StationAction.response("\(status) No") : nil
      }
      defer { station.close() }
      try Self.expectNothing(station)
      #expect(station.listCount >= 8)
    }
  }

  @Test("A segment refused twice arrives the third time", arguments: [404, 503])
  func lateSegment(_ status: Int) async throws {
    try await Stage.run(speed: 8) {
      let refused = Locked<[Int: Int]>([:])
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard case .segment(let number) = request, number % 3 == 2 else { return nil }
        let count = refused.withLock {
          $0[number, default: 0] += 1
          return $0[number] ?? 0
        }
        return count <= 2 ? StationAction.response("\(status) No") : nil
      }
      defer { station.close() }
      try Self.expectNothing(station)
      #expect(refused.withLock { $0[5] ?? 0 } == 3)
    }
  }

  @Test("List and segments may be on other hosts, with relative addresses")
  func redirects() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, request, _ in
        switch request {
        case .list where visit.path == "/live.m3u8": StationAction.redirect("/a/b/list.m3u8")
        case .segment(let number) where visit.path == "/a/b/\(number).mp3":
          StationAction.redirect("http://\(visit.header("Host") ?? "")/far/\(number).mp3")
        case .segment where !visit.path.hasPrefix("/far/"): StationAction.response("404 No")
        default: nil
        }
      }
      defer { station.close() }
      try Self.expectNothing(station)
      let paths = station.server.visits.map(\.path)
      #expect(paths.contains("/a/b/list.m3u8") && paths.contains("/far/6.mp3"))
    }
  }

  @Test("A packager that restarts with other segments is joined by packets", arguments: [3, 6])
  func restartsOtherwise(_ length: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = Locked<SegmentedStation?>(nil)
      // After its return the packager cuts the same programme differently, and counts from 0.
      let first = try SegmentedStation(Self.clip, aired: 40) { _, request, air in
        guard request == .list, air.count >= 44 else { return nil }
        return station.withLock { $0.map { StationAction.redirect($0.url) } }
      }
      defer { first.close() }
      let aired = 160 / length
      let second = try SegmentedStation(Self.clip, length: Double(length), aired: aired) { _, request, air in
        request == .list ? air.list(sequence: air.count - aired) : nil
      }
      defer { second.close() }
      station.withLock { $0 = second }
      let bench = try NetBench()
      bench.tune(first.url)
      SegmentTests.expectWhole(bench, first, seconds: 60, from: 37)
      #expect(bench.stitches.map(\.isExact) == [true] && bench.stitches[0].lost == .zero, "\(bench.stitches)")
      #expect(bench.reasons.isEmpty && second.server.visits.contains { $0.path.hasSuffix(".mp3") })
    }
  }

  @Test("A segment in transfer when the count restarts plays to its end (R4.2)")
  func restartsMidway() async throws {
    try await Stage.run(speed: 8) {
      let clip = Self.clip
      let second = try SegmentedStation(clip, aired: 12)
      defer { second.close() }
      let first = try SegmentedStation(clip, aired: 40) { _, request, air in
        switch request {
        case .list where air.count >= 43: return StationAction.redirect(second.url)
        case .segment(let number) where number >= 41:
          let bytes = SegmentedStation.segmentBytes(of: number, in: clip, length: 4)
          return [.file(bytes.count), .pace(bytes, perSecond: Double(bytes.count) / 6, burst: 0)]
        default: return nil
        }
      }
      defer { first.close() }
      let bench = try NetBench()
      bench.tune(first.url)
      #expect(bench.run(240) { bench.written >= 40 })
      bench.readAll()
      let (heard, whole) = (bench.readBytes, first.bytes(37..<200))
      let same = zip(heard, whole).prefix { $0 == $1 }.count
      let ends = (41...46).map { first.bytes(37..<$0).count }
      // The first bytes of a header may be equal by chance.
      #expect(ends.contains { (0..<16).contains(same - $0) }, "\(same) bytes are the same; segments end at \(ends)")
    }
  }

  @Test("A station that stalls and continues is lost once and joined once (R4.2)")
  func standstill() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 20) { _, request, air in
        request == .list && (8..<13).contains(air.count) ? air.list(to: 7) : nil
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url)
      #expect(rig.next("stitched", within: 120) != nil)
      rig.run(for: 10)
      let told = rig.names.filter { ["connecting", "reconnecting", "playing", "stitched"].contains($0) }
      #expect(told.filter { $0 == "stitched" }.count == 1 && told.last != "reconnecting", "\(told)")
      for case .stitched(_, let lost, let isExact, _) in rig.events("stitched") { #expect(isExact && lost == 0) }
      let summary = rig.radio.close()
      #expect(summary.stitches == 1 && summary.lost == 0)
    }
  }

  @Test("A segment that breaks and is refused once loses nothing", arguments: [nil, 503])
  func brokenTwice(_ status: Int?) async throws {
    try await Stage.run(speed: 8) {
      let asked = Locked(0)
      let bytes = Self.clip.bytes
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard request == .segment(6) else { return nil }
        let count = asked.withLock {
          $0 += 1
          return $0
        }
        let first = SegmentedStation.byteOffset(of: 6, in: Self.clip, length: 4)
        switch count {
        case 1: return [.file(32_000), .send(Array(bytes[first..<first + 20_000])), .reset]
        case 2: return status.map { StationAction.response("\($0) No") } ?? [.reset]
        default: return nil
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 40)
      #expect(bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero }, "\(bench.stitches)")
    }
  }

  @Test("The played part of a broken segment is not repeated, however slowly it arrives")
  func brokenWhileSilent() async throws {
    try await Stage.run(speed: 8) {
      let (asked, flows) = (Locked(0), Gate())
      let bytes = Self.clip.bytes
      let station = try SegmentedStation(Self.clip, window: 30) { _, request, _ in
        guard case .segment(let number) = request, number >= 6 else { return nil }
        let isFirst = asked.withLock {
          $0 += 1
          return $0 == 1
        }
        let places = [number, number + 1].map { SegmentedStation.byteOffset(of: $0, in: Self.clip, length: 4) }
        let file = Array(bytes[places[0]..<places[1]])
        if isFirst { return [.file(file.count), .send(Array(file.prefix(24_000))), .stall] }
        // At one and a half times the bit rate, the audio already played takes two seconds.
        return [.gate(flows), .file(file.count), .pace(file, perSecond: 12_000, burst: 0)]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { asked.withLock { $0 } > 1 && bench.ahead == 0 })
      flows.open()
      SegmentTests.expectWhole(bench, station, seconds: 40)
      #expect(bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero }, "\(bench.stitches)")
    }
  }

  @Test("An advertisement with another rate and codec loses nothing", arguments: SegmentPackaging.manyFormats)
  func advertisement(_ form: SegmentPackaging) async throws {
    try await Stage.run(speed: 8) {
      let programme = Clip.aac(36)
      let before = programme.prefix(24)
      let after = programme.from(before.packets.count)
      let clip = Clip(before.bytes + ToneMp3.frames(500, rate: 48_000) + after.bytes)
      #expect(clip.packets.count == programme.packets.count + 500)
      let end = Locked(2)
      let station = try SegmentedStation(clip, form: form) { _, request, air in
        guard request == .list else { return nil }
        let count = end.withLock {
          $0 = min($0 + 1, 12)
          return $0
        }
        return air.list(to: count, tail: count == 12 ? "#EXT-X-ENDLIST\n" : "")
      }
      defer { station.close() }
      let icecast = try ScriptedStation([.live(type: "audio/aac"), .send(clip.bytes)])
      defer { icecast.close() }
      let (heard, told) = try Self.play(station.url)
      let (wanted, _) = try Self.play(icecast.url())
      #expect(difference(heard, wanted) == nil)
      #expect(told.filter { $0 == "stationInfo" }.count == 3)
      #expect(!told.contains("stitched") && !told.contains("reconnecting") && !told.contains("badContent"), "\(told)")
    }
  }

  private static func play(_ url: String) throws -> (sound: [UInt8], told: [String]) {
    let rig = try RadioRig()
    rig.tune(url) { $0.retry = .times(0) }
    #expect(rig.playOut(within: 240))
    _ = rig.radio.close()
    return (rig.pcm, rig.names)
  }
}

extension SegmentPackaging {
  /// Forms that allow another format in each segment.
  fileprivate static let manyFormats: [SegmentPackaging] = [.packed, .timed, .transport, .parts]
}
