import Foundation
import SeededRandom
import Testing
import Units

@testable import Blocks

/// A block ring in its own arena, with writer and reader.
final class RingBench {
  let ring: UnsafePointer<BlockRing>
  private var writer: BlockWriter
  private var reader: BlockReader
  private let packet = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
  /// Released last: the writer may still own a block.
  private let arena: Arena

  init(blockCount: Int = BlockPool.minCount, epoch: UInt32 = 1) throws {
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

  /// Writes packet `number`. Returns false if the ring has no room.
  func write(_ number: Int, byteCount: Int = 400) -> Bool {
    Packet.bytes(number, byteCount).withUnsafeBytes { writer.append(Packet.info(number, byteCount), $0) }
  }

  /// Writes packet `number` with a duration of `seconds`. Returns false if the ring has no room.
  func write(_ number: Int, lasting seconds: Double, byteCount: Int = 400) -> Bool {
    var info = Packet.info(number, byteCount)
    info.duration = StreamTime(seconds: seconds)
    return Packet.bytes(number, byteCount).withUnsafeBytes { writer.append(info, $0) }
  }

  /// Stages packet `number`. Returns false if the ring has no room.
  func stage(_ number: Int, byteCount: Int = 400) -> Bool {
    Packet.bytes(number, byteCount).withUnsafeBytes { writer.stage(Packet.info(number, byteCount), $0) }
  }

  @discardableResult
  func publishStaged(dropping dropped: Int, followsGap: Bool) -> StreamTime {
    writer.publishStaged(dropping: dropped, followsGap: followsGap)
  }

  func publishJoin() { writer.publishJoin() }
  func estimateJoin(overlap: StreamTime, lost: StreamTime) { writer.estimateJoin(overlap: overlap, lost: lost) }

  func unstage() { writer.unstage() }

  // The reader's end.

  var ahead: StreamTime { reader.ahead() }
  var writtenEpoch: UInt32 { reader.writtenEpoch }
  func hasEnded(_ epoch: UInt32) -> Bool { reader.hasEnded(epoch) }
  func seek(to time: StreamTime) -> StreamTime? { reader.seek(to: time) }
  func start(at time: StreamTime) -> StreamTime? { reader.start(at: time) }
  func await(_ isAwaited: Bool) { reader.await(isAwaited) }
  var joinStart: StreamTime? { reader.joinStart }
  var joinEstimate: (overlap: StreamTime, lost: StreamTime)? { reader.joinEstimate }
  func cursor() -> BlockCursor { reader.cursor() }

  /// Broken invariants of both ends. Call only while both ends are idle.
  func checkInvariants() -> [String] { writer.checkInvariants() + reader.checkInvariants() }

  func readFirstPiece() -> HeldPacket? { reader.next(into: packet) }

  /// Reads the remaining pieces. Returns the packet's number, or nil if its bytes changed.
  func readRest(of held: HeldPacket?) -> Int? {
    guard let held else { return nil }
    return Packet.number(Array(UnsafeRawBufferPointer(start: packet, count: firstCount(held))) + rest())
  }

  private func firstCount(_ held: HeldPacket) -> Int { min(held.info.byteCount, Block.firstPieceByteCount) }

  private func rest() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let count = reader.more(into: packet)
      if count == 0 { return bytes }
      bytes += UnsafeRawBufferPointer(start: packet, count: count)
    }
  }

  /// Reads a packet. `number` is -1 if the packet's bytes changed.
  func read() -> (number: Int, held: HeldPacket)? {
    guard let held = reader.next(into: packet) else { return nil }
    return (readRest(of: held) ?? -1, held)
  }
}

/// Packets that contain their number, so that a torn packet is detected.
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
    // Each piece of a long packet has different bytes.
    for place in stride(from: 1_000, to: byteCount, by: 1_000) {
      bytes[place] &+= UInt8(truncatingIfNeeded: place >> 3)
    }
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: number, as: Int.self) }
    return bytes
  }

  /// Number of a packet; nil if its bytes changed.
  static func number(_ bytes: [UInt8]) -> Int? {
    let number = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    return bytes == self.bytes(number, bytes.count) ? number : nil
  }

  /// Number of packet `held`, whose first piece is in `room`; nil if that piece changed.
  static func number(_ held: HeldPacket, _ room: UnsafeMutableRawPointer) -> Int? {
    let first = UnsafeRawBufferPointer(start: room, count: min(held.info.byteCount, Block.firstPieceByteCount))
    let number = first.loadUnaligned(as: Int.self)
    return bytes(number, held.info.byteCount).starts(with: first) ? number : nil
  }
}

/// Runs two closures concurrently and waits for both.
func concurrently(_ one: @escaping @Sendable () -> Void, _ other: () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread {
    one()
    done.signal()
  }.start()
  other()
  done.wait()
}
