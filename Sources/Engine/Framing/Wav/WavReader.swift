import Blocks
import Units

/// Splits the samples of a WAV, RF64 or BW64 file into packets, from its beginning, or from any byte if the headers are
/// known. Another file may follow. Without a data length, all following bytes are samples. One thread at a time.
public struct WavReader: StreamFramer, ~Copyable {
  /// Maximum packet length in bytes: the size of a block minus a packet's record. A packet has whole frames.
  public static let packetByteCount = 5_032

  private enum Stage {
    case beginning
    case search
    case chunk
    case body(WavChunk)
    case data
    case refused
  }

  private enum Step { case goOn, needsMore, packet(Int) }

  private var window = ByteWindow(least: 16 << 10, most: 96 << 10)
  private var stage = Stage.beginning
  private var head = WavHead(isLong: false)
  /// Number of bytes to skip.
  private var rest = 0
  private var isFinal = false
  private var followsGap = false
  private var beginsFile = false
  private var hasStream = false
  private var hasSetup = false
  private var hasTags = false

  /// Bytes of garbage and incomplete frames skipped so far, without chunks.
  public private(set) var skippedByteCount = 0
  /// Reason why the file cannot be played, such as a codec other than PCM; nil if no reason is known.
  public private(set) var refusal: RefusedCodec?
  /// Position and size of the samples; nil before the first sample.
  public private(set) var samples: WavFacts?

  /// Creates a reader for the beginning of a file.
  public init() {}

  /// Facts for a seek; nil before the first sample.
  public var facts: FramedFacts? { samples.map { FramedFacts($0) } }

  /// Buffered bytes that are not processed yet.
  public var heldByteCount: Int { window.count }

  /// Appends as many bytes as fit and returns their number, at least 1 after `next` returned `.needsMore`.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a file that is finished")
    var passed = 0
    if window.isEmpty, rest > 0 {
      passed = min(rest, bytes.count)
      pass(passed)
    }
    return passed + window.append(bytes.extracting(passed..<bytes.count))
  }

  /// Marks the end of the file: the last packet may be shorter.
  public mutating func finish() { isFinal = true }

  /// Remaining bytes of a tag or a chunk, which the caller may skip without reading.
  public var absentByteCount: Int {
    if case .data = stage { return 0 }
    return window.isEmpty ? rest : 0
  }

  /// Skips the `absentByteCount` bytes.
  public mutating func passAbsent() { pass(absentByteCount) }

  /// Restarts the reader. `followsGap`: value for the next packet. With `offset` > 0 the same file continues at that
  /// byte, with the facts from its headers and the packet boundaries of a full read.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    window.reset(at: offset)
    rest = 0
    isFinal = false
    skippedByteCount = 0
    self.followsGap = followsGap
    guard offset > 0 else {
      stage = .beginning
      head = WavHead(isLong: false)
      samples = nil
      refusal = nil
      beginsFile = false
      hasStream = false
      hasSetup = false
      hasTags = false
      return
    }
    guard refusal == nil else { return }
    guard let samples, samples.end.map({ offset < $0 }) ?? true else { return stage = .search }
    stage = .data
    let packet = samples.packetByteCount
    rest =
      offset <= samples.firstByte
      ? samples.firstByte - offset : packet - 1 - (offset - samples.firstByte - 1) % packet
    if let end = samples.end { rest = min(rest, end - offset) }
  }

  /// Returns the next item. A packet is passed to `body` in place and removed.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      if rest > 0, !passHeld() { return .needsMore }
      if case .data = stage, let told = nextHeadItem() { return told }
      switch step() {
      case .goOn: continue
      case .needsMore: return .needsMore
      case .packet(let count):
        deliverPacket(count, to: body)
        return .packet
      }
    }
  }

  private mutating func step() -> Step {
    switch stage {
    case .beginning: begin()
    case .search: search()
    case .chunk: readHeader()
    case .body(let chunk): read(chunk)
    case .data: measurePacket()
    case .refused: drop(window.count, as: .needsMore)
    }
  }

  private mutating func drop(_ count: Int, as step: Step) -> Step {
    window.drop(count)
    return step
  }
}

extension WavReader {
  private enum Mark { case file(isLong: Bool), tag(MetadataTag), refused, cut, nothing }

  private static let fileHeaderByteCount = 12

