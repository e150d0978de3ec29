import Blocks
import Framing
import Units

/// The facts in the header of an MPEG audio or ADTS frame.
struct Frame {
  let format: PacketFormat
  /// The frame's length including the header, more than 7.
  let byteCount: Int
  let duration: StreamTime

  /// Parses the header at `offset`; nil if it is invalid or free format.
  init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset >= 0, bytes.count - offset >= 7 else { return nil }
    if let header = AdtsHeader(bytes, at: offset), header.byteCount > 7 {
      format = PacketFormat(
        codec: .aac, sampleRate: header.sampleRate, channels: header.channels, profile: header.profile)
      (byteCount, duration) = (header.byteCount, header.duration)
    } else if let header = MpegHeader(bytes, at: offset), let byteCount = header.byteCount {
      format = PacketFormat(codec: header.codec, sampleRate: header.sampleRate, channels: header.channels)
      self.byteCount = byteCount
      duration = StreamTime(frames: header.samplesPerFrame, at: header.sampleRate)
    } else {
      return nil
    }
  }

  /// Returns true if codec and sample rate match, as in all frames of a stream.
  func agrees(with other: PacketFormat) -> Bool {
    format.codec == other.codec && format.sampleRate == other.sampleRate
  }
}
