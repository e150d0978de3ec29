import MediaSupport
import StationSupport
import Testing
import Units

@testable import Network

/// A station that repeats its data after a restart is audible within two seconds (R4.2). A wrong guess costs one
/// repetition, and never silence.
struct RepetitionTests {
  private static let packets = Clip(ToneMp3.frames(3_000, kilobits: 64)).packets.map { packet in
    var packet = packet
    packet.info.followsGap = false
    return packet
  }
  private static let duration = 0.02612
  private static func bytes(_ ranges: Range<Int>...) -> [UInt8] { ranges.flatMap { packets[$0].flatMap(\.bytes) } }
  private static func count(_ seconds: Double) -> Int { Int(seconds / duration) }

  /// A station that restarts and repeats all its data.
  struct Restart: CustomTestStringConvertible, Sendable {
    /// Seconds sent before the restart, seconds unplayed at its start, and seconds of the outage.
    var (sent, ahead, gone): (Double, Double, Double)
    /// Seconds sent at once after the outage.
    var burst: Double
    var testDescription: String { "\(sent) s sent, \(ahead) s ahead, gone for \(gone) s, burst of \(burst) s" }
  }

  static let cases = [8.0, 20, 45].flatMap { sent in
    [0, 0.3, 3, 7].flatMap { ahead in
      [0.2, 5, 30, 60].flatMap { gone in
        [0, 2, 6].map { Restart(sent: sent, ahead: ahead, gone: gone, burst: $0) }
      }
    }
  }

  /// Sends a burst from packet `first` on, then packets in real time for `seconds`. Returns the next packet.
  private static func send(_ desk: inout SplicerDesk, from first: Int, burst: Double, for seconds: Double) -> Int {
    var sent = first + count(burst)
    desk.take(packets[first..<sent])
    var time = 0.0
    while time < seconds {
      desk.wait(0.05)
      time += 0.05
      let last = first + count(burst + time)
      desk.take(packets[sent..<max(sent, last)])
      sent = max(sent, last)
    }
    return sent
  }

  @Test("A restarted station's repetition plays at once", arguments: cases)
  func restarts(_ restart: Restart) throws {
    var desk = try SplicerDesk()
    let held = Self.count(restart.sent)
    desk.take(Self.packets[0..<held])
    desk.hear(restart.sent - restart.ahead)
    desk.listens = true
    desk.wait(restart.gone)
    let before = desk.silence
    let back = desk.now
    desk.splicer.join()
    let sent = Self.send(&desk, from: 0, burst: restart.burst, for: 12)
    #expect(desk.stitches.count == 1)
    #expect(desk.silence - before < 1.1, "seconds of silence while data flowed")
    let published = desk.published()
    if desk.stitches.first?.isExact == true {
      // Few bytes had been sent, so all were skipped while the buffer had audio.
      #expect(difference(published.bytes, Self.bytes(0..<sent)) == nil && published.gaps.isEmpty)
    } else {
      #expect(desk.stitches.map(\.overlap) == [.zero] && desk.stitches.map(\.isExact) == [false])
      // Without a burst, few thin packets precede the decision and prove nothing. The clock decides.
      #expect(desk.stitches.map(\.lost) == [.zero] || restart.burst == 0)
      #expect(desk.moments.allSatisfy { ($0 - back).seconds < 2.1 })
      #expect(difference(published.bytes, Self.bytes(0..<held, 0..<sent)) == nil && published.gaps == [held])
    }
  }

