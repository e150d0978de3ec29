import Blocks
import Decoding

/// Copies packets from the ring to one buffer, in parts if long, and decodes them there. Decode thread only.
final class PacketInput {
  var reader: BlockReader
  private let room: UnsafeMutablePointer<UInt8>

  /// `room`: `MemoryBudget.decoderScratch` bytes.
  init(_ ring: UnsafePointer<BlockRing>, _ room: UnsafeMutablePointer<UInt8>) {
    reader = BlockReader(ring)
    self.room = room
  }

  /// Returns the next packet; nil if all packets are read.
  func next() -> HeldPacket? { reader.next(into: room) }

  /// Decodes the packet that `next` returned last.
  func decode(_ held: HeldPacket, by decoder: inout PacketDecoder) throws(DecodeError) -> DecodedPcm {
    try decoder.decode(room, held.info, firstCount: held.firstByteCount) { reader.more(into: $0) }
  }
}
