/// What follows from a case: when its data stands still, how long it is, and when sound is due.
struct StallPlan: Sendable {
  let item: StallCase
  let gathering: Gathering

  init(_ item: StallCase) {
    self.item = item
    var gathering = Gathering(isLive: item.source == .live, isFixed: item.isFixed, blocks: item.blocks)
    gathering.byteRate = Double(item.kilobits) * 125
    if let wait = item.wait { (gathering.waitLive, gathering.waitFile) = (wait, wait) }
    self.gathering = gathering
  }

  var isLive: Bool { item.source == .live }

  /// Seconds that a live server sends at once on each connection.
  static let burst = 1.5

  /// Seconds of sound that come before the stall, in the file or stream in which it is.
  var before: Double {
    switch item.moment {
    case .start: 0.5
    case .at(let seconds): seconds
    // What is told again has to be longer than what may be dropped of it.
    case .midst where isLive, .end where isLive:
      gathering.start + (item.restart == .same || item.restart == .loop ? 8 : 3)
    case .midst: item.source == .list ? 0 : gathering.start + 3
    case .end: (files.last ?? 0) - 0.3
    }
  }

  /// Seconds of each file; none where it is live.
  var files: [Double] {
    if isLive { return [] }
    if case .at(let seconds) = item.moment, item.source != .list { return [seconds + gathering.refill + 5] }
    if item.source == .list { return [gathering.start + 4, gathering.start + 4.5] }
    return [item.moment == .end ? gathering.start + 5 : gathering.start + gathering.refill + 7]
  }

  /// In which of the files the stall is.
  var stalledFile: Int { item.source == .list && (item.moment == .midst || item.moment == .end) ? 1 : 0 }

  /// Whether the stall is before the answer, not in its midst.
  var stallsAnswer: Bool { item.source == .list && item.moment == .midst }

  /// Seconds of all files.
  var whole: Double { files.reduce(0, +) }

  /// How fast a live server's connection or a file's comes in the long run.
  var pace: Double { isLive ? min(1, item.line) : item.line }

  /// In how many seconds so much sound comes at the latest, before the stall or after it.
  func seconds(toGather sound: Double, isAfterStall: Bool) -> Double {
    guard isLive, isAfterStall, backlog > 0 else { return sound / pace }
    // What a live server could not send during the stall comes at the line's pace, and the rest as it is made.
    return max(sound / item.line, sound - item.stall)
  }

  /// Seconds of sound that a live server's connection has at once when its line is there again and fast.
  var backlog: Double {
    isLive && item.line > 1 && item.restart == .none && item.moment != .end ? item.line * item.stall : 0
  }

  /// What must be gathered before sound is due.
  func gather(hasSounded: Bool, isNewConnection: Bool) -> Double {
    if !hasSounded { return gathering.start }
    return isNewConnection ? gathering.afterReconnect : gathering.refill
  }

  /// No case lasts longer.
  var longest: Double {
    let sound = isLive ? before + gathering.start + 2 * gathering.refill + 20 : whole + 2 * gathering.start
    return 2 * sound / min(1, item.line) + item.stall + 60
  }
}

/// What must be held before sound begins or comes back (R2.2), in seconds: the rule by itself, so that a table can
/// check it and the table of stalls can hold the radio to it.
struct Gathering: Sendable {
  var isLive = true
  var isFixed = false
  var waitLive = 10.0
  var waitFile = 3.0
  /// What a file's download is allowed to be ahead, beside `waitFile` (R2.3).
  var throttleBypass = 0.0
  var blocks = 1_200
  /// Bytes a second of the sound.
  var byteRate = 16_000.0

  /// Blocks that the writer keeps free for what a read brings.
  static let blocksKeptFree = 12
  static let blockByteCount = 5_120

  /// Seconds that the ring holds unheard.
  var room: Double { Double((blocks - Self.blocksKeptFree) * Self.blockByteCount) / byteRate }

  /// Seconds that come before the transfer is made to wait.
  var throttle: Double { isLive ? max(20, waitLive) : max(waitFile, throttleBypass) }

  private var most: Double { min(room, throttle) }

  /// Before the first sound.
  var start: Double { min(isLive ? (isFixed ? waitLive : min(1, waitLive)) : waitFile, most) }

  /// After starving on a living connection.
  var refill: Double { min(7, isLive ? waitLive : waitFile, most) }

  /// After starving when the connection was made anew, under both policies: who lost a station has waited already.
  var afterReconnect: Double { min(1, isLive ? waitLive : waitFile, most) }
}
