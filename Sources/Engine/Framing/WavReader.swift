import Blocks
import Units

/// Cuts the samples of a WAV file into packets, from its beginning or, where its headers are known, from any byte on;
/// RF64 and BW64 too. Another file may follow.
///
/// Where no length is told, all that follows is sound. One thread at a time.
public struct WavReader: ~Copyable {
  /// A packet is as many whole frames as fit into so many bytes: what a block holds, less a packet's record.
  public static let packetByteCount = 5_032

  private enum Stage {
    /// Nothing came but tags.
    case beginning
    /// No file begins at the first held byte, or what is there is of none.
    case search
    /// A chunk's header is awaited.
    case chunk
    /// What is kept of a chunk is awaited.
    case body(WavChunk)
    case data
    /// Nothing more is read.
    case refused
  }

  private enum Step { case goOn, needsMore, packet(Int) }

  private var window = ByteWindow(least: 16 << 10, most: 96 << 10)
  private var stage = Stage.beginning
  private var head = WavHead(isLong: false)
  /// Bytes that are of no use and still come.
  private var rest = 0
  private var isFinal = false
  private var followsGap = false
  private var beginsFile = false
  private var hasStream = false
  private var hasSetup = false
  private var hasTags = false

  /// Bytes of garbage skipped so far, and of frames that were cut off; chunks are not among them.
  public private(set) var skippedByteCount = 0
  /// Why nothing of it is played: another codec than PCM. Nil while nothing speaks against it.
  public private(set) var refusal: RefusedCodec?
  /// Where its samples stand; nil before they begin.
  public private(set) var facts: WavFacts?

  /// A reader at the beginning of a file.
  public init() {}

  /// Bytes that came and belong to nothing yet.
  public var heldByteCount: Int { window.count }

  /// Takes as many bytes as fit, and says how many; at least one after `next` returned `needsMore`.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a file that is finished")
    var passed = 0
    if window.isEmpty, rest > 0 {
      passed = min(rest, bytes.count)
      pass(passed)
    }
    return passed + window.append(bytes.extracting(passed..<bytes.count))
  }

  /// Says that no more bytes will come, so that the last packet may be shorter.
  public mutating func finish() { isFinal = true }

  /// Bytes of a tag or a chunk that have not come yet, and need not: they may be passed unread.
  public var absentByteCount: Int {
    if case .data = stage { return 0 }
    return window.isEmpty ? rest : 0
  }

  /// Passes them; the file goes on behind them.
  public mutating func passAbsent() { pass(absentByteCount) }

  /// Begins again; `followsGap` is what the next packet tells even where nothing is missing. With `offset` > 0 it is
  /// the same file, read from that byte on: what its headers told is kept, and the first packet is cut where it would
  /// be if all was read.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    window.reset(at: offset)
    (rest, isFinal, skippedByteCount, self.followsGap) = (0, false, 0, followsGap)
    guard offset > 0 else {
      (stage, head, facts, refusal) = (.beginning, WavHead(isLong: false), nil, nil)
      (beginsFile, hasStream, hasSetup, hasTags) = (false, false, false, false)
      return
    }
    guard refusal == nil else { return }
    guard let facts, facts.end.map({ offset < $0 }) ?? true else { return stage = .search }
    stage = .data
    let packet = facts.packetByteCount
    rest = offset <= facts.firstByte ? facts.firstByte - offset : packet - 1 - (offset - facts.firstByte - 1) % packet
    if let end = facts.end { rest = min(rest, end - offset) }
  }

  /// What comes next; a packet goes to `body`, in place, and is dropped.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      if rest > 0, !passHeld() { return .needsMore }
      if case .data = stage, let told = tellHead() { return told }
      switch step() {
      case .goOn: continue
      case .needsMore: return .needsMore
      case .packet(let count):
        hand(count, to: body)
        return .packet
      }
    }
  }

  /// Deals with what stands at the first held byte.
  private mutating func step() -> Step {
    switch stage {
    case .beginning: begin()
    case .search: search()
    case .chunk: readHeader()
    case .body(let chunk): read(chunk)
    case .data: cut()
    case .refused: drop(window.count, as: .needsMore)
    }
  }

  private mutating func drop(_ count: Int, as step: Step) -> Step {
    window.drop(count)
    return step
  }
}

// Chunks.

extension WavReader {
  private enum Mark { case file(isLong: Bool), tag(MetadataTag), refused, cut, nothing }

  private static let fileHeaderByteCount = 12

  /// What file or tag begins at a byte of the held ones.
  private func mark(at offset: Int) -> Mark {
    let bytes = window.storage.span.extracting(window.held)
    let rest = bytes.extracting(offset..<bytes.count)
    guard rest.count >= Self.fileHeaderByteCount else { return isFinal ? .nothing : .cut }
    if rest.holds("WAVE", at: 8) {
      switch WavChunk.Name(rest) {
      case .riff: return .file(isLong: false)
      case .rf64, .bw64: return .file(isLong: true)
      case .rifx: return .refused
      default: break
      }
    }
    switch MetadataTag.search(rest, at: 0) {
    case .found(let tag): return .tag(tag)
    case .cut: return isFinal ? .nothing : .cut
    case .nothing: return .nothing
    }
  }

