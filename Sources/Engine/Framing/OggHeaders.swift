import Blocks
import Units

/// The header packets of a logical stream, of a codec that is played, while they come.
struct OggHeaders {
  /// So many bytes of a header are kept.
  private static let mostKeptBytes = CodecSetup.mostBytes

  /// What is known of the packets of sound; nil until that is enough.
  private(set) var sound: OggSound?
  /// What a decoder needs; nil until it came.
  private(set) var setup: CodecSetup?
  /// What the comments say.
  private(set) var tags = StreamTags()
  /// All headers came that will come.
  private(set) var areComplete = false
  /// What came cannot be played.
  private(set) var areUnfit = false
  /// Headers that still come; nil where that is not told.
  private var left: Int?
  private var identification: Identification
  /// The comments, while they come.
  private var comments: VorbisComments?

  private enum Identification {
    case vorbis(VorbisHead, [UInt8])
    case opus
    case flac
  }

  /// What a packet is that begins so.
  enum Expectation: BitwiseCopyable {
    /// A header, which `take` takes.
    case header
    /// The first packet of sound: all headers came.
    case sound
    /// Something that is of no use.
    case nothing
  }

  /// Headers that begin with `first`, the first packet of a logical stream; nil where that is of another codec, or
  /// tells what cannot be.
  init?(_ first: Span<UInt8>) {
    if let head = VorbisHead(first) {
      identification = .vorbis(head, Self.copy(first.extracting(0..<VorbisHead.byteCount)))
    } else if let head = OpusHead(first) {
      identification = .opus
      (sound, setup, left) = (.opus(head), CodecSetup(.opus, [Self.copy(first)]), 1)
    } else {
      // The mapping of FLAC to Ogg, 1.0: its version, the number of headers, "fLaC", a block of STREAMINFO.
      guard first.holds("\u{7F}FLAC\u{1}"), first.holds("fLaC", at: 9), first.count >= 17 + FlacStreamInfo.byteCount,
        first[13] & 0x7F == 0
      else { return nil }
      let block = first.extracting(17..<17 + FlacStreamInfo.byteCount)
      guard let info = FlacStreamInfo(block) else { return nil }
      let count = Int(first[7]) << 8 | Int(first[8])
      identification = .flac
      (sound, setup, left) = (.flac(info), CodecSetup(.flac, [Self.copy(block)]), count == 0 ? nil : count)
    }
  }

  /// What the packet is that begins with these bytes; that there are fewer than nine, where it has more, does not
  /// happen: the pieces of a packet have 255 bytes.
  func expects(_ start: Span<UInt8>) -> Expectation {
    switch identification {
    case .vorbis: start.count > 0 && start[0] & 1 == 1 ? .header : .nothing
    case .opus: start.count == 0 ? .nothing : start.holds("OpusTags") ? .header : .sound
    case .flac: start.count == 0 ? .nothing : start[0] == 0xFF ? .sound : .header
    }
  }

  /// A header begins, or goes on, with these bytes; how many bytes of it are to be kept for `take`.
  mutating func append(_ part: Span<UInt8>, isStart: Bool) -> Int {
    let skipped = isStart ? commentsStart(part) : 0
    if isStart { comments = skipped == nil ? nil : VorbisComments() }
    if let skipped { comments?.take(part.extracting(min(skipped, part.count)..<part.count)) }
    // Of the others only the set-up of Vorbis is wanted.
    if case .vorbis = identification, comments == nil { return Self.mostKeptBytes }
    return 0
  }

  /// Where the comments begin in a header that begins so; nil where it is another one.
  private func commentsStart(_ start: Span<UInt8>) -> Int? {
    switch identification {
    case .vorbis: start.holds("\u{3}vorbis") ? 7 : nil
    case .opus: 8
    // A block of comments, behind the four bytes of its own head.
    case .flac: start[0] & 0x7F == 4 ? 4 : nil
    }
  }

  /// The header came that `append` took: its first bytes, as many as were kept, and whether they are all.
  mutating func take(_ header: Span<UInt8>, isWhole: Bool) {
    if let comments { tags = comments.tags }
    comments = nil
    switch identification {
    case .vorbis(let head, let first):
      if header.holds("\u{5}vorbis") {
        guard isWhole, first.count + header.count <= CodecSetup.mostBytes,
          let defined = VorbisSetup(header, channels: Int(head.channels))
        else { return areUnfit = true }
        setup = CodecSetup(.vorbis, [first, Self.copy(header)])
        sound = .vorbis(head, defined)
        areComplete = true
      }
    case .opus:
      areComplete = true
    case .flac:
      left = left.map { $0 - 1 }
      areComplete = left == 0
    }
  }

  /// Sound came, or headers were lost: what can do without more is complete.
  mutating func end() { (areComplete, comments) = (sound != nil, nil) }

  private static func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
