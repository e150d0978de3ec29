/// Derives from a case: the moment of the stall, the durations, and the time when audio is due.
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

  var isSegmented: Bool { item.source == .segments || item.source == .finished }

  /// True if the station restarts with new packets after the stall.
  var restarts: Bool { item.restart != .none && item.restart != .pause }

  var stallsPackager: Bool { item.source == .segments && item.restart == .pause }

  var stallsList: Bool { item.source == .segments && (item.moment == .end || stallsPackager) }

  /// Seconds from the first playlist request to the stall.
  var untilList: Double {
    if item.moment == .start { return 0 }
    let backlog = Double(StallPackager.distance) * StallPackager.length
    return max(gathering.start / item.line, gathering.start - backlog + StallPackager.length) + 3
  }

  /// Seconds that a live server sends at once on each connection.
  static let burst = 1.5

  /// Seconds of audio before the stall, in the stalled file or stream.
  var before: Double {
    switch item.moment {
    case .start: 0.5
    case .at(let seconds): seconds
    // More than the first playlist contains.
    case .midst where item.source == .segments, .end where item.source == .segments:
      max(gathering.start, Double(StallPackager.distance) * StallPackager.length) + 5
    // The repeated audio must be longer than the audio that may be dropped.
    case .midst where isLive, .end where isLive:
      gathering.start + (item.restart == .same || item.restart == .loop ? 8 : 3)
    case .midst: item.source == .list ? 0 : gathering.start + 3
    case .end: (files.last ?? 0) - 0.3
    }
  }

  /// Duration of each file in seconds; empty if live.
  var files: [Double] {
    if isLive { return [] }
    if case .at(let seconds) = item.moment, item.source != .list { return [seconds + gathering.refill + 5] }
    if item.source == .list { return [gathering.start + 4, gathering.start + 4.5] }
    return [item.moment == .end ? gathering.start + 5 : gathering.start + gathering.refill + 7]
  }

  var stalledFile: Int { item.source == .list && (item.moment == .midst || item.moment == .end) ? 1 : 0 }

  /// Seconds of an HLS segment that are repeated after a retry.
  var repeatedSeconds: Double {
    guard isSegmented, !stallsList, !restarts else { return 0 }
    return before.truncatingRemainder(dividingBy: StallPackager.length)
  }

  /// True if the stall comes before the response.
  var stallsAnswer: Bool { item.source == .list && item.moment == .midst }

  var whole: Double { files.reduce(0, +) }

  /// Average data rate of a connection, as a multiple of the bit rate.
  var pace: Double { item.source == .live ? min(1, item.line) : item.line }

  /// Maximum seconds for gathering `sound` seconds of audio. `isCaughtUp`: all segments listed before the stall are
  /// played.
  func seconds(toGather sound: Double, isAfterStall: Bool, isCaughtUp: Bool) -> Double {
    if item.source == .segments { return segmentSeconds(sound, isAfterStall, isCaughtUp) }
    guard isLive, isAfterStall, backlog > 0 else { return sound / pace }
    // The data from the stall comes at the line's pace, later data as the programme proceeds.
    return max(sound / item.line, sound - item.stall)
  }

  /// For live HLS: the playlist is requested again after half a target duration or a second.
  private func segmentSeconds(_ sound: Double, _ isAfterStall: Bool, _ isCaughtUp: Bool) -> Double {
    let length = StallPackager.length
    let byLine = sound / pace * 1.1
    // Segments listed at once: at the start, made during a stall, or after a restart.
    var listed = isAfterStall ? 0 : StallPackager.distance
    if isAfterStall, !isCaughtUp { listed = restarts ? 1 : item.restart == .none ? Int(item.stall / length) : 0 }
    let awaited = Int((sound / length).rounded(.up)) - listed
    guard awaited > 0 else { return byLine }
    return max(byLine, Double(awaited) * length + Self.listPause + min(sound, length) / pace)
  }

  /// Seconds until an unchanged playlist is requested again.
  private static let listPause = 1.0

  /// Seconds of audio that a live connection sends at once after the stall.
  var backlog: Double {
    item.source == .live && item.line > 1 && item.restart == .none && item.moment != .end ? item.line * item.stall : 0
  }

  func gather(hasSounded: Bool, isNewConnection: Bool) -> Double {
    if !hasSounded { return gathering.start }
    return isNewConnection ? gathering.afterReconnect : gathering.refill
  }

  var maxDuration: Double {
    let sound = isLive ? before + gathering.start + 2 * gathering.refill + 20 : whole + 2 * gathering.start
    return 2 * sound / min(1, item.line) + item.stall + 60
  }
}

/// Seconds to buffer before playback starts or resumes (R2.2). A separate implementation of the rule, for comparison
/// with the radio.
struct Gathering: Sendable {
  var isLive = true
  var isFixed = false
  var waitLive = 10.0
  var waitFile = 3.0
  /// Seconds that a file's download may be ahead; the maximum of this and `waitFile` counts (R2.3).
  var throttleBypass = 0.0
  var blocks = 1_200
  var byteRate = 16_000.0

  /// Blocks that the writer keeps free for the next read.
  static let blocksKeptFree = 12
  static let blockByteCount = 5_120

  /// Seconds of unplayed audio that the ring can buffer.
  var room: Double { Double((blocks - Self.blocksKeptFree) * Self.blockByteCount) / byteRate }

  /// Seconds buffered before the transfer pauses.
  var throttle: Double { isLive ? max(20, waitLive) : max(waitFile, throttleBypass) }

  private var maxSeconds: Double { min(room, throttle) }

  var start: Double { min(isLive ? (isFixed ? waitLive : min(1, waitLive)) : waitFile, maxSeconds) }

  /// After an underrun on a living connection.
  var refill: Double { min(7, isLive ? waitLive : waitFile, maxSeconds) }

  /// After an underrun with a reconnect, under both policies; the listener has already waited.
  var afterReconnect: Double { min(1, isLive ? waitLive : waitFile, maxSeconds) }
}
