import Network
import Units

/// The programme at one moment, as those see it who decide what becomes of it.
struct ProgrammeLook {
  var now: MonotonicTime
  /// What the server told; nil before it answered.
  var facts: StationFacts?
  /// What is heard; nil while nothing of the programme is.
  var heard: HeardPlace?
  /// Where the programme began.
  var start = StreamTime.zero
  /// Where what is held begins and ends, and how much of it is not decoded yet.
  var oldest = StreamTime.zero
  var written = StreamTime.zero
  var ahead = StreamTime.zero
  /// What the sink has still to play: that is heard whatever comes next.
  var inSink = StreamTime.zero
  /// Whether the whole of the programme was received.
  var hasEnded = false
  /// Where the file that is heard begins in the programme, and where the next one does.
  var base = StreamTime.zero
  var border: StreamTime?
  /// What of an HLS station that has no end its server has; nil for any other programme.
  var window: ProgrammeWindow?
  /// Whether the sink is away.
  var isSuspended = false
  /// Whether somebody records, and so needs the connection.
  var isRecorded = false

  /// Whether it is a live station; false while that is not known.
  var isLive: Bool { facts?.isLive == true }

  /// Whether it is a live station, or not known to be a file.
  var mayBeLive: Bool { facts?.isLive != false }

  /// Whether the radio can go to any place of a file; without ranges it reads all that lies before the place first.
  var goesAnywhere: Bool { facts?.isLive == false && facts?.duration != nil }

  /// The same at once, held or not.
  var isFileSeekAllowed: Bool { goesAnywhere && facts?.isSeekable == true }

  /// Where the radio can go to by asking for what is there: a file, or the window of an HLS station; nil where it can
  /// ask for no place.
  var reach: ClosedRange<StreamTime>? {
    if let window { return window.oldest...max(window.oldest, window.live) }
    guard goesAnywhere, let length = facts?.duration else { return nil }
    return base...max(base, base + max(.zero, length))
  }

  /// The oldest place that can be heard, held or not, of a station; the oldest that is held of anything else.
  var oldestToHear: StreamTime { min(oldest, window?.oldest ?? oldest) }

  /// The same of the newest.
  var newestToHear: StreamTime { max(written, window?.live ?? written) }

  /// Where it is live, if what is held ends before that, so that the station has to be asked for it; else nil.
  var absentLive: StreamTime? { window.flatMap { written < $0.live ? $0.live : nil } }

  /// Where the file that is heard ends; nil while that is not received.
  var end: StreamTime? { border ?? (hasEnded ? written : nil) }

  /// Whether what is decoded now is the next file, of which is told when it is heard.
  var decodesNextFile: Bool { border.map { written - ahead >= $0 } ?? false }

  /// The oldest place of a file that is held, with what the decoder needs before it.
  var oldestPlace: StreamTime { oldest <= base ? base : oldest + DecodeLoop.runUp }

  /// Whether a place is not held, and a station has it in its window, or something nearer to it than what is held.
  func liesOutsideHeld(_ place: StreamTime) -> Bool {
    place < oldest && oldestToHear < oldest || place > written && absentLive != nil
  }

  /// Whether a place of a file is held, with what the decoder needs before it.
  func holds(_ time: StreamTime) -> Bool {
    guard written > start else { return false }
    let isEnd = hasEnded && time >= written
    return isEnd || max(time, base) >= oldestPlace && time <= written
  }

  /// A place of what is played, no further than the file goes.
  func inFile(_ time: StreamTime) -> StreamTime {
    guard facts?.isLive == false else { return time }
    return max(base, min(time, border ?? StreamTime(ticks: .max)))
  }
}

extension EngineControl {
  /// What the threads tell of a programme.
  func look(at epoch: UInt32) -> ProgrammeLook {
    let blocks = self.blocks
    var look = ProgrammeLook(now: now, heard: heard(of: epoch))
    look.inSink = inSink
    (look.start, look.oldest, look.written, look.ahead) = (blocks.start, blocks.oldest, blocks.written, blocks.ahead)
    look.hasEnded = hasReceivedAll(of: epoch)
    return look
  }

  /// Has a rule count from now on, also for what the programme that runs gathers; nil: nothing runs.
  func use(_ hold: HoldRule, for programme: Programme?) {
    use(hold)
    guard let programme else { return }
    refillHold = programme.refill(hold)
    // This calls the decode thread, which looks at both.
    gatherBeforeStart(hold.start(isLive: programme.mayBeLive))
  }

  /// Does what the threads do of what a transport decided.
  func obey(_ action: Transport.Action) {
    switch action {
    case .pause(let isPaused): pause(isPaused)
    case .keepDistance(let isKept): keepDistance(isKept)
    case .seek(let place, let number, let isExact): seek(to: place, number: number, isExact: isExact)
    case .callRenderThread: callRenderThread()
    case .rest: rest()
    case .connectAgain: connectAgain()
    case .tell, .leave, .leap, .refuse: break
    }
  }
}