  private mutating func begin() -> Step {
    switch mark(at: 0) {
    case .file(let isLong): beginFile(isLong: isLong)
    case .tag(let tag): rest = tag.byteCount
    case .refused: refuse()
    case .cut: return .needsMore
    case .nothing: stage = .search
    }
    return .goOn
  }

  /// Skips to where a file begins.
  private mutating func search() -> Step {
    guard !window.isEmpty else { return .needsMore }
    var count = 0
    while count < window.count {
      let byte = window.storage[window.held.lowerBound + count]
      if byte == UInt8(ascii: "R") || byte == UInt8(ascii: "B") {
        switch mark(at: count) {
        case .file(let isLong):
          skip(count)
          beginFile(isLong: isLong)
          return .goOn
        case .cut:
          skip(count)
          return .needsMore
        case .refused, .tag, .nothing: break
        }
      }
      count += 1
    }
    skip(count)
    return .needsMore
  }

  private mutating func beginFile(isLong: Bool) {
    window.drop(Self.fileHeaderByteCount)
    (stage, head, facts) = (.chunk, WavHead(isLong: isLong), nil)
    (beginsFile, hasStream, hasSetup, hasTags) = (hasStream, true, false, false)
  }

  private mutating func refuse() {
    stage = .refused
    refusal = .other
  }

  /// Reads a chunk's header; behind the samples another file may begin, or a tag.
  private mutating func readHeader() -> Step {
    guard window.count >= WavChunk.headerByteCount else { return .needsMore }
    let chunk = WavChunk(window.storage.span.extracting(window.held))
    switch chunk.name {
    case .data where facts == nil: return beginData(chunk)
    case .riff, .rf64, .bw64, .rifx:
      stage = .beginning
      return .goOn
    case _ where !chunk.isNamed:
      stage = .search
      return .goOn
    default: break
    }
    if facts != nil {
      switch mark(at: 0) {
      case .cut: return .needsMore
      case .tag(let tag):
        rest = tag.byteCount
        return .goOn
      case .file, .refused, .nothing: break
      }
    }
    window.drop(WavChunk.headerByteCount)
    if chunk.keptByteCount > 0, facts == nil { stage = .body(chunk) } else { rest = chunk.paddedByteCount }
    return .goOn
  }

  private mutating func read(_ chunk: WavChunk) -> Step {
    let count = chunk.keptByteCount
    guard window.count >= count else { return .needsMore }
    head.take(chunk, window)
    window.drop(count)
    rest = chunk.paddedByteCount - count
    stage = .chunk
    if head.layout == nil, !head.formatBytes.isEmpty { refuse() }
    return .goOn
  }

  private mutating func beginData(_ chunk: WavChunk) -> Step {
    guard let layout = head.layout else {
      refuse()
      return .goOn
    }
    window.drop(WavChunk.headerByteCount)
    facts = WavFacts(
      firstByte: window.position, byteCount: head.dataByteCount(chunk), frameByteCount: layout.frameByteCount,
      rate: layout.sampleRate)
    stage = .data
    return .goOn
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

  private mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    window.drop(count)
    skippedByteCount += count
    followsGap = true
  }
}

// Samples.

extension WavReader {
  /// The set-up and the tags, once for each file.
  private mutating func tellHead() -> Framed? {
    if !hasSetup {
      hasSetup = true
      return .setup(CodecSetup(.pcm, [head.formatBytes]))
    }
    guard !hasTags else { return nil }
    hasTags = true
    return .tags(head.tags)
  }

  /// Finds how long the next packet is.
  private mutating func cut() -> Step {
    guard let facts else { return .needsMore }
    let left = facts.end.map { max(0, $0 - window.position) }
    let packet = min(facts.packetByteCount, left ?? .max)
    if left == 0 {
      stage = .chunk
      rest = (facts.byteCount ?? 0) & 1
      return .goOn
    }
    guard window.count >= packet || isFinal else { return .needsMore }
    let count = min(packet, window.count)
    guard count > 0 else { return .needsMore }
    let whole = count / facts.frameByteCount * facts.frameByteCount
    if whole > 0 { return .packet(whole) }
    // A part of a frame is the last that there is.
    window.drop(count)
    skippedByteCount += count
    return .goOn
  }

  private mutating func hand(_ count: Int, to body: (PacketInfo, Span<UInt8>) -> Void) {
    guard let facts, let layout = head.layout else { return }
    let format = PacketFormat(codec: .pcm, sampleRate: layout.sampleRate, channels: UInt8(clamping: layout.channels))
    var info = PacketInfo(
      format: format, byteCount: count,
      duration: StreamTime(frames: FrameCount(count / layout.frameByteCount), at: layout.sampleRate),
      byteOffset: window.position, followsGap: followsGap)
    info.beginsFile = beginsFile
    info.firstFrame = facts.frame(at: window.position)
    let first = window.held.lowerBound
    body(info, window.storage.span.extracting(first..<first + count))
    window.drop(count)
    (followsGap, beginsFile) = (false, false)
  }
}
