import Blocks
import Units

/// Finds the frames of a FLAC stream that is in no container (RFC 9639), from its beginning or joined anywhere.
/// Another stream may follow behind any frame.
///
/// A frame is believed where its CRC-16 is right and the next one follows, or the stream ends. What is damaged is
/// skipped. Memory grows with the longest frame, to 640 KiB. One thread at a time.
public struct FlacFramer: ~Copyable {
  /// A longer frame, in bytes, is damage.
  static let longestFrame = 512 << 10

  private var window = ByteWindow(least: 32 << 10, most: 640 << 10)
  private var scanner = FlacFrameScanner()
  private var head = FlacHead()
  /// Whether metadata blocks are read.
  private var isInHead = false
  /// Bytes of a tag or block that are of no use and still come.
  private var rest = 0
  private var isFinal = false
  /// A frame, a tag or a stream must stand at the first held byte.
  private var isAtBorder = true
  private var followsGap = false
  private var (hasSetup, hasTags) = (false, false)
  /// Whether frames or headers of a stream came, and whether the next frame is the first of another.
  private var (hasStream, beginsFile) = (false, false)
  /// The number that the next frame has where none is missing.
  private var due: Int?
  /// Samples in a frame of a stream in which all have as many, but for the last.
  private var blockSize: Int?

  /// Bytes of garbage and of damaged frames skipped so far; tags and metadata are not among them.
  public private(set) var skippedByteCount = 0

  /// A framer at the beginning of a stream.
  public init() {}

  /// Bytes that came and belong to nothing yet.
  public var heldByteCount: Int { window.count }

  /// Nil: every FLAC stream that can be framed is played.
  public var refusal: RefusedCodec? { nil }

  /// What the headers tell of the file; nil before its first frame, and where it was joined behind them.
  public var facts: FlacFacts? { head.facts }

  /// Takes as many bytes as fit, and says how many; at least one after `next` returned `needsMore`.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    var passed = 0
    if window.isEmpty, rest > 0 {
      passed = min(rest, bytes.count)
      pass(passed)
    }
    return passed + window.append(bytes.extracting(passed..<bytes.count))
  }

  /// Says that no more bytes will come, so that the last frame needs no successor.
  public mutating func finish() { isFinal = true }

  /// Bytes of a tag or a metadata block that have not come yet, and need not: they may be passed unread.
  public var absentByteCount: Int { window.isEmpty ? rest : 0 }

  /// Passes them; the stream goes on behind them.
  public mutating func passAbsent() { if window.isEmpty { pass(rest) } }

  /// Begins again; `followsGap` is what the next frame tells even where nothing is missing. With `offset` > 0 it is
  /// the same file, read from that byte on: what its headers told is kept, and nothing need stand there.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    window.reset(at: offset)
    scanner.reset()
    (isInHead, rest, isFinal, isAtBorder) = (false, 0, false, offset == 0)
    (self.followsGap, due, skippedByteCount) = (followsGap, nil, 0)
    guard offset == 0 else { return }
    head = FlacHead()
    blockSize = nil
    (hasSetup, hasTags, hasStream, beginsFile) = (false, false, false, false)
  }

  /// What comes next; a frame goes to `body`, in place, and is dropped.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      if let told = tellHead() { return told }
      if rest > 0, !passHeld() { return .needsMore }
      if isInHead {
        if readHead() { continue }
        return .needsMore
      }
      if isAtBorder, scanner.isFresh(at: window.position) {
        switch lookAtBorder() {
        case .tag(let tag):
          rest = tag.byteCount
          continue
        case .stream:
          beginStream()
          continue
        case .cut: return .needsMore
        case .nothing: break
        }
      }
      switch scanner.scan(window, known: known, isFinal: isFinal) {
      case .frame(let found):
        if adopts(found.start) { continue }
        hand(found, to: body)
        return .packet
      case .stream(let count):
        skip(count)
        beginStream()
      case .garbage(let count): skip(count)
      case .needsMore: return .needsMore
      }
    }
  }
}

// The head of a stream, and what stands between frames.

extension FlacFramer {
  private enum Border {
    case tag(MetadataTag)
    case stream, cut, nothing
  }

