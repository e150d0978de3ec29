/// Takes the sound out of fragmented MP4 (ISO 14496-12; CMAF, ISO 23000-19; HLS' `EXT-X-MAP` and its segments).
///
/// Access units of AAC get an ADTS header; frames of MPEG audio go on as they are. `moov`, `moof` and `emsg` are
/// gathered, up to 64 KiB each; all other boxes are passed over. Memory is reserved once, at `init`, but for the few
/// entries of a new `moov`. One thread at a time.
public struct FragmentReader: ~Copyable {
  /// The most content of a box that is gathered, in bytes.
  static var longestBox: Int { 65_536 }

  private enum Part {
    /// The header of a box, or after damage the search for one.
    case header
    /// Content that is gathered.
    case gathered(BoxType, rest: Int)
    /// Content that is passed over.
    case passed(rest: Int64)
    /// The content of an `mdat`; `Int64.max` is to the end.
    case media(rest: Int64)
  }

  private var part = Part.header
  /// Bytes since `reset`.
  private var position: Int64 = 0
  private var scanner = BoxScanner()
  private var buffer = [UInt8](repeating: 0, count: Self.longestBox)
  private var heldCount = 0

  private var track: SoundTrack?
  private var table = SampleTable()
  private var fragmentStart: Int64 = 0
  private var isElsewhere = false
  private var hasBegun = false
  private var description = SampleDescription.refused(.other)
  /// Where the `mdat` ends, since `reset`.
  private var mediaEnd: Int64 = 0
  /// Bytes of the sample that is being handed on.
  private var sampleRest: Int64 = 0
  private var adtsHeader = [UInt8](repeating: 0, count: 7)

  /// Why what it found cannot be played; nil while nothing speaks against it.
  public private(set) var refusal: RefusedCodec?
  /// When the first fragment with sound since `reset` begins; nil before there was one, or if it does not say.
  public private(set) var firstTime: FragmentTime?
  /// When the tags are due that came last since `reset`; nil before there were any.
  private var tagMoment: EventMessage.Moment?
  /// Boxes `moov`, `moof` and `emsg` that were passed over because they are longer than `longestBox`.
  public private(set) var oversizedBoxCount = 0
  /// Samples of the sound that were not handed on: more than a fragment may have (8,192 with sizes of their own), or
  /// longer than an ADTS header can say (8,184 bytes).
  public private(set) var droppedSampleCount: Int64 = 0

  /// A reader that knows no `moov` yet.
  public init() {}

  /// Forgets a box and a sample that are cut off, and the times: a new segment begins. What the last `moov` said
  /// holds on.
  public mutating func reset() {
    part = .header
    position = 0
    scanner = BoxScanner()
    table.removeAll()
    sampleRest = 0
    hasBegun = false
    (firstTime, tagMoment) = (nil, nil)
  }

  /// How long after the segment's first sound the tags are due that came last, in seconds; nil where that is not told.
  public var tagDelay: Double? {
    switch tagMoment {
    case nil: nil
    case .later(let delay): delay.seconds
    case .absolute(let moment): firstTime.map { moment.seconds - $0.seconds }
    }
  }

  /// Takes bytes; sound goes to `audio` as ADTS or MPEG frames in any pieces, timed ID3 tags to `tag`, whole.
  public mutating func read(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      let left = bytes.count - place
      switch part {
      case .header:
        position += 1
        if let header = scanner.take(bytes[place]) { begin(header) }
        place += 1
      case .gathered(let type, let rest):
        let count = min(rest, left)
        hold(bytes.extracting(place..<place + count))
        place += count
        part = count == rest ? .header : .gathered(type, rest: rest - count)
        if count == rest { open(type, tag: tag) }
      case .passed(let rest):
        let count = Int(min(rest, Int64(left)))
        position += Int64(count)
        place += count
        part = count == rest ? .header : .passed(rest: rest == .max ? rest : rest - Int64(count))
      case .media(let rest):
        let count = Int(min(rest, Int64(left)))
        play(bytes.extracting(place..<place + count), audio: audio)
        place += count
        part = count == rest ? .header : .media(rest: rest == .max ? rest : rest - Int64(count))
      }
    }
  }

  /// Goes on with the content behind a header.
  private mutating func begin(_ header: BoxScanner.Header) {
    let count = header.contentByteCount.flatMap { Int64(exactly: $0) } ?? .max
    part = count == 0 ? .header : .passed(rest: count)
    switch header.type {
    case .mdat where count > 0:
      let (end, isOver) = position.addingReportingOverflow(count)
      mediaEnd = isOver ? .max : end
      table.place(in: position..<mediaEnd, behind: fragmentStart, isElsewhere: isElsewhere)
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

  /// Gathers content, unless it is too long. What the last `moov` said holds until a new one is read.
  private mutating func gather(_ type: BoxType?, _ count: Int64) {
    heldCount = 0
    if count > 0, count <= Self.longestBox, let type {
      part = .gathered(type, rest: Int(count))
    } else {
      if count > 0 { oversizedBoxCount += 1 }
      if type == .moov { forgetTrack(.other) }
    }
  }

  private mutating func hold(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { buffer[heldCount + index] = bytes[index] }
    heldCount += bytes.count
    position += Int64(bytes.count)
  }

  /// Reads a box whose content is gathered.
  private mutating func open(_ type: BoxType, tag: (Span<UInt8>) -> Void) {
    // A second name for the same memory, which is not written to before this one is gone.
    let held = buffer
    let content = held.span.extracting(0..<heldCount)
    switch type {
    case .moov:
      switch SoundTrack.read(content) {
      case .track(let found):
        table.removeAll()
        (track, refusal) = (found, nil)
      case .refused(let codec): forgetTrack(codec)
      }
    case .emsg:
      guard let message = EventMessage(content) else { break }
      tagMoment = message.moment
      tag(content.extracting(message.tags))
    default: if let track { openFragment(content, track) }
    }
  }

  private mutating func openFragment(_ moof: Span<UInt8>, _ track: SoundTrack) {
    let fragment = MovieFragment(moof, at: fragmentStart, track: track, table: &table)
    guard let index = fragment.description else { return }
    droppedSampleCount += min(fragment.droppedSampleCount, .max - droppedSampleCount)
    isElsewhere = fragment.isElsewhere
    description = track.description(index)
    refusal = description.refusal
    if refusal != nil { table.removeAll() }
    if !hasBegun, track.timescale > 0 {
      firstTime = fragment.decodeTime.map { FragmentTime(value: $0, timescale: track.timescale) }
    }
    hasBegun = true
  }

  private mutating func forgetTrack(_ codec: RefusedCodec) {
    table.removeAll()
    track = nil
    refusal = codec
  }

  /// Hands on the samples in `bytes` of an `mdat`, from `position` on.
  private mutating func play(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void) {
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
