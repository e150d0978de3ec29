import Blocks
import Units

struct OggHeaders {
  private static let maxRetainedBytes = CodecSetup.maxBytes

  /// nil until the headers suffice to measure audio packets.
  private(set) var parameters: OggCodecParameters?
  private(set) var setup: CodecSetup?
  private(set) var tags = StreamTags()
  private(set) var areComplete = false
  /// True if the Vorbis setup header is invalid or too large.
  private(set) var areUnplayable = false
  private var remainingCount: Int?
  private var identification: Identification
  private var comments: VorbisComments?

  private enum Identification {
    case vorbis(VorbisHead, [UInt8])
    case opus
    case flac
  }

  enum PacketKind: BitwiseCopyable {
    case header
    case audio
    case nothing
  }

  init?(_ first: Span<UInt8>) {
    if let head = VorbisHead(first) {
      identification = .vorbis(head, Self.copy(first.extracting(0..<VorbisHead.byteCount)))
    } else if let head = OpusHead(first) {
      identification = .opus
      (parameters, setup, remainingCount) = (.opus(head), CodecSetup(.opus, [Self.copy(first)]), 1)
    } else {
      // FLAC-to-Ogg mapping 1.0: version, number of headers, "fLaC", STREAMINFO block.
      guard first.matches("\u{7F}FLAC\u{1}"), first.matches("fLaC", at: 9),
        first.count >= 17 + FlacStreamInfo.byteCount,
        first[13] & 0x7F == 0
      else { return nil }
      let block = first.extracting(17..<17 + FlacStreamInfo.byteCount)
      guard let info = FlacStreamInfo(block) else { return nil }
      let count = Int(first[7]) << 8 | Int(first[8])
      identification = .flac
      (parameters, setup, remainingCount) = (
        .flac(info), CodecSetup(.flac, [Self.copy(block)]), count == 0 ? nil : count
      )
    }
  }

  /// `start`: the whole packet or at least its first 255 bytes, since only its last segment is shorter.
  func classify(_ start: Span<UInt8>) -> PacketKind {
    switch identification {
    case .vorbis: start.count > 0 && start[0] & 1 == 1 ? .header : .nothing
    case .opus: start.count == 0 ? .nothing : start.matches("OpusTags") ? .header : .audio
    case .flac: start.count == 0 ? .nothing : start[0] == 0xFF ? .audio : .header
    }
  }

  /// Appends a piece of a header. Returns the maximum number of header bytes to retain for `finishHeader`.
  mutating func append(_ part: Span<UInt8>, isStart: Bool) -> Int {
    let skipped = isStart ? commentsStart(part) : 0
    if isStart { comments = skipped == nil ? nil : VorbisComments() }
    if let skipped { comments?.process(part.extracting(min(skipped, part.count)..<part.count)) }
    // Vorbis alone needs a second header, its setup.
    if case .vorbis = identification, comments == nil { return Self.maxRetainedBytes }
    return 0
  }

  private func commentsStart(_ start: Span<UInt8>) -> Int? {
    switch identification {
    case .vorbis: start.matches("\u{3}vorbis") ? 7 : nil
    case .opus: 8
    // FLAC comment block, after its own 4-byte header.
    case .flac: start[0] & 0x7F == 4 ? 4 : nil
    }
  }

  /// Completes the header passed to `append`. `header`: its retained bytes. `isWhole`: true if no byte was dropped.
  mutating func finishHeader(_ header: Span<UInt8>, isWhole: Bool) {
    if let comments { tags = comments.tags }
    comments = nil
    switch identification {
    case .vorbis(let head, let first):
      if header.matches("\u{5}vorbis") {
        guard isWhole, first.count + header.count <= CodecSetup.maxBytes,
          let defined = VorbisSetup(header, channels: Int(head.channels))
        else { return areUnplayable = true }
        setup = CodecSetup(.vorbis, [first, Self.copy(header)])
        parameters = .vorbis(head, defined)
        areComplete = true
      }
    case .opus:
      areComplete = true
    case .flac:
      remainingCount = remainingCount.map { $0 - 1 }
      areComplete = remainingCount == 0
    }
  }

  mutating func replaceTags(by other: OggHeaders) { tags = other.tags }

  /// Ends the headers because audio began or headers were lost. The result is complete if the audio format is known.
  mutating func end() { (areComplete, comments) = (parameters != nil, nil) }

  private static func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
