import Units

/// What a packet became; its samples stay with the decoder until the next packet.
public struct DecodedPcm: Equatable, Sendable {
  /// Frames, 0 where a decoder only gathers strength.
  public let frameCount: Int
  /// Frames per second, as decoded.
  public let rate: SampleRate
  /// Channels of the programme, 1 or 2 (more are mixed down).
  public let channels: Int
}
