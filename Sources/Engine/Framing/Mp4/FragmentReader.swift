/// Extracts the audio from fragmented MP4 (ISO 14496-12; CMAF, ISO 23000-19; HLS segments with `EXT-X-MAP`), as ADTS or
/// MPEG audio frames. Buffers `moov`, `moof` and `emsg`, up to 64 KiB each; skips all other boxes. Reserves memory
/// once, in `init`, except for a few entries of each new `moov`. One thread at a time.
public struct FragmentReader: ~Copyable {
  static var maxBoxByteCount: Int { 65_536 }

  private enum Part {
    case header
    case gathered(BoxType, rest: Int)
    case passed(rest: Int64)
    /// Content of an `mdat`; `Int64.max` means to the end of the stream.
    case media(rest: Int64)
  }

  private var part = Part.header
  /// Bytes processed since `reset`.
  private var position: Int64 = 0
  private var scanner = BoxScanner()
  private var buffer = [UInt8](repeating: 0, count: Self.maxBoxByteCount)
  private var bufferedCount = 0

  private var track: AudioTrack?
  private var table = SampleTable()
  private var fragmentStart: Int64 = 0
  private var refersToLargerFile = false
  private var hasFragment = false
  private var description = SampleDescription.refused(.other)
  private var mediaEnd: Int64 = 0
  private var sampleRest: Int64 = 0
  private var adtsHeader = [UInt8](repeating: 0, count: 7)

  /// Reason why the stream cannot be played; nil if no reason is known.
  public private(set) var refusal: RefusedCodec?
  /// Start time of the first fragment with audio since `reset`; nil before this fragment or if it states no time.
  public private(set) var firstTime: FragmentTime?
  private var tagDueTime: EventMessage.DueTime?
  /// Number of `moov`, `moof` and `emsg` boxes that were skipped because they are longer than `maxBoxByteCount`.
  public private(set) var oversizedBoxCount = 0
  /// Dropped audio samples: above 8,192 of individual size per fragment, or longer than 8,184 bytes with ADTS.
  public private(set) var droppedSampleCount: Int64 = 0

  /// Creates a reader that has not received a `moov`.
  public init() {}

  /// Starts a new segment: discards an incomplete box or sample, and the times. The last `moov` remains valid.
  public mutating func reset() {
    part = .header
    position = 0
    scanner = BoxScanner()
    table.removeAll()
    sampleRest = 0
    hasFragment = false
    (firstTime, tagDueTime) = (nil, nil)
  }

  /// True if the boxes are undamaged and describe audio, which may follow long boxes such as those of pictures.
  public var announcesAudio: Bool { track != nil && !scanner.isSearching }

  /// Delay of the last tags after the segment's first audio, in seconds; nil if a time is unknown.
  public var tagDelay: Double? {
    switch tagDueTime {
    case nil: nil
    case .relative(let delay): delay.seconds
    case .absolute(let moment): firstTime.map { moment.seconds - $0.seconds }
    }
  }

