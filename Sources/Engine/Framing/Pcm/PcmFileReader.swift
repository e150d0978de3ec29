import Blocks
import Units

/// Splits the samples of a file of PCM into packets, from its beginning, or from any byte if the headers are known.
/// Another file of the same form may follow. Without a data length, all following bytes are samples.
/// One thread at a time.
struct PcmFileReader: StreamFramer, ~Copyable {
  /// Maximum packet length in bytes: the size of a block minus a packet's record. A packet has whole frames.
  static let packetByteCount = 5_032

  private enum Stage {
    case beginning
    case search
    case chunk
    case body(PcmChunk)
    case start(PcmExtent)
    case data
    case refused
  }

  private enum Step { case goOn, needsMore, packet(Int) }

  private var window = ByteWindow(least: 16 << 10, most: 96 << 10)
  private var stage = Stage.beginning
  private let form: any PcmHead.Type
  /// First letters of a file.
  private let initials: [UInt8]
  private var head: (any PcmHead)?
  /// Number of bytes to skip.
  private var rest = 0
  /// Bytes of the chunk after the samples.
  private var tail = 0
  private var isFinal = false
  private var followsGap = false
  private var beginsFile = false
  private var hasStream = false
  private var hasSetup = false
  private var hasTags = false

  /// Bytes of garbage and incomplete frames skipped so far, without chunks.
  private(set) var skippedByteCount = 0
  /// Reason why the file cannot be played, such as a codec other than PCM; nil if no reason is known.
  private(set) var refusal: RefusedCodec?
  /// Position and size of the samples; nil before the first sample.
  private(set) var samples: PcmFacts?

  /// Creates a reader for the beginning of a file.
  init(_ form: any PcmHead.Type) {
    self.form = form
    initials = form.fileNames.map { UInt8($0 >> 24) }
  }

  /// Facts for a seek; nil before the first sample.
  var facts: FramedFacts? { samples.map { FramedFacts($0) } }

  /// Buffered bytes that are not processed yet.
  var heldByteCount: Int { window.count }

  /// Appends as many bytes as fit and returns their number, at least 1 after `next` returned `.needsMore`.
  mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a file that is finished")
    var passed = 0
    if window.isEmpty, rest > 0 {
      passed = min(rest, bytes.count)
      pass(passed)
    }
    return passed + window.append(bytes.extracting(passed..<bytes.count))
  }

  /// Marks the end of the file: the last packet may be shorter.
  mutating func finish() { isFinal = true }

  /// Remaining bytes of a tag or a chunk, which the caller may skip without reading.
  var absentByteCount: Int {
    if case .data = stage { return 0 }
    return window.isEmpty ? rest : 0
  }

  /// Skips the `absentByteCount` bytes.
  mutating func passAbsent() { pass(absentByteCount) }

  /// Restarts the reader. `followsGap`: value for the next packet. With `offset` > 0 the same file continues at that
  /// byte, with the facts from its headers and the packet boundaries of a full read.
  mutating func reset(followsGap: Bool, at offset: Int = 0) {
    window.reset(at: offset)
    rest = 0
    isFinal = false
    skippedByteCount = 0
    self.followsGap = followsGap
    guard offset > 0 else {
      stage = .beginning
      head = nil
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
  mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
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
    case .start(let extent): beginSamples(extent)
    case .data: measurePacket()
    case .refused: drop(window.count, as: .needsMore)
    }
  }

  private mutating func drop(_ count: Int, as step: Step) -> Step {
    window.drop(count)
    return step
  }
}

extension PcmFileReader {
  private enum Mark { case file(any PcmHead), tag(MetadataTag), cut, nothing }

  private static let fileHeaderByteCount = 12

  private func mark(at offset: Int) -> Mark {
    let bytes = window.storage.span.extracting(window.buffered)
    let rest = bytes.extracting(offset..<bytes.count)
    guard rest.count >= Self.fileHeaderByteCount else { return isFinal ? .nothing : .cut }
    if let head = form.init(rest) { return .file(head) }
    switch MetadataTag.search(rest, at: 0) {
    case .found(let tag): return .tag(tag)
    case .cut: return isFinal ? .nothing : .cut
    case .nothing: return .nothing
    }
  }

