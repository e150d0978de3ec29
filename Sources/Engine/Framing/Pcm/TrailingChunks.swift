/// The chunks after the samples of a WAV or AIFF file.
public enum TrailingChunks {
  /// Maximum number of chunks, so that a file cannot waste CPU time.
  private static let maxCount = 256

  /// Returns the tags in the chunks; nil for other containers. `bytes`: the file from the end of its samples, which may
  /// be cut at any byte.
  public static func tags(in bytes: Span<UInt8>, of container: StreamContainer) -> StreamTags? {
    switch container {
    case .wav: WavHead(Array("RIFF\0\0\0\0WAVE".utf8).span).map { tags(in: bytes, $0) }
    case .aiff: AiffHead(Array("FORM\0\0\0\0AIFF".utf8).span).map { tags(in: bytes, $0) }
    case .packed, .latm, .transport, .fragments, .ogg, .flac: nil
    }
  }

  private static func tags<Head: PcmHead>(in bytes: Span<UInt8>, _ start: Head) -> StreamTags {
    var head = start
    // Some programs omit the padding byte after samples of odd length.
    var place = bytes.count > 0 && bytes[0] == 0 ? 1 : 0
    for _ in 0..<maxCount where bytes.count - place >= PcmChunk.headerByteCount {
      let chunk = PcmChunk(bytes.extracting(place..<bytes.count), isBigEndian: Head.isBigEndian)
      guard chunk.isNamed, !Head.fileNames.contains(chunk.name) else { break }
      place += PcmChunk.headerByteCount
      let left = bytes.count - place
      if head.hasTags(chunk) {
        head.read(chunk, bytes.extracting(place..<place + min(head.retainedByteCount(chunk), left)))
      }
      place += min(chunk.paddedByteCount, left)
    }
    return head.tags
  }
}
