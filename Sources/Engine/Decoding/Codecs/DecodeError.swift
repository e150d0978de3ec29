/// The action after a packet that was not decoded.
public enum DecodeError: Error, Equatable, Sendable {
  /// Continue with the next packet; this one is damaged or depends on missing packets.
  case discardPacket
  /// Continue with a new decoder, which `PacketDecoder` creates for the next packet; the old state is invalid.
  case resetDecoder
}
