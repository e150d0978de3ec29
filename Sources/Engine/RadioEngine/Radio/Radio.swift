import AudioOutput
import Blocks
import Metering
import Network
import Recordings
import System
import Units

/// An internet radio: tunes to stations, plays to a sink and emits events.
///
/// The thread that owns a radio is its control thread. It calls `step` in a loop, and receives every event inside
/// `step`. A net, a decode and a render thread work in memory that was reserved when the radio was created.
public final class Radio {
  /// The version of the engine, such as "1.2.3".
  public static let version = Version.text

  let engine: any EngineControl
  private var settings: RadioSettings { didSet { playback.use(settings) } }
  private let journal: Journal
  private let playback: Playback
  private let recorder: Recorder
  private let monitor: Monitor
  private let loop: ControlLoop
  package private(set) var isClosed = false

  /// Creates a radio that plays to `output`, reserves its memory and starts its threads.
  public convenience init(
    _ settings: RadioSettings, _ output: OutputRequest, clock: Clock = .machine
  ) throws(RadioError) {
    self.init(settings, try Engine(settings, output, clock), steers: output.hasClock)
  }

  /// Creates a radio on running threads, or on their substitute. `steers`: the default for drift compensation.
  init(_ settings: RadioSettings, _ engine: any EngineControl, steers: Bool = false) {
    (self.settings, self.engine) = (settings, engine)
    journal = Journal(engine)
    recorder = Recorder(engine, engine.makeFileWriting(), settings.recording)
    playback = Playback(settings, engine, recorder, journal, steers: steers)
    monitor = Monitor(engine.output)
    loop = ControlLoop(engine, playback, recorder, monitor, journal)
    setLoudness(settings.gainDecibels)
  }

  /// Receives every event with the seconds since the radio was created, before all observers. Called inside `tune`,
  /// `stop` and `step`.
  public var onEvent: (_ event: Event, _ time: Double) -> Void {
    get { journal.observers.first }
    set { journal.observers.first = newValue }
  }

  /// Adds an observer of all future events, with the seconds since the radio was created. Called on the control thread,
  /// in the order of adding.
  ///
  /// The observer may call the radio except `step` and `run`, and may add and remove observers, including itself.
  /// Events that it causes are delivered after all observers have received the current event.
  @discardableResult
  public func addObserver(_ hear: @escaping (_ event: Event, _ time: Double) -> Void) -> EventObserver {
    journal.observers.add(hear)
  }

  /// Removes an observer; no effect if already removed.
  public func removeObserver(_ observer: EventObserver) { journal.observers.remove(observer) }

  /// Seconds since the radio was created.
  public var time: Double { journal.time }

  /// The figures of the run so far.
  public var summary: Summary { journal.summary }

  /// The reason why the last station was given up; nil after the next tuning.
  public var failure: PlaybackFault? { playback.programme.failure }

  /// The current fault of the station, or the reason why it was given up; nil while it plays, and during the first
  /// attempt.
  public var fault: PlaybackFault? { playback.programme.fault }

  /// Increases when the machine's network changes: a new link, address, route or name server. `descriptor` becomes
  /// readable.
  public var networkChanges: UInt32 { engine.networkChanges }

  /// Removes and returns the times of day in responses to the radio's own requests: only by HTTPS, and without a proxy.
  /// `descriptor` becomes readable.
  package func removeServerTimes() -> [ServerTime] { engine.removeServerTimes() }

  /// True if the render thread runs under SCHED_FIFO.
  public var isRealtime: Bool { engine.output.isRealtime }

  /// True if the memory is locked.
  public var isLocked: Bool { engine.isLocked }

  /// Anonymous memory of this process, in KiB.
  public var residentKibibytes: Int { engine.residentKibibytes }

  /// The current status.
  public var status: RadioStatus { RadioStatus(self, playback) }

  /// The current heartbeats of the threads.
  public var heartbeats: Heartbeats { engine.heartbeats }

  /// Leaves the current programme and plays a station or a file. No effect after `close`.
  public func tune(_ request: StationRequest) {
    guard !isClosed else { return }
    playback.items.queue.tune(request)
    playback.begin(request)
  }

  /// Sets the live stations to receive in advance, the most likely first; pass at most `RadioSettings.prefetchCount`.
  ///
  /// A `tune` with an equal request is then heard at once, at live. The station before the current station is received
  /// for 60 s more. Reception in advance ends 10 minutes after the last change, at a stop, and with an empty rule.
  /// Without effect if `prefetchCount` is 0 or `blockCount` is below 192.
  public func prefetch(_ rule: PrefetchRule) { engine.prefetch(rule) }

