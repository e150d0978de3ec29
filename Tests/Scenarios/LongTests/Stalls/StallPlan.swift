/// What follows from a case: when its data stands still, how long it is, and when sound is due.
struct StallPlan: Sendable {
  let item: StallCase
  let gathering: Gathering

  init(_ item: StallCase) {
    self.item = item
    var gathering = Gathering(isLive: item.isLive, isFixed: item.isFixed, blocks: item.blocks)
    gathering.byteRate = StallMaterial.byteRate(item.kilobits)
    if let wait = item.wait { (gathering.waitLive, gathering.waitFile) = (wait, wait) }
    self.gathering = gathering
  }

  var isLive: Bool { item.isLive }

  /// Whether it is played by HLS.
  var isSegmented: Bool { item.source == .segments || item.source == .finished }

  /// Whether the station begins anew after the stall.
  var beginsAnew: Bool { item.restart != .none && item.restart != .pause }

  /// Whether no more segments are made during the stall, whatever is asked for.
  var stallsPackager: Bool { item.source == .segments && item.restart == .pause }

  /// Whether the stall begins with a request for the list of an HLS station.
  var stallsList: Bool { item.source == .segments && (item.moment == .end || stallsPackager) }

  /// Seconds after the first list when that is.
  var untilList: Double {
    if item.moment == .start { return 0 }
    let backlog = Double(StallPackager.distance) * StallPackager.length
    return max(gathering.start / item.line, gathering.start - backlog + StallPackager.length) + 3
  }

  /// Seconds that a live server sends at once on each connection.
  static let burst = 1.5

  /// Seconds of sound that come before the stall, in the file or stream in which it is.
  var before: Double {
    switch item.moment {
    case .start: 0.5
    case .at(let seconds): seconds
    // All that an HLS station has at once, and more.
    case .midst where item.source == .segments, .end where item.source == .segments:
      max(gathering.start, Double(StallPackager.distance) * StallPackager.length) + 5
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

  /// Seconds of an HLS segment that come twice, where its data stands still and it is asked for again.
  var again: Double {
    guard isSegmented, !stallsList, !beginsAnew else { return 0 }
    return before.truncatingRemainder(dividingBy: StallPackager.length)
  }

  /// Whether the stall is before the answer, not in its midst.
  var stallsAnswer: Bool { item.source == .list && item.moment == .midst }

  /// Seconds of all files.
  var whole: Double { files.reduce(0, +) }

  /// How fast a live server's connection or a file's comes in the long run.
  var pace: Double { item.source == .live ? min(1, item.line) : item.line }

  /// In how many seconds so much sound comes at the latest, before the stall or after it.
  /// `isCaughtUp` says whether all that an HLS station listed before is played.
  func seconds(toGather sound: Double, isAfterStall: Bool, isCaughtUp: Bool) -> Double {
    if item.source == .segments { return segmentSeconds(sound, isAfterStall, isCaughtUp) }
    guard isLive, isAfterStall, backlog > 0 else { return sound / pace }
    // What a live server could not send during the stall comes at the line's pace, and the rest as it is made.
    return max(sound / item.line, sound - item.stall)
  }

  /// The same for a live HLS station, whose list is asked for again after half a target duration or a second.
  private func segmentSeconds(_ sound: Double, _ isAfterStall: Bool, _ isCaughtUp: Bool) -> Double {
    let length = StallPackager.length
    // Each segment costs a request.
    let byLine = sound / pace * 1.1
    // What is listed at once: at the begin, of what was made during a stall, of a station that begins anew.
    var listed = isAfterStall ? 0 : StallPackager.distance
    if isAfterStall, !isCaughtUp { listed = beginsAnew ? 1 : item.restart == .none ? Int(item.stall / length) : 0 }
    let awaited = Int((sound / length).rounded(.up)) - listed
    guard awaited > 0 else { return byLine }
    return max(byLine, Double(awaited) * length + Self.listPause + min(sound, length) / pace)
  }

  /// Seconds until a list that stayed as it was is asked for again.
  private static let listPause = 1.0

  /// Seconds of sound that a live server's connection has at once when its line is there again and fast.
  var backlog: Double {
    item.source == .live && item.line > 1 && item.restart == .none && item.moment != .end ? item.line * item.stall : 0
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
