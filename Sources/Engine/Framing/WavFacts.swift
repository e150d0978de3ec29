import Units

/// Where the samples of a WAV file stand.
public struct WavFacts: Hashable, Sendable {
  /// Where they begin, counted from the file's first byte.
  public let firstByte: Int
  /// How many bytes they take; nil where that is not told.
  public let byteCount: Int?
  /// Bytes of a frame, which is a sample of each channel; 1 … 32.
  public let frameByteCount: Int
  /// Frames in a second.
  public let rate: SampleRate

  /// Bytes of a packet, but for the last one: as many whole frames as fit.
  var packetByteCount: Int { WavReader.packetByteCount / frameByteCount * frameByteCount }

  /// Where they end; nil where that is not told.
  var end: Int? { byteCount.map { firstByte.clampedSum($0) } }

  /// The number of the frame that begins at `byte`, or that the byte belongs to.
  func frame(at byte: Int) -> Int { (byte - firstByte) / frameByteCount }
}
