/// The identification header of Opus (RFC 7845, 5.1).
struct OpusHead {
  let channels: Int
  /// The gain in 1/256 dB.
  let gain: Int16
  let streams: Int
  /// The number of stereo streams; the others are mono.
  let coupledStreams: Int
  let mapping: [UInt8]

  /// True if a single stream has all channels in order.
  var isSimple: Bool {
    streams == 1 && coupledStreams == channels - 1 && mapping.elementsEqual(0..<UInt8(channels))
  }

  /// Parses a header; nil if it is invalid, of an unknown version, without channel positions, or has too many streams.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8), bytes[8] & 0xF0 == 0 else { return nil }
    channels = Int(bytes[9])
    gain = Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8)
    switch bytes[18] {
    case 0:
      guard (1...2).contains(channels) else { return nil }
      (streams, coupledStreams) = (1, channels - 1)
      mapping = Array(0..<UInt8(channels))
    case 1:
      guard (1...Downmix.maxChannels).contains(channels), bytes.count >= 21 + channels else { return nil }
      (streams, coupledStreams, mapping) = (Int(bytes[19]), Int(bytes[20]), Array(bytes[21..<21 + channels]))
      // Each stream uses memory; libopus checks the rest.
      guard streams + coupledStreams <= Downmix.maxChannels else { return nil }
    default: return nil
    }
  }
}
