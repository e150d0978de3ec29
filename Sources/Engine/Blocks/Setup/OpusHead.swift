/// The Opus identification header in Ogg (RFC 7845, section 5.1).
public struct OpusHead: Equatable, Sendable {
  /// Number of channels, 1 … 255.
  public let channels: UInt8
  /// Muted frames at the beginning, at 48 kHz.
  public let preSkip: Int
  /// The gain in 1/256 dB.
  public let gain: Int16
  /// The channel mapping family: 0 for mono and stereo, 1 for positions in Vorbis order.
  public let family: UInt8
  /// Number of streams in a packet.
  public let streams: UInt8
  /// The number of stereo streams; the others are mono.
  public let coupledStreams: UInt8
  /// The stream's channel for each channel.
  public let mapping: [UInt8]

  private static let maxByteCount = 21 + 255

  /// Parses a header; nil if the header is invalid or has an unknown version.
  public init?(_ bytes: Span<UInt8>) {
    guard (19...Self.maxByteCount).contains(bytes.count), bytes[8] & 0xF0 == 0, bytes[9] > 0 else { return nil }
    for (place, byte) in "OpusHead".utf8.enumerated() where bytes[place] != byte { return nil }
    channels = bytes[9]
    preSkip = Int(bytes[10]) | Int(bytes[11]) << 8
    gain = Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8)
    family = bytes[18]
    if family == 0 {
      guard channels <= 2 else { return nil }
      (streams, coupledStreams) = (1, channels - 1)
      mapping = Array(0..<channels)
    } else {
      guard bytes.count >= 21 + Int(channels), bytes[19] > 0 else { return nil }
      (streams, coupledStreams) = (bytes[19], bytes[20])
      mapping = (21..<21 + Int(channels)).map { bytes[$0] }
    }
  }
}
