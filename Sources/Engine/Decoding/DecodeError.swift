/// The action after a packet that was not decoded.
public enum DecodeError: Error, Equatable, Sendable {
  /// Continue with the next packet; this one is damaged or depends on missing packets.
  case discardPacket
  /// Reset the decoder, whose state is invalid.
  case resetDecoder
}
