import Units

/// Position and size of the samples in a file of PCM.
struct PcmFacts: Hashable, Sendable {
  /// Offset of the first sample in the file, in bytes.
  let firstByte: Int
  /// Length of all samples in bytes; nil if unknown.
  let byteCount: Int?
  /// Bytes per frame (one sample per channel), 1 … 64.
  let frameByteCount: Int
  /// Frames per second.
  let rate: SampleRate

  var packetByteCount: Int { PcmFileReader.packetByteCount / frameByteCount * frameByteCount }

  var end: Int? { byteCount.map { firstByte.clampedSum($0) } }

  func frame(at byte: Int) -> Int { (byte - firstByte) / frameByteCount }
}
