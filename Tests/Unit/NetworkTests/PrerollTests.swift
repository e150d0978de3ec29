import Framing
import MediaSupport
import StationSupport
import Testing
import Units

@testable import Network

/// A pre-roll before the programme of each new connection (B4).
struct PrerollTests {
  private static func packets(_ count: Int, seed: UInt64) -> [Clip.Packet] {
    Clip(ToneMp3.frames(count, kilobits: 64, seed: seed)).packets.map { packet in
      var packet = packet
      packet.info.followsGap = false
      return packet
    }
  }

  private static let programme = packets(5_200, seed: 1)
  /// 15 s each.
  private static let ads = [packets(575, seed: 5), packets(575, seed: 6)]
  private static let duration = 0.02612
  private static func bytes(_ parts: ArraySlice<Clip.Packet>...) -> [UInt8] { parts.flatMap { $0.flatMap(\.bytes) } }

  /// A listener with 20 s of audio, after a connection with a pre-roll and 1,000 packets.
  private static func desk(_ ad: [Clip.Packet] = ads[0]) throws -> SplicerDesk {
    var desk = try SplicerDesk()
    desk.connect()
    desk.take(ad)
    desk.take(programme[..<1_000])
    desk.hear(Double(ad.count + 1_000) * duration - 20)
    desk.listens = true
    return desk
  }

  @Test("A delayed programme joins exactly after each pre-roll", arguments: [false, true])
  func delayed(isPaced: Bool) throws {
    var desk = try Self.desk()
    var end = 1_000
    for number in 1...5 {
      desk.wait(1)
      desk.connect()
      desk.send(Self.ads[0], isPaced: isPaced)
      desk.take(Self.programme[end - 300..<end + 700])
      desk.wait(0.3)
      end += 700
      #expect(desk.stitches.count == number)
    }
    #expect(desk.stitches.allSatisfy { $0.isExact && $0.lost == .zero })
    #expect(desk.stitches.allSatisfy { abs($0.overlap.seconds - 300 * Self.duration) < 0.01 })
    #expect(desk.silence == 0)
    let published = desk.published()
    #expect(published.gaps.isEmpty)
    #expect(difference(published.bytes, Self.bytes(Self.ads[0][...], Self.programme[..<end])) == nil)
  }

  @Test("A programme that is live after its pre-roll leaves a reported hole, and the pre-roll is dropped")
  func live() throws {
    var desk = try Self.desk()
    for number in 1...3 {
      desk.wait(1)
      desk.connect()
      desk.send(Self.ads[0], isPaced: true)
      let start = 1_000 * number + 500
      desk.take(Self.programme[start..<start + 100])
      desk.wait(2.1)
      #expect(desk.stitches.count == number)
      desk.take(Self.programme[start + 100..<start + 700])
    }
    #expect(desk.stitches.allSatisfy { !$0.isExact && $0.isEstimated && $0.overlap == .zero })
    // The pre-roll and the absence, less the burst.
    #expect(desk.stitches.allSatisfy { abs($0.lost.seconds - (16.02 - 100 * Self.duration)) < 0.1 })
    #expect(desk.silence == 0)
    let published = desk.published()
    #expect(published.gaps == [1_575, 2_275, 2_975])
    let whole = Self.bytes(
      Self.ads[0][...], Self.programme[..<1_000], Self.programme[1_500..<2_200], Self.programme[2_500..<3_200],
      Self.programme[3_500..<4_200])
    #expect(difference(published.bytes, whole) == nil)
  }

  /// Sends an ad with a mark after its first second.
  private static func sendMarked(_ desk: inout SplicerDesk, _ ad: [Clip.Packet], isPaced: Bool) {
    desk.send(Array(ad[..<38]), isPaced: isPaced)
    let mark = AdBreak(.preroll, length: StreamTime(seconds: 15.02))
    #expect(desk.splicer.accept(StationTitle(.begin(mark))) == nil)
    desk.send(Array(ad[38...]), isPaced: isPaced)
  }