  /// True if the station of `PrefetchRule.firstChoice` is received without an interruption, so that `tune` to it is
  /// heard at once.
  public var isFirstChoiceReady: Bool { engine.isFirstChoiceReady }

  /// True if the station of `PrefetchRule.firstChoice` is received and is at an announced ad (B4).
  public var isFirstChoiceAtAd: Bool { engine.isFirstChoiceAtAd }

  /// Selects the request for the next `play`; playback continues (R1.6).
  public func select(_ request: StationRequest) { playback.items.queue.select(request) }

  /// Resumes after a pause; otherwise tunes to the selected or last request. False without a request.
  @discardableResult
  public func play() -> Bool {
    if playback.phase == .paused, !playback.items.queue.hasSelected {
      resume()
      return true
    }
    guard !isClosed, let next = playback.items.queue.chosen else { return false }
    tune(next)
    return true
  }

  /// True if the listener had paused the programme that was stopped or given up last.
  public var wasPaused: Bool { playback.transport.wasPaused }

  /// Stops and disconnects.
  public func stop(_ reason: Event.StopReason = .user) { playback.stop(reason) }

  /// Ends the threads and closes the sink; the last call. Returns the figures of the run; a second call returns them
  /// again.
  public func close() -> Summary {
    guard !isClosed else { return summary }
    isClosed = true
    stop()
    journal.emit(recorder.finish(playback.recordingContext))
    engine.stop()
    playback.output.reportTaps()
    journal.close()
    return summary
  }

  // MARK: Lists

  /// The last list opened for this station; nil without a list.
  public var list: FileList? { playback.items.queue.list }

  /// The current or requested item of the list; nil if unknown.
  public var item: Int? { playback.items.queue.item }

  /// Plays an item of the list; false if out of range.
  @discardableResult
  public func playItem(_ number: Int) -> Bool { !isClosed && playback.begin(item: number, keepsPause: false) }

  /// The request to play after a file without a list, or after the last item of a list; gapless if it is a file too.
  /// `followed` reports the transition; otherwise tune to it after the end.
  public var follower: StationRequest? {
    get { playback.items.queue.follower }
    set {
      playback.items.queue.follower = newValue
      playback.arrangeFollower()
    }
  }

  /// Chooses the first episode of a podcast to play; by default the first of its list.
  public var chooseItem: (FileList) -> Int {
    get { playback.items.choices.item }
    set { playback.items.choices.item = newValue }
  }

  /// Returns the start position of an item in seconds; by default the beginning.
  public var startOfItem: (FileList.Item) -> Double {
    get { playback.items.choices.start }
    set { playback.items.choices.start = newValue }
  }

  // MARK: Pause and position

  /// The state (R1.9). Also `connecting` while a lost connection is retried; `RadioStatus.isAudioPlaying` shows if
  /// audio plays meanwhile.
  public var state: RadioState { playback.transport.state }

  /// Pauses at the current position; a live station continues to be received.
  public func pause(_ reason: Event.StopReason = .user) { playback.order { $0.pause(reason, $1) } }

  /// Resumes with the sample after the last one played.
  public func resume() { playback.order { $0.resume($1) } }

  /// Goes back by seconds, limited to the buffer; returns the plan, as all following methods.
  @discardableResult
  public func rewind(by seconds: Double) -> SeekPlan { forward(by: -seconds) }

  /// Goes forward by seconds, limited to the buffer.
  @discardableResult
  public func forward(by seconds: Double) -> SeekPlan {
    playback.go { $0.go(to: $0.position($1) + StreamTime(seconds: seconds), $1) }
  }

  /// Goes to live, less the safety buffer; never back.
  @discardableResult
  public func goLive() -> SeekPlan { playback.go { $0.goLive($1) } }

  /// Goes to the oldest buffered position.
  @discardableResult
  public func goOldest() -> SeekPlan { playback.go { $0.goOldest($1) } }

  /// Goes to a position of a file in seconds, clamped to the file; at a live station to that stream time, or the
  /// nearest buffered one.
  @discardableResult
  public func seek(to seconds: Double) -> SeekPlan {
    playback.go { $0.go(to: $1.base + StreamTime(seconds: max(0, seconds)), $1) }
  }

  /// True if the listener can go back by these seconds: in the buffer, or in a seekable file.
  public func isRewindAllowed(_ seconds: Double) -> Bool { playback.transport.isRewindAllowed(seconds, playback.look) }

