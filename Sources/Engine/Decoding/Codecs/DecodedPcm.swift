import Units

/// The result of decoding a packet. The samples stay in the decoder until the next packet.
public struct DecodedPcm: Equatable, Sendable {
  /// The number of frames; 0 while a decoder only builds its state.
  public let frameCount: Int
  /// Decoded frames per second.
  public let rate: SampleRate
  /// Channels of the programme, 1 or 2; more are mixed down.
  public let channels: Int
}