  @Test("A marked pre-roll is dropped on any connection", arguments: [false, true], [false, true])
  func marked(isPaced: Bool, isLive: Bool) throws {
    var desk = try Self.desk([])
    desk.wait(1)
    desk.connect()
    Self.sendMarked(&desk, Self.ads[0], isPaced: isPaced)
    desk.take(Self.programme[isLive ? 2_000..<2_030 : 700..<1_300])
    desk.wait(isLive ? 2.1 : 0.3)
    #expect(desk.stitches.map(\.isExact) == [!isLive] && desk.silence == 0)
    let rest = Self.programme[isLive ? 2_000..<2_030 : 1_000..<1_300]
    let published = desk.published()
    #expect(difference(published.bytes, Self.bytes(Self.programme[..<1_000], rest)) == nil)
    #expect(desk.splicer.removeReleasedTitles().isEmpty)
  }

  @Test("A pre-roll of other packets waits until its programme joins, after an earlier pre-roll")
  func other() throws {
    var desk = try Self.desk()
    desk.wait(1)
    desk.connect()
    desk.take(Self.ads[0])
    desk.take(Self.programme[800..<1_500])
    desk.wait(1)
    desk.connect()
    desk.send(Self.ads[1], isPaced: true)
    desk.take(Self.programme[1_200..<2_000])
    desk.wait(0.3)
    #expect(desk.stitches.map(\.isExact) == [true, true] && desk.silence == 0)
    #expect(abs((desk.stitches.last?.overlap.seconds ?? 0) - 300 * Self.duration) < 0.01)
    let bytes = desk.published().bytes
    #expect(difference(bytes, Self.bytes(Self.ads[0][...], Self.programme[..<2_000])) == nil)
  }

