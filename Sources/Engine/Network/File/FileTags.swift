import Framing
import Http

/// The title of a file, from tags before or after its sound. A value.
struct FileTags {
  private(set) var title: ExternalTitle?
  /// Last bytes of a local file, until its headers are known.
  private var lastBytes: [UInt8]?
  /// Container, and number of bytes after the samples of a WAV or AIFF file, if these may be chunks.
  private var chunks: (form: StreamContainer, byteCount: Int)?

  private static let minChunksByteCount = 16

  /// `localTail`: the last bytes of a local file.
  init(localTail: [UInt8]?) {
    title = localTail.flatMap { Self.title(in: $0.span) }
    lastBytes = localTail
  }

  /// Number of bytes that may be chunks; nil without chunks.
  var chunksByteCount: Int? { chunks?.byteCount }

  /// True if the title may be in chunks after the samples.
  var areInChunks: Bool { title == nil && chunks != nil }

  mutating func record(_ found: ExternalTitle?) { title = found ?? title }

  mutating func record(_ facts: FramedFacts, form: StreamContainer?, byteCount: Int?) {
    guard let form, let end = facts.endOfSamples, let byteCount, byteCount - end >= Self.minChunksByteCount else {
      return
    }
    chunks = (form, byteCount - end)
  }

  mutating func removeLastBytes() -> [UInt8]? { lastBytes.take() }

  /// Evaluates the last bytes of the file. Returns true if they have the title.
  mutating func evaluate(tail: Span<UInt8>) -> Bool {
    guard title == nil else { return false }
    title = chunks.map { Self.title(in: tail, of: $0.form) } ?? Self.title(in: tail)
    return title != nil
  }

  private static func title(in tail: Span<UInt8>) -> ExternalTitle? {
    guard let tag = Id3Reader.parseLastTag(in: tail), let title = tag.title else { return nil }
    return ExternalTitle(artist: tag.artist, track: title, url: nil)
  }

  private static func title(in chunks: Span<UInt8>, of form: StreamContainer) -> ExternalTitle? {
    guard let tags = TrailingChunks.tags(in: chunks, of: form), let track = tags.title else { return nil }
    return ExternalTitle(artist: tags.artist, track: track, url: nil)
  }
}
