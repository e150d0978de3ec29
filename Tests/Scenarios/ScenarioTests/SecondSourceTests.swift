import Foundation
import MediaSupport
import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// A second connection in parallel to that of a live station.
@Suite struct SecondSourceTests {
  private static func tune(
    _ bench: NetBench, _ urls: [String], _ use: SecondSourceRule.Use, limit: Int? = nil
  ) {
    bench.net.use(SecondSourceRule(use, maxBytesPerDay: limit))
    bench.tune(urls[0]) { request in
      request.alternatives = urls.dropFirst().map { AlternativeAddress(url: StationAddress($0)) }
    }
  }

  private static var seeds: ClosedRange<UInt64> {
    1...(ProcessInfo.processInfo.environment["BAKELITE_SEEDS"].flatMap { UInt64($0) } ?? 3)
  }

  private static func losses(_ bench: NetBench) -> Int { bench.notices.count { $0.notice == .lost } }

  @Test("A fault of the heard source is inaudible while a mirror is received", arguments: FaultyMirrors.Kind.allCases)
  func oneFault(kind: FaultyMirrors.Kind) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(clip, burst: 2, [.init(kind, of: 0, at: 6, for: 4)])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .always)
      #expect(bench.run { bench.written > 22 })
      #expect(Self.losses(bench) == 0 && bench.reasons.isEmpty && bench.faults.isEmpty)
      #expect(bench.stitches.count == 1 && bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero })
      #expect(mirrors.stations[1].visits.count == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A fault of the heard source is inaudible after the second one fell silent")
  func stalledSecond() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(
        clip, burst: 2, [.init(.stall, of: 1, at: 5), .init(.hole, of: 0, at: 11, for: 4)])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .always)
      #expect(bench.run { bench.written > 25 })
      #expect(Self.losses(bench) == 0 && mirrors.stations[1].visits.count == 2)
      #expect(bench.stitches.map(\.isExact) == [true])
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A programme that was given up has no second connection, and receives no packet of one")
  func givenUp() async throws {
    try await Stage.run(speed: 4) {
      let (isOver, isOpen) = (Gate(), Gate())
      let clip = Clip.mp3(60)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        [.live()] + broadcast.actions(visit, for: 2) + [.gate(isOpen), .reset]
      }
      let mirror = try ScriptedStation { visit in
        [.open(isOpen), .gate(isOver), .live()] + broadcast.actions(visit)
      }
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      bench.net.use(SecondSourceRule(.always))
      bench.tune(station.url()) {
        $0.alternatives = [AlternativeAddress(url: StationAddress(mirror.url()))]
        $0.retry = .times(0)
      }
      #expect(bench.run { !bench.faults.isEmpty })
      let written = bench.written
      isOver.open()
      #expect(bench.run { mirror.connectionCount == 0 })
      #expect(bench.written == written && mirror.visits.count == 1)
    }
  }

  @Test("A fault of the heard source is inaudible soon after a long silence of the second one")
  func silentSecond() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(
        clip, burst: 2, [.init(.hole, of: 1, at: 6, for: 12), .init(.hole, of: 0, at: 21, for: 4)])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .always)
      #expect(bench.run { bench.written > 30 })
      #expect(Self.losses(bench) == 0)
      #expect(bench.stitches.map(\.isExact) == [true])
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A mirror that sends several seconds at once stays connected")
  func chunks() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      let mirror = try ScriptedStation { visit in
        let start = Int((broadcast.age(visit) + 4) * clip.byteRate)
        let chunkCount = Int(4 * clip.byteRate)
        let chunks = stride(from: start, to: clip.bytes.count - chunkCount, by: chunkCount)
        return [.live()] + chunks.flatMap { [.send(Array(clip.bytes[$0..<$0 + chunkCount])), .wait(4)] }
      }
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url(), mirror.url()], .always)
      #expect(bench.run { bench.written > 40 })
      #expect(station.visits.count == 1 && Self.losses(bench) == 0)
      #expect((1...3).contains(mirror.visits.count), "\(mirror.visits.count)")
    }
  }

  @Test("Faults of two mirrors at random are inaudible (F2)", arguments: seeds)
  func faults(seed: UInt64) async throws {
    try await Stage.run(speed: 6) {
      let clip = Clip.long(90)
      let faults = FaultyMirrors.faults(until: 50, seed: seed)
      let mirrors = try FaultyMirrors(clip, burst: 2, faults)
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .always)
      #expect(bench.run(120) { bench.written > 72 })
      #expect(Self.losses(bench) == 0 && bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero })
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil, "\(faults)")
    }
  }

  @Test("Without alternatives the second connection is to the same address")
  func sameAddress() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live()] + broadcast.actions(visit, for: 8) : [.live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url()], .always)
      #expect(bench.run { bench.written > 20 })
      #expect(Self.losses(bench) == 0 && bench.stitches.map(\.isExact) == [true])
      #expect(station.visits.count == 3 && station.connectionCount == 2)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("After two failures the third is inaudible; before them, a station has one connection")
  func trouble() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let faults = [FaultyMirrors.Fault(.cut, of: 0, at: 6), .init(.reset, of: 0, at: 14), .init(.cut, of: 0, at: 22)]
      let mirrors = try FaultyMirrors(clip, burst: 4, faults)
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .onTrouble)
      #expect(bench.run { bench.written > 12 })
      #expect(Self.losses(bench) == 1 && mirrors.stations[1].visits.isEmpty)
      #expect(bench.run { bench.written > 40 })
      #expect(Self.losses(bench) == 2 && bench.stitches.map(\.isExact) == [true, true, true])
      #expect(mirrors.stations[1].visits.count == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("Without the setting and without memory, a station has one connection", arguments: [false, true])
  func never(hasSecond: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(clip, burst: 4, [.init(.cut, of: 0, at: 4)])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: hasSecond)
      Self.tune(bench, mirrors.urls, hasSecond ? .never : .always)
      #expect(bench.run { bench.written > 25 })
      #expect(mirrors.stations[0].visits.count == 2 && mirrors.stations[1].visits.isEmpty)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A station that refuses a second connection gets no further one")
  func refuses() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live()] + broadcast.actions(visit) : StationAction.response("403 Forbidden")
      }
      defer { station.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url()], .always)
      #expect(bench.run { bench.written > 30 })
      #expect(station.visits.count == 2 && Self.losses(bench) == 0)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A station that ends the first connection when a second comes gets no further one", arguments: [0, 0.4])
  func drops(delay: Double) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 4)
      let second = Gate()
      let station = try ScriptedStation { visit in
        if broadcast.age(visit) == 0 {
          return [.live(), .send(Array(clip.bytes[..<Int(6 * clip.byteRate)])), .gate(second)]
        }
        return [.open(second), .wait(delay), .live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url()], .always)
      #expect(bench.run { bench.written > 30 })
      #expect(station.visits.count == 2)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A station has at most three connections, two to one host, and one try of an address a second")
  func load() async throws {
    try await Stage.run(speed: 2) {
      let addresses = try SilentAddresses(delivering: 4)
      defer { addresses.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, addresses.urls, .always)
      let most = try #require(addresses.maxConnections(on: bench, tries: 12))
      #expect(most.all <= 3 && most.host <= 2, "\(most)")
      addresses.expectPauses()
    }
  }

  @Test("A mirror that works for seconds at a time is tried each second, also after minutes")
  func flappingMirror() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(200)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      let mirror = try ScriptedStation { visit in
        visit.number % 5 == 0
          ? [.live()] + broadcast.actions(visit, for: 4) : StationAction.response("404 Not Found")
      }
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url(), mirror.url()], .always)
      #expect(bench.run(200) { mirror.visits.count > 90 })
      let times = mirror.visits.map(\.time)
      let longest = zip(times.dropFirst(), times).map { $0 - $1 }.max()
      #expect(longest.map { $0 < 6.5 } == true, "\(times)")
    }
  }

  @Test("A second source of another encoder replaces a station that stays away")
  func otherEncoder() async throws {
    try await Stage.run(speed: 4) {
      let (clip, other) = (Clip.long(60), Clip.long(60, seed: 9))
      let (broadcast, second) = (Broadcast(clip, burst: 8), Broadcast(other, burst: 8))
      let main = try ScriptedStation { visit in
        visit.number == 0
          ? [.live()] + broadcast.actions(visit, for: 8) : StationAction.response("404 Not Found")
      }
      let mirror = try ScriptedStation { visit in [.live()] + second.actions(visit) }
      defer {
        main.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [main.url(), mirror.url()], .always)
      let stitch = try #require(bench.nextStitch())
      #expect(!stitch.isExact && stitch.isEstimated)
      #expect(bench.run { bench.written > 25 })
      #expect(mirror.visits.count == 1 && main.visits.count >= 2)
    }
  }

  @Test("A changed rule applies to the heard station")
  func change() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(clip, burst: 4, [])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .never)
      #expect(bench.run { bench.written > 6 } && mirrors.stations[1].visits.isEmpty)
      bench.net.use(SecondSourceRule(.always))
      #expect(bench.next { if case .second(let url?) = $0 { url } else { nil } } == mirrors.urls[1])
      bench.net.use(SecondSourceRule(.never))
      #expect(bench.next { if case .second(nil) = $0 { true } else { nil } } == true)
      #expect(bench.run { mirrors.stations[1].connectionCount == 0 })
      #expect(mirrors.stations.map(\.visits.count) == [1, 1])
    }
  }

  @Test("A second address that sends a file at full speed is left")
  func file() async throws {
    try await Stage.run(speed: 4) {
      let (clip, other) = (Clip.long(60), Clip.long(300, seed: 9))
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      let mirror = try ScriptedStation([.live(), .send(other.bytes), .stall])
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url(), mirror.url()], .always)
      #expect(bench.run { bench.written > 6 && !mirror.visits.isEmpty && mirror.connectionCount == 0 })
      #expect(bench.run { bench.written > 30 })
      #expect(mirror.visits.count == 1 && Self.losses(bench) == 0)
    }
  }

  @Test("The limit of data ends the second connection, not the first")
  func limit() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let mirrors = try FaultyMirrors(clip, burst: 2, [])
      defer { mirrors.close() }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, mirrors.urls, .always, limit: Int(6 * clip.byteRate))
      #expect(bench.run { bench.written > 6 && mirrors.stations[1].connectionCount == 1 })
      #expect(bench.run { mirrors.stations[1].connectionCount == 0 })
      #expect(bench.run { bench.written > 25 })
      #expect(mirrors.stations.map(\.visits.count) == [1, 1])
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A mirror that sends one packet and then drips bytes is tried less often")
  func dripAfterPacket() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(400)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      let drip = (0..<6).flatMap { _ in [StationAction.wait(0.5), .send([0])] }
      let mirror = try ScriptedStation { _ in [.live(), .send(Array(clip.bytes.prefix(2_500)))] + drip }
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url(), mirror.url()], .always)
      #expect(bench.run(320) { bench.written > 300 })
      let times = mirror.visits.map(\.time)
      let longest = zip(times.dropFirst(), times).map { $0 - $1 }.max()
      #expect(longest.map { $0 > 10 } == true, "\(times)")
    }
  }

  @Test("A mirror that drips bytes without audio is left for a minute")
  func dripBeforePacket() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(200)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      // A tag of 260,000 bytes in four minutes.
      let tag = Array("ID3\u{4}\u{0}\u{0}\u{0}\u{F}\u{6F}\u{20}".utf8) + [UInt8](repeating: 0, count: 260_000)
      let mirror = try ScriptedStation { _ in [.live(), .pace(tag, perSecond: 1_100, burst: 1_100)] }
      defer {
        station.close()
        mirror.close()
      }
      let bench = try NetBench(hasSecond: true)
      Self.tune(bench, [station.url(), mirror.url()], .always)
      #expect(bench.run(40) { mirror.visits.count == 1 && mirror.connectionCount == 1 })
      #expect(bench.run(40) { mirror.connectionCount == 0 })
      try #require(bench.run(80) { mirror.visits.count == 2 })
      let times = mirror.visits.map(\.time)
      #expect((60...100).contains(times[1] - times[0]), "\(times)")
      #expect(station.visits.count == 1 && Self.losses(bench) == 0)
    }
  }
}
