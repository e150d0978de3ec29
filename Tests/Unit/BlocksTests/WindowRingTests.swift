import Foundation
import Testing
import Units

@testable import Blocks

/// A standby ring as a window of the newest packets.
struct WindowRingTests {
  private final class Bench {
    let (heard, standby): (UnsafePointer<BlockRing>, UnsafePointer<BlockRing>)
    var writer: BlockWriter
    var window: BlockWriter
    private let arena: Arena

    init() throws {
      arena = try Arena(MemoryBudget(blockCount: 192, standbyCount: 1).total)
      heard = BlockRing.make(blockCount: 192, in: arena)
      guard let ring = heard.pointee.makeStandby(in: arena) else { throw POSIXError(.ENOMEM) }
      standby = ring
      writer = BlockWriter(heard)
      window = BlockWriter(standby)
      writer.begin(epoch: 1)
      window.begin(epoch: 0)
    }

    func slide(_ numbers: Range<Int>, _ byteCount: Int = 2_000, over seconds: Double = 100) -> Bool {
      numbers.allSatisfy { number in
        Packet.bytes(number, byteCount).withUnsafeBytes {
          window.slide(Packet.info(number, byteCount), $0, over: StreamTime(seconds: seconds))
        }
      }
    }

    /// The numbers of the packets; nil for a packet with wrong bytes.
    var numbers: [Int?] {
      var numbers: [Int?] = []
      window.forEachPacket { info, bytes in
        numbers.append(info.byteCount == bytes.count ? Packet.number(Array(bytes)) : nil)
      }
      return numbers
    }
  }

  @Test("A window has the newest packets of its length, with their bytes", arguments: [100, 2_000, 5_000, 12_000])
  func length(byteCount: Int) throws {
    let bench = try Bench()
    #expect(bench.slide(0..<500, byteCount, over: 0.3))
    let numbers = bench.numbers.compactMap { $0 }
    #expect(numbers.count == bench.numbers.count && numbers.last == 499)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    let seconds = Double(numbers.count) * Packet.duration.seconds
    #expect(seconds <= 0.3 + 50 * Packet.duration.seconds)
    #expect(bench.standby.pointee.checkInvariants().isEmpty)
  }

  @Test("A window drops its oldest packets if its ring or the pool is full, and never those of the heard ring")
  func full() throws {
    let bench = try Bench()
    #expect(bench.slide(0..<500))
    let own = bench.numbers.count
    #expect(own > 2 && own < 60 && bench.numbers.last == 499)
    for number in 0..<1_000 {
      _ = Packet.bytes(number, 2_000).withUnsafeBytes { bench.writer.append(Packet.info(number, 2_000), $0) }
    }
    let held = bench.writer.held
    #expect(bench.slide(500..<600) && bench.numbers.last == 599 && bench.writer.held == held)
    bench.window.begin(epoch: 0)
    #expect(bench.numbers.isEmpty)
    #expect(bench.slide(0..<10) && bench.numbers == (0..<10).map { $0 })
  }
}