  /// True if the listener can go forward by these seconds: in the buffer, or in a seekable file.
  public func isFastForwardAllowed(_ seconds: Double) -> Bool {
    playback.transport.isFastForwardAllowed(seconds, playback.look)
  }

  /// True if any position can be reached at once: in a local file, or from a server that supports ranges.
  public var isFileSeekAllowed: Bool { playback.look.isFileSeekAllowed }

  /// Length of the file in seconds; nil for a live station, and while unknown.
  public var duration: Double? { playback.transport.duration(playback.look)?.seconds }

  // MARK: Settings that can change while it plays

  /// The rules for the prebuffer and for the lead of downloads. A change applies at once, also to a running prebuffer.
  public var hold: HoldRule {
    get { settings.hold }
    set { settings.hold = newValue }
  }

  /// Buffer that stays after a return to live; zero for `hold.waitLive`.
  public var liveSafety: StreamTime {
    get { settings.liveSafety }
    set { settings.liveSafety = newValue }
  }

  /// True to lower announced ads by 12 dB; applies at once.
  public var lowersAds: Bool {
    get { settings.lowersAds }
    set { settings.lowersAds = newValue }
  }

  /// The rule for a second connection to a live station; applies at once. Without effect if the radio was
  /// created without a rule.
  public var secondSource: SecondSourceRule? {
    get { settings.secondSource }
    set { settings.secondSource = newValue }
  }

  /// Maximum pause before the connection of a live station is closed; zero to close it when all blocks are full. A
  /// change also applies to a running pause, from its start.
  public var pauseTimeout: Duration {
    get { settings.pauseTimeout }
    set { settings.pauseTimeout = newValue }
  }

  /// Changes the reception of the current request and its following items: `dataTimeout` applies at once, `userAgent`
  /// from the next connection on. False without a request. The next `tune` has its own values (`StationRequest`).
  @discardableResult
  public func adjust(dataTimeout: Duration? = nil, userAgent: String? = nil) -> Bool {
    playback.items.adjust(RequestChange(dataTimeout: dataTimeout, userAgent: userAgent))
  }

  // MARK: The sink

  /// True during an interruption of any kind.
  public var isSuspended: Bool { playback.output.isSuspended }

  /// True while the device still plays the audio from before an interruption, at most 2.5 s.
  public var isLettingGo: Bool { playback.output.isLettingGo }

  /// Releases the sound device for another program until `endSuspension`; the buffer continues to fill. Returns at
  /// once: `suspended` reports that the device has played its buffer and is free.
  public func suspend() { playback.output.suspend() }

  /// Reclaims the device and resumes with the sample after the last one played; a paused or stopped radio stays so.
  /// If another program still has the device, the radio waits for it.
  public func endSuspension() { playback.output.endSuspension() }

  /// The current fault of the sound device; nil without a fault, and during `suspend`.
  public var deviceFailure: SinkError? { playback.output.deviceFailure }

  /// The permanent fault of an output file.
  public var sinkFailure: SinkError? { playback.output.sinkFailure }

  /// The reason for silence although there is audio: the device is missing, or a pipe's reader has stopped.
  public var sinkTrouble: SinkError? { deviceFailure ?? (playback.phase == .stopped ? nil : engine.output.standing) }

  /// Sets the loudness, with 0 dB as sent, -60 … +12; nil is silence. Reached within 5 ms.
  public func setLoudness(_ decibels: Double?) {
    playback.loudness = decibels.map { power(10, Limits.gain.nearest(to: $0) / 20) } ?? 0
  }

  /// The initial gain in dB.
  public var firstGain: Double { settings.gainDecibels }

  /// Bits per decoded sample, 16 or 24.
  public var sampleBits: Int { engine.output.depth }

  /// True if audio plays, also from the buffer without a connection, or would play without the pause (R1.9).
  public var isAudioPlaying: Bool {
    playback.phase == .paused || playback.phase != .stopped && engine.isSounding
  }

  /// Starts or stops a tone of half a second, every ten seconds, while no programme plays (F4). A sink without a clock
  /// has no tone.
  public func playTone(_ isOn: Bool) { if !isClosed { engine.playTone(isOn) } }

  /// Starts or stops the tone of an alarm while no programme plays: half a second in each second, from -30 dBFS to -10
  /// dBFS within a minute, at any volume. A sink without a clock has no tone.
  public func playAlarmTone(_ isOn: Bool) { if !isClosed { engine.playAlarmTone(isOn) } }

