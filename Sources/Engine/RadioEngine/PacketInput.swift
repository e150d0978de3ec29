import Blocks
import Decoding

/// Reads packets from the ring for the decode thread: copies each into one buffer, in parts if it is long, and decodes
/// it there.
final class PacketInput {
  var reader: BlockReader
  private let room: UnsafeMutablePointer<UInt8>

  /// Reads packets of `ring` through `room`, which has `MemoryBudget.decoderScratch` bytes.
  init(_ ring: UnsafePointer<BlockRing>, _ room: UnsafeMutablePointer<UInt8>) {
    reader = BlockReader(ring)
    self.room = room
  }

  /// Returns the next packet; nil if the ring is empty.
  func next() -> HeldPacket? { reader.next(into: room) }

  /// Decodes the packet that `next` returned last.
  func decode(_ held: HeldPacket, by decoder: inout PacketDecoder) throws(DecodeError) -> DecodedPcm {
    try decoder.decode(room, held.info, firstCount: held.firstByteCount) { reader.more(into: $0) }
  }
}