  @Test("After a repetition a cut connection joins exactly again")
  func goesOn() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<1_500])
    desk.hear(36)
    desk.listens = true
    desk.wait(5)
    desk.splicer.join()
    let sent = Self.send(&desk, from: 0, burst: 6, for: 10)
    desk.wait(1)
    desk.splicer.join()
    let last = Self.send(&desk, from: sent - 200, burst: 7, for: 5)
    #expect(desk.stitches.map(\.isExact) == [false, true])
    let published = desk.published()
    #expect(published.gaps == [1_500])
    #expect(difference(published.bytes, Self.bytes(0..<1_500, 0..<last)) == nil)
  }

  @Test("A repeatedly restarting station is never silent for longer than it is gone")
  func crashesOverAndOver() throws {
    for life in [0.5, 1, 3, 9] {
      var desk = try SplicerDesk()
      desk.take(Self.packets[0..<1_500])
      desk.hear(36)
      desk.listens = true
      let laps = 8
      for _ in 0..<laps {
        desk.wait(0.2)
        desk.splicer.join()
        _ = Self.send(&desk, from: 0, burst: 2, for: life)
        desk.end()
      }
      // Each life is completely audible, except for the overlap by the clock.
      #expect(desk.silence < Double(laps) * 0.25 + 0.5, "a life of \(life) s")
    }
  }

  @Test("A burst cut with an empty buffer plays")
  func cutWithNothingHeld() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<400])
    desk.hear(60)
    desk.splicer.join()
    #expect(desk.splicer.accept(StationTitle(text: "Again")) == nil)
    desk.take(Self.packets[100..<150])
    desk.end()
    #expect(desk.stitches.map(\.isExact) == [false] && desk.stitches.map(\.overlap) == [.zero])
    #expect(desk.splicer.removeReleasedTitles().map(\.isRepeated) == [false])
    let bytes = desk.published().bytes
    #expect(difference(bytes, Self.bytes(0..<400, 100..<150)) == nil)
  }

  @Test("A repetition's titles are emitted again, at their packets")
  func titles() throws {
    var desk = try SplicerDesk()
    desk.take(Self.packets[0..<1_500])
    desk.hear(37)
    desk.wait(3)
    desk.splicer.join()
    #expect(desk.splicer.accept(StationTitle(text: "One")) == nil)
    desk.take(Self.packets[0..<40])
    #expect(desk.splicer.accept(StationTitle(text: "Two")) == nil)
    desk.take(Self.packets[40..<80])
    desk.wait(2)
    let titles = desk.splicer.removeReleasedTitles()
    #expect(titles.map(\.title.text) == ["One", "Two"] && !titles.contains { $0.isRepeated })
    #expect(zip(titles, [1_500, 1_540]).allSatisfy { abs($0.at.seconds - Double($1) * Self.duration) < 0.05 })
  }

  @Test("Unproven packets are dropped only while others are buffered, and within the burst")
  func unproven() throws {
    // One packet repeats: each position fits, which proves no match.
    let loop = Array(repeating: Self.packets[7], count: 2_000)
    var empty = try SplicerDesk()
    empty.take(loop[0..<400])
    empty.hear(60)
    empty.wait(1)
    empty.splicer.join()
    empty.take(loop[0..<200])
    empty.wait(2)
    #expect(empty.stitches.map(\.overlap) == [.zero] && empty.stitches.map(\.isExact) == [false])

    // Packets 300 to 399 arrive again in real time, twice as long as any earlier burst.
    var slow = try SplicerDesk()
    slow.take(Self.packets[0..<390])
    slow.take(loop[0..<10])
    slow.splicer.join()
    let joined = slow.now
    for number in 0..<200 {
      slow.take([loop[number]])
      slow.wait(Self.duration)
      if !slow.stitches.isEmpty { break }
    }
    #expect((slow.now - joined).seconds < 2.1)
    #expect(slow.stitches.allSatisfy { !$0.isExact && $0.overlap.seconds < 0.1 })
  }

  @Test("In a full ring all staged packets are published, and nothing after them is missing")
  func ringIsFull() throws {
    var desk = try SplicerDesk(blockCount: 32)
    desk.take(Self.packets[0..<500])
    desk.splicer.join()
    desk.take(Self.packets[0..<400])
    #expect(desk.stitches.map(\.isExact) == [false])
    let bytes = desk.published().bytes
    let whole = Self.bytes(0..<500, 0..<400)
    #expect(bytes.count > 32 * 4_300)
    #expect(difference(bytes, Array(whole.prefix(bytes.count))) == nil)
  }
}
