import Foundation
import Testing
import Units
import SeededRandom

@testable import Blocks

/// A ring in an arena of its own, with both its ends.
final class RingBench {
  let ring: UnsafePointer<BlockRing>
  private var writer: BlockWriter
  private var reader: BlockReader
  private let packet = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
  /// Goes last: the writer may still hold a block.
  private let arena: Arena

  init(blockCount: Int = BlockPool.fewest, epoch: UInt32 = 1) throws {
    arena = try Arena(BlockRing.cost(blockCount) + BlockPool.cost(blockCount))
    ring = BlockRing.make(blockCount: blockCount, in: arena)
    arena.seal()
    writer = BlockWriter(ring)
    reader = BlockReader(ring)
    writer.begin(epoch: epoch)
  }

  deinit { packet.deallocate() }

  var pool: UnsafePointer<BlockPool> { ring.pointee.pool }
  var available: Int { pool.pointee.available }
  var statistics: BlockStatistics { ring.pointee.statistics }

  // The writer's end.

  func begin(epoch: UInt32) { writer.begin(epoch: epoch) }
  func finish() { writer.finish() }
  func makeRoom(_ count: Int, wraps: Bool = false) -> Bool { writer.makeRoom(count, wraps: wraps) }
  var unread: StreamTime { writer.ahead }
  var isAwaited: Bool { writer.isAwaited }

  /// Writes the packet of a number; false where it finds no room.
  func write(_ number: Int, byteCount: Int = 400) -> Bool {
    Packet.bytes(number, byteCount).withUnsafeBytes { writer.append(Packet.info(number, byteCount), $0) }
  }

  /// Lets the packet of a number wait; false where it finds no room.
  func stage(_ number: Int, byteCount: Int = 400) -> Bool {
    Packet.bytes(number, byteCount).withUnsafeBytes { writer.stage(Packet.info(number, byteCount), $0) }
  }

  @discardableResult
  func publishStaged(dropping dropped: Int, followsGap: Bool) -> StreamTime {
    writer.publishStaged(dropping: dropped, followsGap: followsGap)
  }

  func unstage() { writer.unstage() }

  // The reader's end.

  var ahead: StreamTime { reader.ahead() }
  var writtenEpoch: UInt32 { reader.writtenEpoch }
  func hasEnded(_ epoch: UInt32) -> Bool { reader.hasEnded(epoch) }
  func seek(to time: StreamTime) -> StreamTime? { reader.seek(to: time) }
  func start(at time: StreamTime) -> StreamTime? { reader.start(at: time) }
  func await(_ isAwaited: Bool) { reader.await(isAwaited) }

  /// The rules that are broken, at either end. Only while neither works.
  func checkInvariants() -> [String] { writer.checkInvariants() + reader.checkInvariants() }

  /// Reads a packet: its facts, and its number, which is -1 where its bytes are not what they were.
  func read() -> (number: Int, held: HeldPacket)? {
    guard let held = reader.next(into: packet) else { return nil }
    return (Packet.number(UnsafeRawBufferPointer(start: packet, count: held.info.byteCount)) ?? -1, held)
  }
}

/// Packets that know their number, so that a torn one is seen.
enum Packet {
  static let duration = StreamTime(frames: FrameCount(1_152), at: .cd)
  static let smallest = 8

  static func info(_ number: Int, _ byteCount: Int) -> PacketInfo {
    PacketInfo(
      format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2), byteCount: byteCount,
      duration: duration, byteOffset: number * 1_000, followsGap: number % 7 == 0)
  }

  static func bytes(_ number: Int, _ byteCount: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31 &+ byteCount), count: byteCount)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: number, as: Int.self) }
    return bytes
  }

  /// The number of a packet, nil where its bytes are not what they were.
  static func number(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let number = bytes.loadUnaligned(as: Int.self)
    let fill = UInt8(truncatingIfNeeded: number &* 31 &+ bytes.count)
    return bytes.dropFirst(smallest).allSatisfy { $0 == fill } ? number : nil
  }
}

/// Runs two pieces of work at the same time, until both are done.
func concurrently(_ one: @escaping @Sendable () -> Void, _ other: () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread {
    one()
    done.signal()
  }.start()
  other()
  done.wait()
}
