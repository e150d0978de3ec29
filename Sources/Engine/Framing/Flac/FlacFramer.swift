import Blocks
import Units

/// Finds the frames of a FLAC stream without a container (RFC 9639), from its beginning or joined at any byte. Another
/// stream may follow any frame. A frame is accepted if its CRC-16 is valid and another frame, a tag, a stream or the
/// end follows. Damaged bytes are skipped. Memory grows with the longest frame, to 640 KiB. One thread at a time.
struct FlacFramer: StreamFramer, ~Copyable {
  /// Maximum length of a frame in bytes. A longer frame is damage.
  static let maxFrameByteCount = 512 << 10

  private var window = ByteWindow(least: 32 << 10, most: 640 << 10)
  private var scanner = FlacFrameScanner()
  private var head = FlacHead()
  private var isInHead = false
  private var unusedByteCount = 0
  private var isFinal = false
  /// True if a frame, a tag or a stream must start at the first buffered byte.
  private var isAtBorder = true
  private var followsGap = false
  private var (hasSetup, hasTags) = (false, false)
  /// `hasStream`: frames or headers have arrived. `beginsFile`: the next frame is the first of another stream.
  private var (hasStream, beginsFile) = (false, false)
  /// Number of the next frame if no frame is missing; nil if unknown.
  private var expectedNumber: Int?
  /// Samples per channel in each frame but the last; nil if unknown or variable.
  private var blockSize: Int?
  /// True if frames are numbered by samples without a mark in their headers.
  private var countsSamples = false

  /// Bytes of garbage and damaged frames skipped since the last reset. Tags and metadata do not count.
  private(set) var skippedByteCount = 0

  /// Creates a framer at the beginning of a stream.
  init() {}

  /// Number of buffered bytes that are not consumed yet.
  var heldByteCount: Int { window.count }

  /// Facts from the file's headers; nil before the first frame, or if the stream was joined after its headers.
  var headerFacts: FlacFacts? { head.facts }

  /// Facts for a seek; nil if `headerFacts` is nil.
  var facts: FramedFacts? { headerFacts.map { FramedFacts($0) } }

