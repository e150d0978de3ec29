/// The progress of a file's download, and the reaction to each of its responses. A value.
struct FileProgress: Hashable {
  enum Stage: Hashable {
    /// Reading the file's head, to map seconds to bytes. `parts`: insufficient parts so far. `tags`: unread tags.
    case head(parts: Int, tags: Int)
    /// Searching a joined file for its parts. The value is the number of bytes to read.
    case probe(Int)
    /// Reading a few packets at a position further on, because the head does not show the average bit rate.
    case sample(Int)
    case window
  }

  private(set) var stage: Stage
  /// Consecutive responses that ended too early, without new bytes.
  private var barrenEnds = 0
  /// True if the rest of the file is searched for its first packet.
  private var searchesRest = false

  /// Bytes in a part of the head: enough for the VBR header of any encoder, and usually for sixteen packets.
  static let headPartByteCount = 8_192
  /// Maximum parts without a packet, tags not counted.
  static let maxHeadParts = 16
  /// Maximum parts with valid headers only: these may contain a picture.
  static let maxHeaderParts = 256
  /// Bytes in a part of the head after the first four parts.
  static let longHeadPartByteCount = 65_536
  /// Maximum number of tags that are too long to be read.
  static let maxPassedTags = 16
  static let samplePartByteCount = 4_096
  static let maxSamples = 3
  /// Number of responses that must end at the same byte to prove that the file ends there.
  static let maxBarrenEnds = 3

  init(readsHead: Bool) { stage = readsHead ? .head(parts: 0, tags: 0) : .window }

  var isAtHead: Bool { if case .head = stage { true } else { false } }

  var isProbing: Bool { if case .probe = stage { true } else { false } }

  /// True if a few bytes further on are read, which do not play.
  var isSampling: Bool { if case .sample = stage { true } else { isProbing } }

  var isAtWindow: Bool { stage == .window }

  var isBarren: Bool { barrenEnds > 0 }

  /// Maximum number of bytes to request; nil for all that follow.
  var partByteCount: Int? {
    switch stage {
    case .head where searchesRest: nil
    case .head(let parts, _): parts < 4 ? Self.headPartByteCount : Self.longHeadPartByteCount
    case .probe(let byteCount): byteCount
    case .sample: Self.samplePartByteCount
    case .window: nil
    }
  }

  // MARK: Steps

  mutating func nextSample() -> Int? {
    let done = if case .sample(let number) = stage { number } else { 0 }
    guard done < Self.maxSamples else { return nil }
    stage = .sample(done + 1)
    barrenEnds = 0
    return done + 1
  }

  mutating func beginProbe(_ byteCount: Int) { (stage, barrenEnds) = (.probe(byteCount), 0) }

  mutating func endSampling() { if isSampling { stage = .sample(Self.maxSamples) } }

  mutating func beginWindow() { (stage, barrenEnds) = (.window, 0) }

  mutating func advance() { barrenEnds = 0 }

  // MARK: End of a response

  enum Turn: Hashable, CaseIterable, Sendable {
    /// The server does not deliver samples.
    case unsampled
    /// The file ends at the requested byte.
    case end
    case changed
    case coded
  }

  struct End: Hashable {
    /// The radio's own reason for ending the response.
    enum Verdict: Hashable, CaseIterable, Sendable {
      /// 404 or 410.
      case gone
      case badContent
      case other
    }

    enum Close: Hashable, CaseIterable, Sendable {
      case complete
      case passing
      case final
    }

    var turn: Turn?
    var verdict: Verdict?
    var close = Close.complete
    /// True if all bytes of the file have arrived; nil if its length is unknown.
    var isWhole: Bool?
    var isAnswered = true
    var hasNewBytes = true
    var isUnderWay = false
  }

  enum Reaction: Hashable {
    case openWindow
    case endHead
    case finish
    /// The file is complete, but shorter than announced by its server.
    case finishShort
    /// End the programme after the buffered audio.
    case giveUp(Cause)
    case retry(Cause)
  }

  enum Cause: Hashable {
    case changed
    case coded
    case verdict
    case broken
    /// The connection ended before the file was complete; reported as a fault.
    case closed
  }

  mutating func end(_ end: End) -> Reaction {
    switch end.turn {
    case .end: return .finish
    case .changed: return .giveUp(.changed)
    case .coded: return .giveUp(.coded)
    case .unsampled: endSampling()
    case nil: break
    }
    if isSampling {
      if end.verdict != nil { endSampling() }
      return .openWindow
    }
    switch end.verdict {
    case .gone: return .giveUp(.verdict)
    // A request from another byte would also return noise or other content.
    case .badContent where end.isUnderWay: return .giveUp(.verdict)
    case .badContent, .other: return .retry(.verdict)
    case nil: break
    }
    if end.close == .final { return .giveUp(.broken) }
    if isAtHead { return end.close == .complete ? .endHead : .retry(.broken) }
    if end.isWhole ?? (end.close == .complete) { return .finish }
    if !end.hasNewBytes, end.isAnswered { barrenEnds += 1 }
    return barrenEnds >= Self.maxBarrenEnds ? .finishShort : .retry(.closed)
  }

  // MARK: Head

  enum Content: Hashable, CaseIterable, Sendable {
    case audio
    /// Headers without audio so far.
    case headers
    case list
    case refused
    case unknown
  }

  enum HeadReaction: Hashable {
    case openWindow
    case requestMore
    case requestList
    case openList
    case refuse
    case noAudio
  }

  /// `hasTag`: true if the part ends in a tag too long to read. `isWholeBehindTag`: true if that tag ends the file.
  mutating func endHead(_ content: Content, hasTag: Bool, isWhole: Bool, isWholeBehindTag: Bool) -> HeadReaction {
    guard case .head(var parts, var tags) = stage else { return .openWindow }
    switch content {
    case .list: return isWhole ? .openList : .requestList
    case .refused: return .refuse
    case .audio, .headers, .unknown: break
    }
    if hasTag { tags += 1 }
    if !hasTag, !isWholeBehindTag { parts += 1 }
    stage = .head(parts: parts, tags: tags)
    // `audio` without a packet is garbage, such as padding.
    searchesRest = content == .audio && parts >= Self.maxHeadParts
    if isWholeBehindTag { return content == .audio ? .openWindow : .noAudio }
    return parts > (content == .headers ? Self.maxHeaderParts : Self.maxHeadParts) || tags > Self.maxPassedTags
      ? .noAudio : .requestMore
  }
}