  /// The set-up and the tags, once for each stream.
  private mutating func tellHead() -> Framed? {
    guard !isInHead, head.info != nil else { return nil }
    if !hasSetup {
      hasSetup = true
      return .setup(CodecSetup(.flac, [head.infoBytes]))
    }
    guard !hasTags else { return nil }
    hasTags = true
    return .tags(head.tags)
  }

  /// Reads a part of the head; false where more bytes are needed.
  private mutating func readHead() -> Bool {
    switch head.read(window) {
    case .read(let count, let more):
      window.drop(count)
      rest = more
    case .over:
      isInHead = false
      head.firstByte = window.position
      if let sizes = head.info?.blockSizes, sizes.lowerBound == sizes.upperBound { blockSize = sizes.upperBound }
    case .damaged: (isInHead, isAtBorder) = (false, false)
    case .needsMore: return false
    }
    return true
  }

  /// Looks for a tag or a stream at the first held byte.
  private func lookAtBorder() -> Border {
    let bytes = window.storage.span.extracting(window.held)
    guard bytes.count > 0, bytes[0] != 0xFF else { return .nothing }
    switch FlacHead.search(bytes) {
    case .found: return .stream
    case .cut: return isFinal ? .nothing : .cut
    case .nothing: break
    }
    switch MetadataTag.search(bytes, at: 0) {
    case .found(let tag): return .tag(tag)
    case .cut: return isFinal ? .nothing : .cut
    case .nothing: return .nothing
    }
  }

  /// Begins the stream whose mark stands at the first held byte.
  private mutating func beginStream() {
    window.drop(FlacHead.markByteCount)
    head = FlacHead()
    isInHead = true
    isAtBorder = true
    (hasSetup, hasTags, blockSize, due) = (false, false, nil, nil)
    (beginsFile, hasStream) = (hasStream, true)
  }

  /// Passes what is held of bytes that are of no use; false where more of them come.
  private mutating func passHeld() -> Bool {
    let count = min(rest, window.count)
    window.drop(count)
    rest -= count
    return rest == 0
  }

  /// Passes bytes that are of no use and were never held.
  private mutating func pass(_ count: Int) {
    window.pass(count)
    rest -= count
  }
}

// The frames.

extension FlacFramer {
  private var known: FlacForm? { head.info.map { FlacForm($0) } }

  /// Makes the set-up of a stream without one, or whose frames are unlike it; false where they are as it says.
  private mutating func adopts(_ start: FlacFrameScanner.Start) -> Bool {
    guard start.form != known else { return false }
    head.adopt(start.form.streamInfo(start.header))
    hasSetup = false
    (beginsFile, blockSize) = (beginsFile || due != nil, nil)
    return head.info != nil
  }

  private mutating func hand(_ found: FlacFrameScanner.Found, to body: (PacketInfo, Span<UInt8>) -> Void) {
    let header = found.start.header
    skip(found.start.position - window.position)
    if !header.hasVariableBlocks, found.isFollowed { blockSize = header.blockSize }
    let format = PacketFormat(
      codec: .flac, sampleRate: found.start.form.sampleRate, channels: UInt8(clamping: header.channels))
    var info = PacketInfo(
      format: format, byteCount: found.byteCount,
      duration: StreamTime(frames: FrameCount(header.blockSize), at: format.sampleRate), byteOffset: window.position,
      followsGap: followsGap || due.map { $0 != header.number } ?? false)
    info.beginsFile = beginsFile
    info.firstFrame = firstFrame(header, at: format.sampleRate)
    let first = window.held.lowerBound
    body(info, window.storage.span.extracting(first..<first + found.byteCount))
    window.drop(found.byteCount)
    (isAtBorder, followsGap, beginsFile, hasStream) = (true, false, false, true)
    due = found.start.nextNumber
  }

  /// Frames of one length are counted; the last one, which is shorter, tells nothing of the others. Numbers have 36
  /// bits and lengths 17, so the product is a number; one whose time cannot be counted is none.
  private func firstFrame(_ header: FlacFrameHeader, at rate: SampleRate) -> Int? {
    let size = header.hasVariableBlocks || header.number == 0 ? 1 : blockSize
    return size.map { header.number * $0 }.flatMap { StreamTime(checking: $0, at: rate) == nil ? nil : $0 }
  }

  private mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    window.drop(count)
    skippedByteCount += count
    (isAtBorder, followsGap) = (false, true)
  }
}