  @Test(
    "A second connection continues the programme after its own pre-roll, if the station is known for pre-rolls",
    arguments: [false, true])
  func second(isKnown: Bool) throws {
    var desk = try Self.desk([])
    let mark = AdBreak(.preroll, length: StreamTime(seconds: 15))
    if isKnown { _ = desk.splicer.accept(StationTitle(.begin(mark))) }
    let made = desk.makeWindow()
    let window = try #require(made)
    for packet in Self.ads[0].suffix(300) + Self.programme[900..<1_100] {
      packet.bytes.withUnsafeBytes { window.append(packet.info, $0, nil) { _ in false } }
    }
    let join = desk.splicer.proceed(with: window, at: desk.now)
    guard isKnown else { return #expect(join == .unknown) }
    guard case .joined(let overlap, let preroll) = join else {
      Issue.record("the second connection was not joined: \(join)")
      return
    }
    #expect(abs(overlap.seconds - 100 * Self.duration) < 0.01 && abs(preroll.seconds - 300 * Self.duration) < 0.01)
    #expect(difference(desk.published().bytes, Self.bytes(Self.programme[..<1_100])) == nil)
  }

  @Test("Alternating marks of a server delay the audio for a bounded time")
  func alternating() throws {
    var desk = try Self.desk()
    desk.wait(1)
    desk.connect()
    let packets = Self.programme[3_000...]
    var place = packets.startIndex
    while desk.stitches.isEmpty, place + 8 < packets.endIndex {
      _ = desk.splicer.accept(StationTitle(.begin(AdBreak(.preroll))))
      desk.send(Array(packets[place..<place + 4]), isPaced: true)
      _ = desk.splicer.accept(StationTitle(.end))
      desk.send(Array(packets[place + 4..<place + 8]), isPaced: true)
      place += 8
    }
    #expect(desk.stitches.count == 1 && place < 3_000 + Int(20 / Self.duration))
  }

  @Test("256 KiB wait at most, then the clock decides")
  func bounded() throws {
    var desk = try Self.desk()
    desk.wait(1)
    desk.connect()
    desk.take(Self.ads[0])
    desk.take(Self.programme[800..<1_500])
    desk.wait(1)
    desk.connect()
    var (count, byteCount) = (0, 0)
    while desk.stitches.count == 1, count < 2_000 {
      desk.take([Self.programme[3_000 + count]])
      byteCount += Self.programme[3_000 + count].bytes.count
      count += 1
    }
    #expect(desk.stitches.map(\.isExact) == [true, false])
    #expect(262_144..<262_144 + 1_000 ~= byteCount)
  }

  @Test("A station without a pre-roll that changes its programme is not delayed")
  func changed() throws {
    var desk = try Self.desk([])
    for number in 1...3 {
      desk.wait(1)
      desk.connect()
      let back = desk.now
      desk.send(Array(Self.programme[number * 1_200..<number * 1_200 + 200]), isPaced: true)
      #expect(desk.stitches.map(\.isExact) == Array(repeating: false, count: number))
      #expect((try #require(desk.moments.last) - back).seconds < 2.1)
    }
    let parts = (1...3).flatMap { Self.programme[$0 * 1_200..<$0 * 1_200 + 200] }
    #expect(difference(desk.published().bytes, Self.bytes(Self.programme[..<1_000], parts[...])) == nil)
  }

  @Test("A pre-roll is played if the buffer ends before it")
  func tooLong() throws {
    var desk = try Self.desk()
    desk.wait(1)
    desk.connect()
    desk.take(Self.ads[0])
    desk.take(Self.programme[800..<1_100])
    desk.wait(1)
    desk.hear(15)
    desk.connect()
    let back = desk.now
    desk.send(Self.ads[0], isPaced: true)
    #expect(desk.stitches.map(\.isExact) == [true, false] && desk.silence == 0)
    let waited = (try #require(desk.moments.last) - back).seconds
    #expect(desk.stitches.last.map { abs($0.lost.seconds - waited - 1) < 0.1 } == true)
    // 20 s and 100 packets, less the 17 s before; 1 s stays.
    #expect(abs(waited - (20 + 100 * Self.duration - 17 - 1)) < 0.1)
  }

  @Test("A connection that ends within a known pre-roll leaves nothing, however often")
  func cutWithin() throws {
    var desk = try Self.desk()
    for length in [575, 300, 20, 100, 574] {
      desk.wait(0.5)
      desk.connect()
      desk.take(Self.ads[0][..<length])
      if length == 575 { desk.take(Self.programme[800..<1_100]) }
      desk.end()
    }
    desk.connect()
    desk.take(Self.ads[0])
    desk.take(Self.programme[900..<1_500])
    desk.wait(0.3)
    #expect(desk.stitches.map(\.isExact) == [true, true])
    let whole = Self.bytes(Self.ads[0][...], Self.programme[..<1_500])
    #expect(difference(desk.published().bytes, whole) == nil)
  }

  @Test("A repeated start is learned while it is played, and dropped on the next connection")
  func learned() throws {
    var desk = try Self.desk()
    desk.hear(20)
    desk.connect()
    desk.send(Self.ads[0], isPaced: true)
    desk.take(Self.programme[2_000..<2_800])
    #expect(desk.stitches.map(\.isExact) == [false] && desk.splicer.sendsPreroll)
    desk.connect()
    desk.take(Self.ads[0])
    desk.take(Self.programme[2_700..<3_000])
    desk.wait(0.3)
    #expect(desk.stitches.map(\.isExact) == [false, true])
    let bytes = desk.published().bytes
    let whole = Self.bytes(Self.ads[0][...], Self.programme[..<1_000], Self.ads[0][...], Self.programme[2_000..<3_000])
    #expect(difference(bytes, whole) == nil)
  }
}

extension SplicerDesk {
  /// Starts a connection of a station.
  fileprivate mutating func connect() {
    end()
    splicer.beginOpening()
    splicer.join()
  }

  /// Accepts packets at once, or in real time.
  fileprivate mutating func send(_ packets: [Clip.Packet], isPaced: Bool) {
    guard isPaced else { return take(packets) }
    for packet in packets {
      take([packet])
      wait(packet.info.duration.seconds)
    }
  }
}