  // MARK: Meters. A call starts the measurement, which ends ten seconds after the last call

  /// The current levels of both channels; the first result is silence.
  public var levels: (left: Level, right: Level) {
    let meter = monitor.levels(isSounding: isHeard, at: engine.now)
    return (meter.left, meter.right)
  }

  /// The current levels of 16 or 20 frequency bands from 50 Hz to 16 kHz; the first result is silence.
  public func spectrum(bands: Int) -> [Decibels] {
    monitor.spectrum(bands: bands, rate: engine.output.rate, isSounding: isHeard, at: engine.now)
  }

  private var isHeard: Bool { playback.phase != .paused && isAudioPlaying }

  // MARK: Recording

  /// The running recording; nil without one.
  public var recording: Recording? { recorder.recording }

  /// Records the station from now on, independent of the listener's position; without a programme, the next one from
  /// its first packet. `recordingStopped` reports the end.
  ///
  /// Blocks up to half a second for the disk; a later error ends the recording.
  ///
  /// - Throws: `RecordingError` if it cannot start: the file is not available, or has content that cannot be continued.
  public func record(_ order: RecordingOrder) throws(RecordingError) {
    journal.emit(recorder.settle(playback.recordingContext))
    try recorder.begin(order, playback.recordingContext)
    if order.resets, playback.phase != .stopped, let request = playback.items.queue.request { playback.begin(request) }
    playback.order { transport, _ in transport.endRest() }
    loop.recordPackets(upTo: engine.blocks.written)
  }

  /// Ends the recording; its event follows when all data is on the disk. No effect without a recording.
  public func endRecording() { journal.emit(recorder.end(playback.recordingContext)) }

  /// The song to save.
  public typealias Song = SongChoice

  /// Saves a song from the buffer, cut at the start and end of its title; a song that is still playing is completed.
  /// The file is in the recordings folder, named by the title; `songKept` reports its completion.
  ///
  /// Blocks up to half a second for the disk.
  ///
  /// - Throws: `RecordingError` if there is no such song, it is no longer buffered, or its file is not available.
  @discardableResult
  public func keep(_ which: Song = .current) throws(RecordingError) -> KeptSong {
    let (song, told) = try recorder.keep(which, playback.recordingContext)
    journal.emit(told)
    return song
  }

  // MARK: External titles (R6.3 – R6.5, R6.8)

  /// True if the station has external titles.
  public var hasNowPlaying: Bool {
    playback.phase != .stopped && playback.items.queue.request?.externalMetadata.isAny == true
  }

  /// Starts external titles; false if the station has none, or the radio is stopped.
  ///
  /// A station starts them by itself unless its `ExternalMetadata.isBegun` is false. AudioCast is requested while
  /// connecting, so it starts with the next connection.
  @discardableResult
  public func beginNowPlaying() -> Bool { askForTitles(true) }

  /// Stops external titles until they are started again or another station is tuned; false as above. Earlier titles
  /// stay.
  @discardableResult
  public func endNowPlaying() -> Bool { askForTitles(false) }

  private func askForTitles(_ isWanted: Bool) -> Bool {
    guard hasNowPlaying else { return false }
    engine.pollTitles(isWanted)
    return true
  }

  /// Emits an event of a program that controls the radio, such as a change to a fallback.
  package func emit(_ event: Event) { journal.emit(event) }

  // MARK: Iterations

  /// Number of notices of the radio's threads that `step` has processed.
  package var noticeCount: Int { loop.noticeCount }

  /// A descriptor that is readable when `step` has work.
  public var descriptor: Int32 { engine.descriptor }

  /// Waits up to `timeout` for an event, then processes all events. The caller's descriptor `other` ends the wait too.
  public func step(_ timeout: Duration, watching other: Int32 = -1) { loop.step(timeout, watching: other) }

  /// Runs the radio until it stops, or up to `limit`, instead of a loop of `step`. Blocks the calling thread, which is
  /// the control thread, and calls the observers.
  ///
  /// A radio stops at the end of a programme, when it gives a station up (`failure`), and when an observer calls
  /// `stop`; not if an observer then tunes to something else, nor during a pause. Returns at once if stopped.
  public func run(for limit: Duration? = nil) {
    let end = limit.map { engine.now + $0 } ?? .never
    while state != .stopped, !isClosed {
      let left = end - engine.now
      guard left > .zero else { return }
      step(min(left, Duration(milliseconds: 1_000)))
    }
  }
}
