import Blocks
import Units

/// The header packets of a logical stream, of a codec that is played, while they come.
struct OggHeaders {
  /// So many bytes of a header are kept: what is longer holds pictures.
  static let mostKeptBytes = CodecSetup.mostBytes

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

  /// Takes the next header, or its first bytes where it is longer than what is kept.
  mutating func take(_ header: Span<UInt8>, isWhole: Bool) {
    switch identification {
    case .vorbis(let head, let first):
      if header.holds("\u{3}vorbis") {
        tags = VorbisComments(header.extracting(7..<header.count)).tags
      } else if header.holds("\u{5}vorbis") {
        guard isWhole, first.count + header.count <= CodecSetup.mostBytes,
          let defined = VorbisSetup(header, channels: Int(head.channels))
        else { return areUnfit = true }
        setup = CodecSetup(.vorbis, [first, Self.copy(header)])
        sound = .vorbis(head, defined)
        areComplete = true
      }
    case .opus:
      tags = VorbisComments(header.extracting(min(8, header.count)..<header.count)).tags
      areComplete = true
    case .flac:
      // A block of comments, behind the four bytes of its own head.
      if header.count > 4, header[0] & 0x7F == 4 {
        tags = VorbisComments(header.extracting(4..<header.count)).tags
      }
      left = left.map { $0 - 1 }
      areComplete = left == 0
    }
  }

  /// Sound came, or headers were lost: what can do without more is complete.
  mutating func end() { areComplete = sound != nil }

  private static func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
