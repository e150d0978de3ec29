import Blocks

/// The header of a file of PCM: a start of 12 bytes, then chunks until the samples.
protocol PcmHead {
  /// Parses the first 12 bytes; nil if no such file begins here.
  init?(_ start: Span<UInt8>)

  /// True for a known variant that is not played.
  var isRefused: Bool { get }
  /// The chunk that describes the samples, for the decoder; empty before that chunk.
  var setup: [UInt8] { get }
  /// Nil before the chunk that describes the samples, or if they are not played.
  var layout: PcmLayout? { get }
  var tags: StreamTags { get }

  /// The names with which such a file begins.
  static var fileNames: [UInt32] { get }
  static var isBigEndian: Bool { get }

  /// Returns the number of bytes that `read` needs; 0 for unused chunks.
  func retainedByteCount(_ chunk: PcmChunk) -> Int

  /// Processes the retained bytes of a chunk.
  mutating func read(_ chunk: PcmChunk, _ bytes: Span<UInt8>)

  /// True for a chunk of tags.
  func hasTags(_ chunk: PcmChunk) -> Bool

  /// True for the chunk that contains the samples.
  func isData(_ chunk: PcmChunk) -> Bool

  /// Returns the place of the samples in their chunk, after the retained bytes; nil if it is impossible.
  func extent(_ chunk: PcmChunk) -> PcmExtent?
}

/// The place of the samples in their chunk.
struct PcmExtent {
  /// Bytes before the samples.
  var lead = 0
  /// Length of the samples in bytes; nil if unknown.
  var byteCount: Int?
  /// Bytes after the samples.
  var tail = 0
}

extension PcmHead {
  /// Returns the tags of an ID3v2 tag in a chunk, which may be cut at any byte.
  static func id3Tags(_ bytes: Span<UInt8>) -> StreamTags {
    var reader = Id3Reader()
    reader.append(bytes)
    return StreamTags(title: reader.title, artist: reader.artist)
  }

  static func text(_ bytes: Span<UInt8>) -> String? {
    let end: Int = bytes.indices.first(where: { bytes[$0] == 0 }) ?? bytes.count
    let text = DisplayText.clean(MetadataText.decode(bytes.extracting(0..<end)), characterLimit: 256)
    return text.isEmpty ? nil : text
  }
}