  private func mark(at offset: Int) -> Mark {
    let bytes = window.storage.span.extracting(window.buffered)
    let rest = bytes.extracting(offset..<bytes.count)
    guard rest.count >= Self.fileHeaderByteCount else { return isFinal ? .nothing : .cut }
    if rest.matches("WAVE", at: 8) {
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

  private mutating func search() -> Step {
    guard !window.isEmpty else { return .needsMore }
    var count = 0
    while count < window.count {
      let byte = window.storage[window.buffered.lowerBound + count]
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
    stage = .chunk
    head = WavHead(isLong: isLong)
    samples = nil
    beginsFile = hasStream
    hasStream = true
    hasSetup = false
    hasTags = false
  }

  private mutating func refuse() {
    stage = .refused
    refusal = .other
  }

  /// Reads a chunk header. After the samples, another file or a tag may begin.
  private mutating func readHeader() -> Step {
    guard window.count >= WavChunk.headerByteCount else { return .needsMore }
    let chunk = WavChunk(window.storage.span.extracting(window.buffered))
    switch chunk.name {
    case .data where samples == nil: return beginData(chunk)
    case .riff, .rf64, .bw64, .rifx:
      stage = .beginning
      return .goOn
    case _ where !chunk.isNamed:
      stage = .search
      return .goOn
    default: break
    }
    if samples != nil {
      switch mark(at: 0) {
      case .cut: return .needsMore
      case .tag(let tag):
        rest = tag.byteCount
        return .goOn
      case .file, .refused, .nothing: break
      }
    }
    window.drop(WavChunk.headerByteCount)
    if chunk.retainedByteCount > 0, samples == nil { stage = .body(chunk) } else { rest = chunk.paddedByteCount }
    return .goOn
  }

  private mutating func read(_ chunk: WavChunk) -> Step {
    let count = chunk.retainedByteCount
    guard window.count >= count else { return .needsMore }
    head.read(chunk, window)
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
    samples = WavFacts(
      firstByte: window.position, byteCount: head.dataByteCount(chunk), frameByteCount: layout.frameByteCount,
      rate: layout.sampleRate)
    stage = .data
    return .goOn
  }

  private mutating func passHeld() -> Bool {
    let count = min(rest, window.count)
    window.drop(count)
    rest -= count
    return rest == 0
  }

  private mutating func pass(_ count: Int) {
    window.skipUnbuffered(count)
    rest -= count
  }

  private mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    window.drop(count)
    skippedByteCount += count
    followsGap = true
  }
}

extension WavReader {
  private mutating func nextHeadItem() -> Framed? {
    if !hasSetup {
      hasSetup = true
      return .setup(CodecSetup(.pcm, [head.formatBytes]))
    }
    guard !hasTags else { return nil }
    hasTags = true
    return .tags(head.tags)
  }

  private mutating func measurePacket() -> Step {
    guard let samples else { return .needsMore }
    let left = samples.end.map { max(0, $0 - window.position) }
    let packet = min(samples.packetByteCount, left ?? .max)
    if left == 0 {
      stage = .chunk
      rest = (samples.byteCount ?? 0) & 1
      return .goOn
    }
    guard window.count >= packet || isFinal else { return .needsMore }
    let count = min(packet, window.count)
    guard count > 0 else { return .needsMore }
    let whole = count / samples.frameByteCount * samples.frameByteCount
    if whole > 0 { return .packet(whole) }
    // An incomplete frame at the end of the file.
    window.drop(count)
    skippedByteCount += count
    return .goOn
  }

  private mutating func deliverPacket(_ count: Int, to body: (PacketInfo, Span<UInt8>) -> Void) {
    guard let samples, let layout = head.layout else { return }
    let format = PacketFormat(codec: .pcm, sampleRate: layout.sampleRate, channels: UInt8(clamping: layout.channels))
    var info = PacketInfo(
      format: format, byteCount: count,
      duration: StreamTime(frames: FrameCount(count / layout.frameByteCount), at: layout.sampleRate),
      byteOffset: window.position, followsGap: followsGap)
    info.beginsFile = beginsFile
    info.firstFrame = samples.frame(at: window.position)
    let first = window.buffered.lowerBound
    body(info, window.storage.span.extracting(first..<first + count))
    window.drop(count)
    (followsGap, beginsFile) = (false, false)
  }
}
