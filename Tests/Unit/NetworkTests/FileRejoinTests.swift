import Framing
import Testing
import Units

@testable import Network

/// The place of the received packets in another version of a file. Each packet lasts a second.
@Suite struct FileRejoinTests {
  private static func packet(_ number: Int) -> PacketPrint {
    PacketPrint(hash: UInt64(truncatingIfNeeded: number &* 0x9E37_79B9), isRich: true)
  }

  /// Offers the packets of a new version, from second `first` on, after the packets 0..<count of the old version.
  private func steps(_ new: [Int], from first: Double = 0, count: Int) -> [FileRejoin.Step] {
    var rejoin = FileRejoin()
    for number in 0..<count { rejoin.record(Self.packet(number)) }
    rejoin.begin(at: StreamTime(seconds: Double(count)))
    var found: [FileRejoin.Step] = []
    for (index, number) in new.enumerated() {
      let place = StreamTime(seconds: first + Double(index))
      let step = rejoin.offer(Self.packet(number), at: place, mapped: place)
      found.append(step)
      if step != .dropped { break }
    }
    return found
  }

  @Test("The packets are found after a longer, a shorter or no advertisement", arguments: [0, 5, 50])
  func longer(_ ad: Int) {
    let new = (0..<ad).map { 9_000 + $0 } + Array(0..<200)
    let found = steps(new, count: 100)
    #expect(found.last == .joined(lost: 0) && found.count == ad + 100)
    let shorter = steps(Array(ad..<200), count: 100)
    #expect(shorter.last == .joined(lost: 0) && shorter.count == 100 - ad)
  }

  @Test("An advertisement within the compared packets restarts the comparison")
  func middle() {
    let found = steps(Array(20..<60) + [9_000, 9_001] + Array(60..<200), count: 100)
    #expect(found.last == .joined(lost: 0) && found.count == 82)
  }

  @Test("Other packets are missed 60 s after the position; the next part then begins at the same time")
  func missed() {
    var rejoin = FileRejoin()
    for number in 0..<100 { rejoin.record(Self.packet(number)) }
    rejoin.begin(at: StreamTime(seconds: 100))
    var found = [rejoin.isActive]
    for second in 40...160 {
      let place = StreamTime(seconds: Double(second))
      found.append(rejoin.offer(Self.packet(9_000 + second), at: place, mapped: place) == .dropped)
    }
    #expect(found.allSatisfy { $0 })
    let late = [(1, 161), (2, 99), (3, 100)].map { ($0, StreamTime(seconds: $1)) }
    var steps: [FileRejoin.Step] = []
    for (number, time) in late { steps.append(rejoin.offer(Self.packet(number), at: time, mapped: time)) }
    let isActive = rejoin.isActive
    #expect(steps == [.missed, .dropped, .begins] && !isActive)
  }

  @Test("A version of another bit rate begins at the same time by its own rate", arguments: [0.5, 0.8, 1.6])
  func encodedAnew(_ pace: Double) {
    var rejoin = FileRejoin()
    for number in 0..<100 { rejoin.record(Self.packet(number)) }
    rejoin.begin(at: StreamTime(seconds: 100))
    var step = FileRejoin.Step.dropped
    var second = 0.0
    while step == .dropped, second < 400 {
      let mapped = StreamTime(seconds: 40 + second / pace)
      step = rejoin.offer(Self.packet(9_000 + Int(second)), at: StreamTime(seconds: 40 + second), mapped: mapped)
      second += 1
    }
    let byte = rejoin.newByte(of: 1_000_000)
    let back = rejoin.oldByte(of: byte)
    #expect(step == .missed && abs(Double(byte) - 1_000_000 / pace) < 10_000 && abs(back - 1_000_000) <= 2)
    let early = rejoin.offer(Self.packet(1), at: StreamTime(seconds: 300), mapped: StreamTime(seconds: 99))
    let onTime = rejoin.offer(Self.packet(1), at: StreamTime(seconds: 300), mapped: StreamTime(seconds: 100.01))
    #expect(early == .dropped && onTime == .begins)
  }

  @Test("A version that ends during the search begins at the same time, once")
  func end() {
    var rejoin = FileRejoin()
    for number in 0..<100 { rejoin.record(Self.packet(number)) }
    rejoin.begin(at: StreamTime(seconds: 100))
    let first = rejoin.endFile()
    let isByTime = rejoin.isByTime
    let second = rejoin.endFile()
    let isActive = rejoin.isActive
    #expect(first && isByTime && !second && !isActive)
  }

  @Test("Repeated packets prove nothing, and only the newest are remembered")
  func repeated() {
    var rejoin = FileRejoin()
    for _ in 0..<5_000 { rejoin.record(PacketPrint(hash: 7, isRich: false)) }
    rejoin.begin(at: StreamTime(seconds: 5_000))
    var found: [FileRejoin.Step] = []
    for second in 4_940...5_060 {
      let place = StreamTime(seconds: Double(second))
      found.append(rejoin.offer(PacketPrint(hash: 7, isRich: false), at: place, mapped: place))
    }
    #expect(found.allSatisfy { $0 == .dropped })
    #expect(steps(Array(5_950..<6_100), from: 5_950, count: 6_000).last == .joined(lost: 0))
  }
}
