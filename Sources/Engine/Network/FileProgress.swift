/// How far a file's download is, and what follows on each of its answers. A value.
struct FileProgress: Hashable {
  /// What is being done.
  enum Stage: Hashable {
    /// A little of the file's head is read, to know where its seconds lie: so many parts of it were not enough, and so
    /// many tags were passed over unread.
    case head(parts: Int, tags: Int)
    /// A few packets are read at one of several places, since the head does not tell how long the rest is.
    case sample(Int)
    /// What comes goes into the ring.
    case window
  }

  private(set) var stage: Stage
  /// Answers in a row that ended too early and brought nothing new.
  private var barrenEnds = 0

  /// A part of the head: enough for the figures of any encoder, and for sixteen packets of most.
  static let headPartByteCount = 8_192
  /// A head longer than so many parts, tags not counted, has no packets.
  static let mostHeadParts = 16
  /// The same of headers that are well in order: they may hold a picture.
  static let mostHeaderParts = 256
  /// So much is asked for at once where the first parts did not do.
  static let longHeadPartByteCount = 65_536
  /// A head with more tags than this, each too long to be read, is no audio.
  static let mostPassedTags = 16
  /// What is read at a place, and at how many.
  static let samplePartByteCount = 4_096
  static let mostSamples = 3
  /// So many answers that end at the same byte say that the file does.
  static let mostBarrenEnds = 3

  /// A file of which the head is read first, or one that comes as a whole.
  init(readsHead: Bool) { stage = readsHead ? .head(parts: 0, tags: 0) : .window }

  /// Whether the head is read.
  var isAtHead: Bool { if case .head = stage { true } else { false } }

  /// Whether packets of a place are read.
  var isSampling: Bool { if case .sample = stage { true } else { false } }

  /// Whether what comes goes into the ring.
  var isAtWindow: Bool { stage == .window }

  /// Whether the last answer ended too early and brought nothing new.
  var isBarren: Bool { barrenEnds > 0 }

  /// What is asked for at most; nil where all that follows is.
  var partByteCount: Int? {
    switch stage {
    case .head(let parts, _): parts < 4 ? Self.headPartByteCount : Self.longHeadPartByteCount
    case .sample: Self.samplePartByteCount
    case .window: nil
    }
  }

  // MARK: Steps

  /// Goes to the next place to read a few packets from, and says which one that is; nil where there is none left.
  mutating func nextSample() -> Int? {
    let done = if case .sample(let number) = stage { number } else { 0 }
    guard done < Self.mostSamples else { return nil }
    stage = .sample(done + 1)
    barrenEnds = 0
    return done + 1
  }

  /// What is known has to do.
  mutating func endSampling() { if isSampling { stage = .sample(Self.mostSamples) } }

  /// What comes goes into the ring from now on.
  mutating func beginWindow() { (stage, barrenEnds) = (.window, 0) }

  /// Bytes came that were not there.
  mutating func advance() { barrenEnds = 0 }

  // MARK: The end of an answer

  /// What an answer's head alone decided.
  enum Turn: Hashable, CaseIterable, Sendable {
    /// Samples are not to be had.
    case unsampled
    /// The file ended before.
    case end
    /// It is another file now.
    case changed
    /// It is coded in another way than its beginning was.
    case coded
  }

  /// How an answer ended, and what came of it.
  struct End: Hashable {
    /// Why we ended it.
    enum Verdict: Hashable, CaseIterable, Sendable {
      /// The server has no such file: 404, 410.
      case gone
      /// What came is nothing that is played.
      case badContent
      case other
    }

    /// How its connection ended.
    enum Close: Hashable, CaseIterable, Sendable {
      case complete
      /// It broke; another one may do better.
      case passing
      case final
    }

    var turn: Turn?
    var verdict: Verdict?
    var close = Close.complete
    /// Whether all bytes of the file came; nil where it is not known how many these are.
    var isWhole: Bool?
    /// Whether the head of the answer came.
    var isAnswered = true
    /// Whether it brought bytes of the file that were not there.
    var hasBroughtNew = true
    /// Whether sound of the programme is in the ring.
    var isUnderWay = false
  }

  /// What follows on the end of an answer.
  enum Reaction: Hashable {
    /// What is known of the file has to do, or the next place is looked at.
    case openWindow
    /// What came of the head decides (`endHead`).
    case endHead
    /// All of it is there.
    case finish
    /// The file is shorter than its server says: all of it is there.
    case finishShort
    /// What is held plays to its end, and that is all.
    case giveUp(Cause)
    /// The rest is asked for again.
    case retry(Cause)
  }

  /// Why a file does not go on.
  enum Cause: Hashable {
    case changed
    case coded
    /// The reason for which we ended it.
    case verdict
    /// The connection failed.
    case broken
    /// The connection was closed, or failed, while the file was coming, which is told.
    case closed
  }

  /// What follows on the end of an answer.
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
    // What has turned into noise, or something else, is the same from any byte on.
    case .badContent where end.isUnderWay: return .giveUp(.verdict)
    case .badContent, .other: return .retry(.verdict)
    case nil: break
    }
    if end.close == .final { return .giveUp(.broken) }
    if isAtHead { return end.close == .complete ? .endHead : .retry(.broken) }
    if end.isWhole ?? (end.close == .complete) { return .finish }
    if !end.hasBroughtNew, end.isAnswered { barrenEnds += 1 }
    return barrenEnds >= Self.mostBarrenEnds ? .finishShort : .retry(.closed)
  }

  // MARK: The head

  /// What a part of the head turned out to be.
  enum Content: Hashable, CaseIterable, Sendable {
    case audio
    /// Headers, and no sound so far.
    case headers
    case list
    case refused
    /// Nothing so far.
    case unknown
  }

  /// What follows on a part of the head.
  enum HeadReaction: Hashable {
    case openWindow
    /// The next part of it is asked for.
    case askMore
    /// It is a list, which is asked for as a whole.
    case askList
    /// It is a list, and whole.
    case openList
    /// It is recognised, and not played.
    case refuse
    case noAudio
  }

  /// What follows on a part of the head that ended in such content, with a tag too long to be read or not; `isWhole`
  /// says whether it was all of the file, and `isWholeBehindTag` whether nothing follows that tag.
  mutating func endHead(_ content: Content, hasTag: Bool, isWhole: Bool, isWholeBehindTag: Bool) -> HeadReaction {
    guard case .head(var parts, var tags) = stage else { return .openWindow }
    switch content {
    case .list: return isWhole ? .openList : .askList
    case .refused: return .refuse
    case .audio, .headers, .unknown: break
    }
    if hasTag { tags += 1 }
    if !hasTag, !isWholeBehindTag { parts += 1 }
    stage = .head(parts: parts, tags: tags)
    if isWholeBehindTag { return content == .audio ? .openWindow : .noAudio }
    return parts > (content == .headers ? Self.mostHeaderParts : Self.mostHeadParts) || tags > Self.mostPassedTags
      ? .noAudio : .askMore
  }
}
