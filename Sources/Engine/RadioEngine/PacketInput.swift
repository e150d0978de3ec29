import Blocks
import Decoding

/// The packets of the ring as the decode thread takes them: each is copied to one room, a piece at a time where it is
/// long, and decoded there.
final class PacketInput {
  /// The reader's end of the ring.
  var reader: BlockReader
  private let room: UnsafeMutablePointer<UInt8>

  /// Packets of `ring`, by way of `room`, which has `MemoryBudget.decoderScratch` bytes.
  init(_ ring: UnsafePointer<BlockRing>, _ room: UnsafeMutablePointer<UInt8>) {
    reader = BlockReader(ring)
    self.room = room
  }

  /// The next packet; nil when nothing more is held.
  func next() -> HeldPacket? { reader.next(into: room) }

  /// Decodes the packet that `next` gave last.
  func decode(_ held: HeldPacket, by decoder: inout PacketDecoder) throws(DecodeError) -> DecodedPcm {
    try decoder.decode(room, held.info, firstCount: held.firstByteCount) { reader.more(into: $0) }
  }
}
