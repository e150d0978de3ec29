import Framing
import MediaSupport
import StationSupport
import TestSupport
import Testing
import Units

@testable import Network

/// The join of a new connection: method, time and the clock's influence (R4.2).
struct SplicerClockTests {
  private static let clip = Clip(ToneMp3.frames(2_600, kilobits: 64))
  private static let packets = clip.packets.map { packet in
    var packet = packet
    packet.info.followsGap = false
    return packet
  }
  private static func bytes(_ ranges: Range<Int>...) -> [UInt8] { ranges.flatMap { packets[$0].flatMap(\.bytes) } }

  /// Expects exactly these packets, without a gap.
  private static func expectJoined(_ desk: inout SplicerDesk, _ packets: Range<Int>) {
    let published = desk.published()
    #expect(published.gaps.isEmpty && difference(published.bytes, bytes(packets)) == nil)
  }

  @Test("A found position waits a quarter second for doubts, none with little buffered")
  func confirms() throws {
    for (held, isImmediate) in [(100, false), (19, true)] {
      var desk = try SplicerDesk()
      desk.take(Self.packets[0..<held])
      desk.rejoin(after: 1)
      desk.take(Self.packets[(held - 15)..<held])
      #expect(desk.stitches.isEmpty == !isImmediate)
      desk.take(Self.packets[held..<150])
      desk.wait(0.24)
      #expect(desk.stitches.isEmpty == !isImmediate)
      desk.wait(0.02)
      #expect(desk.stitches.map(\.isExact) == [true] && desk.stitches.map(\.lost) == [.zero])
      Self.expectJoined(&desk, 0..<150)
    }
  }

  @Test(
    "Without a position the decision comes within the buffer less half a second, and two seconds",
    arguments: [
      (30, 0.284), (60, 1.067), (200, 2),
    ])
  func decides(_ held: Int, _ limit: Double) throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<held])
    desk.rejoin(after: 5)
    desk.take(Self.packets[600..<640])
    desk.wait(limit - 0.01)
    #expect(desk.stitches.isEmpty)
    desk.wait(0.02)
    #expect(desk.stitches.map(\.isExact) == [false])
    #expect(desk.published().gaps == [held])
  }

  @Test("A connection that ends before its burst leaves nothing, however often")
  func cutInBurst() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<400])
    for _ in 0..<5 {
      desk.rejoin(after: 1)
      #expect(desk.splicer.accept(StationTitle(text: "Again")) == nil)
      desk.take(Self.packets[300..<350])
      desk.end()
      #expect(desk.splicer.removeReleasedTitles().isEmpty)
    }
    #expect(desk.stitches.isEmpty && desk.splicer.deadline == nil)
    desk.splicer.join()
    desk.take(Self.packets[300..<450])
    desk.wait(0.3)
    #expect(desk.stitches.map(\.isExact) == [true])
    Self.expectJoined(&desk, 0..<450)
  }

  @Test func whatWasLateStaysSoOverAConnectionThatLeftNothing() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<400])
    desk.splicer.endConnection(lag: 5)
    desk.splicer.join()
    desk.take(Self.packets[300..<350])
    desk.end()
    desk.splicer.endConnection(lag: 0)
    desk.rejoin(after: 2)
    desk.take(Self.packets[600..<640])
    desk.wait(2)
    #expect(desk.stitches.map { abs($0.lost.seconds - 7 + 40 * 0.02612) < 0.01 } == [true])
  }

  @Test("A slow burst is awaited while it is inside the buffer")
  func slowBurst() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<400])
    desk.splicer.join()
    for first in stride(from: 100, to: 420, by: 20) {
      desk.take(Self.packets[first..<first + 20])
      desk.wait(0.25)
    }
    desk.wait(0.3)
    #expect(desk.stitches.map(\.isExact) == [true])
    Self.expectJoined(&desk, 0..<420)
  }

  @Test("Equal packets half a minute later are a jingle, unless the burst covers that time")
  func jingle() throws {
    // Packets 380 to 399 are the jingle's beginning; the rest is another programme.
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<400])
    desk.rejoin(after: 30)
    desk.take(Self.packets[380..<500])
    desk.wait(2)
    #expect(desk.stitches.map(\.isExact) == [false] && desk.stitches.map(\.isEstimated) == [true])
    // The burst brought 120 packets of the thirty seconds.
    #expect(desk.stitches.map { abs($0.lost.seconds - 30 + 120 * 0.02612) < 0.1 } == [true])
    #expect(desk.published().gaps == [400])

    var covered = try SplicerDesk()
    covered.take(Self.packets[0..<400])
    covered.rejoin(after: 30)
    covered.take(Self.packets[380..<1_540])
    covered.wait(0.3)
    #expect(covered.stitches.map(\.isExact) == [true])
    Self.expectJoined(&covered, 0..<1_540)
  }

  @Test("A relay that returns early or late is joined", arguments: [-3.0, 3, 8])
  func relay(delay: Double) throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<800])
    desk.rejoin(after: 1)
    // By the clock a burst of 10 s would start 9 s before the buffer's end.
    let first = 800 - Int((9 + delay) / 0.02612)
    desk.take(Self.packets[first..<first + 383])
    for number in 0..<400 {
      desk.wait(0.02612)
      desk.take(Self.packets[(first + 383 + number)...(first + 383 + number)])
    }
    #expect(desk.stitches.map(\.isExact) == [true])
    #expect(difference(desk.published().bytes, Self.bytes(0..<first + 783)) == nil)
  }

  @Test("Real silence proves nothing, however short", arguments: ["silence-44100.mp3", "silence-44100.aac"])
  func silence(_ name: String) throws {
    let silence = Clip(Repository.bytes("Tests/Support/Fixtures/\(name)")).packets.dropFirst(8)
    for count in [2, 5, 11, 40] {
      var desk = try SplicerDesk()
      desk.take(Self.packets[0..<100])
      desk.take(silence.prefix(count))
      desk.rejoin(after: 5)
      desk.take(silence.prefix(count))
      desk.take(Self.packets[300..<400])
      desk.wait(2)
      #expect(desk.stitches.map(\.isExact) == [false], "\(count)")
    }
  }

  @Test(
    "Encoded silence has little content, music much",
    arguments: [
      ("silence-44100.mp3", 0.0), ("silence-44100.aac", 0), ("long-cbr-22050.mp3", 0.9), ("long-vbr-22050.mp3", 0.9),
      ("long-he-44100.aac", 0.9), ("long-he2-44100.aac", 0.9),
    ])
  func prints(_ name: String, _ share: Double) {
    let packets = Clip(Repository.bytes("Tests/Support/Fixtures/\(name)")).packets
    let rich = packets.count { $0.bytes.withUnsafeBytes { PacketPrint(of: $0).examined($0).isRich } }
    #expect(share == 0 ? rich == 0 : Double(rich) > share * Double(packets.count))
  }

  @Test("40 different byte values are much content, at any place", arguments: [0, 1, 23, 24, 25, 63, 64, 65, 200])
  func richness(_ quiet: Int) {
    func isRich(_ count: Int) -> Bool {
      let values = (0..<count).map { UInt8($0 * 255 / 39) }
      let bytes = [UInt8](repeating: values[0], count: quiet) + values
      return bytes.withUnsafeBytes { PacketPrint(of: $0).examined($0).isRich }
    }
    #expect(!isRich(39) && isRich(40))
  }
}

extension SplicerDesk {
  /// Joins a new connection `seconds` later.
  fileprivate mutating func rejoin(after seconds: Double) {
    now = now + Duration(seconds: seconds)
    splicer.join()
  }
}
