/// What to do about a packet that did not decode.
public enum DecodeError: Error, Equatable, Sendable {
  /// Go on with the next: this one is damaged, or needs packets that were never heard.
  case discardPacket
  /// Begin anew with the next: the decoder lost its way.
  case resetDecoder
}