  /// Appends as many bytes as fit and returns their number; at least one after `next` returned `needsMore`.
  mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    var passed = 0
    if window.isEmpty, unusedByteCount > 0, !isInHead {
      passed = min(unusedByteCount, bytes.count)
      skipUnbuffered(passed)
    }
    return passed + window.append(bytes.extracting(passed..<bytes.count))
  }

  /// Marks the end of the stream. The last frame then needs no successor.
  mutating func finish() { isFinal = true }

  /// Number of unused bytes in a tag or metadata block that have not arrived and may be skipped unread.
  var absentByteCount: Int {
    window.isEmpty || holdsCutHeader ? max(0, unusedByteCount - window.count) : 0
  }

  /// True if the window contains only the last bytes of metadata, which may be the start of a frame header.
  private var holdsCutHeader: Bool { isInHead && window.count < FlacFrameHeader.maxByteCount }

  /// Skips the absent bytes; the next byte is the byte after them.
  mutating func passAbsent() {
    guard absentByteCount > 0 else { return }
    unusedByteCount -= window.count
    window.drop(window.count)
    skipUnbuffered(unusedByteCount)
  }

  /// Restarts the framer; `followsGap` marks the next frame even if no frame is missing. With `offset` > 0 the same
  /// file continues at that byte: the facts from its headers remain, and any byte may stand there.
  mutating func reset(followsGap: Bool, at offset: Int = 0) {
    window.reset(at: offset)
    scanner.reset()
    isInHead = false
    unusedByteCount = 0
    isFinal = false
    isAtBorder = offset == 0
    self.followsGap = followsGap
    expectedNumber = nil
    skippedByteCount = 0
    guard offset == 0 else { return }
    head = FlacHead()
    (blockSize, countsSamples) = (nil, false)
    hasSetup = false
    hasTags = false
    hasStream = false
    beginsFile = false
  }

  /// Returns the next result. A frame is passed to `body` in place, then removed.
  mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      if let told = nextHeadItem() { return told }
      if unusedByteCount > 0 {
        guard skipBuffered() else { return .needsMore }
        // A frame inside a metadata block ends the head.
        continue
      }
      if isInHead {
        if readHead() { continue }
        return .needsMore
      }
      if isAtBorder, scanner.isFresh(at: window.position) {
        switch checkBorder() {
        case .tag(let tag):
          unusedByteCount = tag.byteCount
          continue
        case .stream:
          beginStream()
          continue
        case .cut: return .needsMore
        case .nothing: break
        }
      }
      switch scanner.scan(window, known: knownFormat, isFinal: isFinal) {
      case .frame(let found):
        if adoptFormat(found.start) { continue }
        deliverPacket(found, to: body)
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

extension FlacFramer {
  private enum Border {
    case tag(MetadataTag)
    case stream, cut, nothing
  }

  private mutating func nextHeadItem() -> Framed? {
    guard !isInHead, head.info != nil else { return nil }
    if !hasSetup {
      hasSetup = true
      return .setup(CodecSetup(.flac, [head.infoBytes]))
    }
    guard !hasTags else { return nil }
    hasTags = true
    return .tags(head.tags)
  }

  private mutating func readHead() -> Bool {
    switch head.read(window) {
    case .read(let count, let more):
      window.drop(count)
      unusedByteCount = more
    case .over:
      isInHead = false
      head.firstByte = window.position
      if let sizes = head.info?.blockSizes, sizes.lowerBound == sizes.upperBound { blockSize = sizes.upperBound }
    case .frames(let count):
      window.drop(count)
      isInHead = false
      head.firstByte = window.position
    case .damaged: (isInHead, isAtBorder) = (false, false)
    case .needsMore: return false
    }
    return true
  }

  private func checkBorder() -> Border {
    let bytes = window.storage.span.extracting(window.buffered)
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

  private mutating func beginStream() {
    window.drop(FlacHead.magicByteCount)
    head = FlacHead()
    isInHead = true
    isAtBorder = true
    hasSetup = false
    hasTags = false
    (blockSize, countsSamples) = (nil, false)
    expectedNumber = nil
    beginsFile = hasStream
    hasStream = true
  }

  private mutating func skipBuffered() -> Bool {
    var count = min(unusedByteCount, window.count)
    if isInHead {
      if let frame = frameInMetadata(before: count) {
        window.drop(frame)
        (unusedByteCount, isInHead) = (0, false)
        head.firstByte = window.position
        return true
      }
      // The header of a frame may have arrived in part, also past the end of the block.
      if !isFinal { count = min(count, window.count - cutHeaderByteCount) }
    }
    window.drop(count)
    unusedByteCount -= count
    return unusedByteCount == 0
  }

  private func frameInMetadata(before limit: Int) -> Int? {
    head.frameStart(in: window.storage.span.extracting(window.buffered), before: limit)
  }

  /// Last bytes that may be the start of a frame header.
  private var cutHeaderByteCount: Int {
    FlacHead.cutHeaderByteCount(window.storage.span.extracting(window.buffered))
  }

  private mutating func skipUnbuffered(_ count: Int) {
    window.skipUnbuffered(count)
    unusedByteCount -= count
  }
}

extension FlacFramer {
  private var knownFormat: FlacFormat? { head.info.map { FlacFormat($0) } }

  /// Builds a set-up if the stream has none or the frame differs from it; returns false if the frame matches.
  private mutating func adoptFormat(_ start: FlacFrameScanner.Candidate) -> Bool {
    guard start.form != knownFormat else { return false }
    head.adopt(start.form.streamInfo(start.header))
    hasSetup = false
    (beginsFile, blockSize) = (beginsFile || expectedNumber != nil, nil)
    return head.info != nil
  }

  private mutating func deliverPacket(_ found: FlacFrameScanner.Found, to body: (PacketInfo, Span<UInt8>) -> Void) {
    let header = found.start.header
    skip(found.start.position - window.position)
    if let next = found.nextNumber, !header.hasVariableBlocks {
      countsSamples = header.blockSize > 1 && next != header.number + 1
      blockSize = header.blockSize
    }
    let format = PacketFormat(
      codec: .flac, sampleRate: found.start.form.sampleRate, channels: UInt8(clamping: header.channels))
    var info = PacketInfo(
      format: format, byteCount: found.byteCount,
      duration: StreamTime(frames: FrameCount(header.blockSize), at: format.sampleRate), byteOffset: window.position,
      followsGap: followsGap || expectedNumber.map { $0 != header.number } ?? false)
    info.beginsFile = beginsFile
    info.firstFrame = firstFrame(header, at: format.sampleRate)
    let first = window.buffered.lowerBound
    body(info, window.storage.span.extracting(first..<first + found.byteCount))
    window.drop(found.byteCount)
    isAtBorder = true
    followsGap = false
    beginsFile = false
    hasStream = true
    expectedNumber = found.nextNumber ?? found.start.nextNumber(countsSamples: countsSamples)
  }

  /// Nil if unknown, or if the time cannot be represented. `blockSize` ignores the last frame, which may be shorter.
  /// Frame numbers have 36 bits and block sizes 17, so the product cannot overflow.
  private func firstFrame(_ header: FlacFrameHeader, at rate: SampleRate) -> Int? {
    let size = header.hasVariableBlocks || countsSamples || header.number == 0 ? 1 : blockSize
    return size.map { header.number * $0 }.flatMap { StreamTime(checking: $0, at: rate) == nil ? nil : $0 }
  }

  private mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    window.drop(count)
    skippedByteCount += count
    (isAtBorder, followsGap) = (false, true)
  }
}