  private mutating func begin() -> Step {
    switch mark(at: 0) {
    case .file(let head):
      if head.isRefused { return refuse() }
      begin(head)
    case .tag(let tag): rest = tag.byteCount
    case .cut: return .needsMore
    case .nothing: stage = .search
    }
    return .goOn
  }

  private mutating func search() -> Step {
    guard !window.isEmpty else { return .needsMore }
    var count = 0
    while count < window.count {
      if initials.contains(window.storage[window.buffered.lowerBound + count]) {
        switch mark(at: count) {
        case .file(let head) where !head.isRefused:
          skip(count)
          begin(head)
          return .goOn
        case .cut:
          skip(count)
          return .needsMore
        case .file, .tag, .nothing: break
        }
      }
      count += 1
    }
    skip(count)
    return .needsMore
  }

  private mutating func begin(_ head: any PcmHead) {
    window.drop(Self.fileHeaderByteCount)
    stage = .chunk
    self.head = head
    samples = nil
    beginsFile = hasStream
    hasStream = true
    hasSetup = false
    hasTags = false
  }

  private mutating func refuse() -> Step {
    stage = .refused
    refusal = .other
    return .goOn
  }

  /// Reads a chunk header. After the samples, another file or a tag may begin.
  private mutating func readHeader() -> Step {
    guard window.count >= PcmChunk.headerByteCount else { return .needsMore }
    let chunk = PcmChunk(window.storage.span.extracting(window.buffered), isBigEndian: form.isBigEndian)
    let isData = samples == nil && head?.isData(chunk) == true
    if isData, head?.layout == nil { return refuse() }
    if form.fileNames.contains(chunk.name) {
      stage = .beginning
      return .goOn
    }
    if !chunk.isNamed {
      stage = .search
      return .goOn
    }
    if samples != nil {
      switch mark(at: 0) {
      case .cut: return .needsMore
      case .tag(let tag):
        rest = tag.byteCount
        return .goOn
      case .file, .nothing: break
      }
    }
    window.drop(PcmChunk.headerByteCount)
    let retained = samples == nil ? head?.retainedByteCount(chunk) ?? 0 : 0
    if isData || retained > 0 { stage = .body(chunk) } else { rest = chunk.paddedByteCount }
    return .goOn
  }

  private mutating func read(_ chunk: PcmChunk) -> Step {
    guard var head else { return .goOn }
    let count = head.retainedByteCount(chunk)
    guard window.count >= count else { return .needsMore }
    head.read(chunk, window.storage.span.extracting(window.buffered).extracting(first: count))
    self.head = head
    window.drop(count)
    if head.isData(chunk) {
      guard let extent = head.extent(chunk) else { return refuse() }
      (stage, rest) = (.start(extent), extent.lead)
      return .goOn
    }
    rest = chunk.paddedByteCount - count
    stage = .chunk
    return head.layout == nil && !head.setup.isEmpty ? refuse() : .goOn
  }

  private mutating func beginSamples(_ extent: PcmExtent) -> Step {
    guard let layout = head?.layout else { return .goOn }
    samples = PcmFacts(
      firstByte: window.position, byteCount: extent.byteCount, frameByteCount: layout.frameByteCount,
      rate: layout.sampleRate)
    tail = extent.tail
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

extension PcmFileReader {
  private mutating func nextHeadItem() -> Framed? {
    if !hasSetup {
      hasSetup = true
      return .setup(CodecSetup(.pcm, [head?.setup ?? []]))
    }
    guard !hasTags else { return nil }
    hasTags = true
    return .tags(head?.tags ?? StreamTags())
  }

  private mutating func measurePacket() -> Step {
    guard let samples else { return .needsMore }
    let left = samples.end.map { max(0, $0 - window.position) }
    let packet = min(samples.packetByteCount, left ?? .max)
    if left == 0 {
      stage = .chunk
      rest = tail
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
    guard let samples, let layout = head?.layout else { return }
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