  /// Processes bytes. `audio` receives ADTS or MPEG frames in pieces of any size, `tag` complete timed ID3 tags.
  public mutating func read(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      let left = bytes.count - place
      switch part {
      case .header:
        position += 1
        if let header = scanner.process(bytes[place]) { beginBox(header) }
        place += 1
      case .gathered(let type, let rest):
        let count = min(rest, left)
        appendToBuffer(bytes.extracting(place..<place + count))
        place += count
        part = count == rest ? .header : .gathered(type, rest: rest - count)
        if count == rest { processBox(type, tag: tag) }
      case .passed(let rest):
        let count = Int(min(rest, Int64(left)))
        position += Int64(count)
        place += count
        part = count == rest ? .header : .passed(rest: rest == .max ? rest : rest - Int64(count))
      case .media(let rest):
        let count = Int(min(rest, Int64(left)))
        deliverSamples(bytes.extracting(place..<place + count), audio: audio)
        place += count
        part = count == rest ? .header : .media(rest: rest == .max ? rest : rest - Int64(count))
      }
    }
  }

  private mutating func beginBox(_ header: BoxScanner.Header) {
    let count = header.contentByteCount.flatMap { Int64(exactly: $0) } ?? .max
    part = count == 0 ? .header : .passed(rest: count)
    switch header.type {
    case .mdat where count > 0:
      let (end, isOver) = position.addingReportingOverflow(count)
      mediaEnd = isOver ? .max : end
      table.alignRuns(in: position..<mediaEnd, behind: fragmentStart, isElsewhere: refersToLargerFile)
      part = .media(rest: count)
    case .moov, .moof, .emsg:
      if header.type == .moof {
        table.removeAll()
        fragmentStart = position - header.byteCount
      }
      gather(header.type, count)
    default: break
    }
  }

  /// A `moov` that is too long invalidates the track.
  private mutating func gather(_ type: BoxType?, _ count: Int64) {
    bufferedCount = 0
    if count > 0, count <= Self.maxBoxByteCount, let type {
      part = .gathered(type, rest: Int(count))
    } else {
      if count > 0 { oversizedBoxCount += 1 }
      if type == .moov { removeTrack(.other) }
    }
  }

  private mutating func appendToBuffer(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { buffer[bufferedCount + index] = bytes[index] }
    bufferedCount += bytes.count
    position += Int64(bytes.count)
  }

  private mutating func processBox(_ type: BoxType, tag: (Span<UInt8>) -> Void) {
    // Shares the memory without a copy: `buffer` is not written while `held` exists.
    let held = buffer
    let content = held.span.extracting(0..<bufferedCount)
    switch type {
    case .moov:
      switch AudioTrack.read(content) {
      case .track(let found):
        table.removeAll()
        (track, refusal) = (found, nil)
      case .refused(let codec): removeTrack(codec)
      }
    case .emsg:
      guard let message = EventMessage(content) else { break }
      tagDueTime = message.dueTime
      tag(content.extracting(message.tags))
    default: if let track { processFragment(content, track) }
    }
  }

  private mutating func processFragment(_ moof: Span<UInt8>, _ track: AudioTrack) {
    let fragment = MovieFragment(moof, at: fragmentStart, track: track, table: &table)
    guard let index = fragment.description else { return }
    droppedSampleCount += min(fragment.droppedSampleCount, .max - droppedSampleCount)
    refersToLargerFile = fragment.refersToLargerFile
    description = track.description(index)
    refusal = description.refusal
    if refusal != nil { table.removeAll() }
    if !hasFragment, track.timescale > 0 {
      firstTime = fragment.decodeTime.map { FragmentTime(value: $0, timescale: track.timescale) }
    }
    hasFragment = true
  }

  private mutating func removeTrack(_ codec: RefusedCodec) {
    table.removeAll()
    track = nil
    refusal = codec
  }

  private mutating func deliverSamples(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      let left = bytes.count - place
      var count = left
      if sampleRest > 0 {
        count = Int(min(sampleRest, Int64(left)))
        audio(bytes.extracting(place..<place + count))
        sampleRest -= Int64(count)
      } else if let sample = table.peek(at: position, end: mediaEnd) {
        count = Int(min(sample.distance, Int64(left)))
        if sample.distance == 0 { beginSample(sample.byteCount, audio: audio) }
      }
      place += count
      position += Int64(count)
    }
  }

  private mutating func beginSample(_ byteCount: UInt32, audio: (Span<UInt8>) -> Void) {
    table.pass(byteCount)
    if case .aac(let config) = description {
      guard config.writeAdtsHeader(payloadByteCount: Int(clamping: byteCount), into: &adtsHeader) else {
        droppedSampleCount += min(1, .max - droppedSampleCount)
        return
      }
      audio(adtsHeader.span)
    }
    sampleRest = Int64(byteCount)
  }
}
