import AudioOutput
import Blocks
import Metering
import Network
import System
import Units

/// An internet radio: tuned to a station, it plays to a sink and tells what happens.
///
/// The thread that owns a radio is its control thread: it calls `step` over and over, and every event comes from
/// within. Behind it a net, a decode and a render thread work in memory that was reserved when the radio was made.
public final class Radio {
  /// The version of the engine, such as "1.2.3".
  public static let version = Version.text

  /// The threads.
  let engine: any EngineControl
  private var settings: RadioSettings { didSet { playback.use(settings) } }
  private let journal: Journal
  private let playback: Playback
  private let recorder: Recorder
  private let monitor: Monitor
  private let loop: ControlLoop
  /// Whether `close` was called.
  package private(set) var isClosed = false

  /// A radio that plays to `output`; its memory is reserved and its threads run.
  public convenience init(
    _ settings: RadioSettings, _ output: OutputRequest, clock: Clock = .machine
  ) throws(RadioError) {
    self.init(settings, try Engine(settings, output, clock), steers: output.hasClock)
  }

  /// A radio over threads that run, or what stands for them. `steers` says whether it steers where the settings do not.
  init(_ settings: RadioSettings, _ engine: any EngineControl, steers: Bool = false) {
    (self.settings, self.engine) = (settings, engine)
    journal = Journal(engine)
    recorder = Recorder(engine, settings.recording)
    playback = Playback(settings, engine, recorder, journal, steers: steers)
    monitor = Monitor(engine)
    loop = ControlLoop(engine, playback, recorder, monitor, journal)
    setLoudness(settings.gainDecibels)
  }

  /// Hears every event, with the seconds since the radio was made; called from within `tune`, `stop` and `step`, before
  /// the observers that were added.
  public var onEvent: (_ event: Event, _ time: Double) -> Void {
    get { journal.observers.first }
    set { journal.observers.first = newValue }
  }

  /// Adds an observer that hears every event from now on, with the seconds since the radio was made; called on the
  /// control thread, in the order of adding. It may call the radio but for `step` and `run`, add observers and remove
  /// any, itself as well. What it causes is told to the observers when all of them have heard the event before.
  @discardableResult
  public func addObserver(_ hear: @escaping (_ event: Event, _ time: Double) -> Void) -> EventObserver {
    journal.observers.add(hear)
  }

  /// Removes an observer, which hears nothing more; without effect where it was removed before.
  public func removeObserver(_ observer: EventObserver) { journal.observers.remove(observer) }

  /// Seconds since the radio was made.
  public var time: Double { journal.time }

  /// The run in figures so far.
  public var summary: Summary { journal.summary }

  /// Why the radio gave a station up, until it is tuned again.
  public var failure: PlaybackFault? { playback.programme.failure }

  /// What keeps the station from coming now, or made the radio give it up; nil while it comes, and while it is asked
  /// for the first time.
  public var fault: PlaybackFault? { playback.programme.fault }

  /// Grows when the machine's network is another: a link, an address, a route or a name server came. `descriptor` can
  /// be read then.
  public var networkChanges: UInt32 { engine.networkChanges }

  /// Whether the render thread runs under SCHED_FIFO.
  public var isRealtime: Bool { engine.isRealtime }

  /// Whether the memory is locked.
  public var isLocked: Bool { engine.isLocked }

  /// Anonymous memory of this process, in KiB.
  public var residentKibibytes: Int { engine.residentKibibytes }

  /// The radio at this moment.
  public var status: RadioStatus { RadioStatus(self, playback) }

  /// The threads' heartbeats now.
  public var heartbeats: Heartbeats { engine.heartbeats }

  /// Leaves what is heard, and plays a station or a file; nothing where the radio was closed.
  public func tune(_ request: StationRequest) {
    guard !isClosed else { return }
    playback.items.queue.tune(request)
    playback.begin(request)
  }

  /// Chooses what `play` tunes to; what is heard goes on (R1.6).
  public func select(_ request: StationRequest) { playback.items.queue.select(request) }

  /// Goes on after a pause; else plays what was selected, or what was tuned to last. False where there is neither.
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

  /// Whether the listener had paused what was stopped, or given up, last.
  public var wasPaused: Bool { playback.transport.wasPaused }

  /// Falls silent and disconnects.
  public func stop(_ reason: Event.StopReason = .user) { playback.stop(reason) }

  /// Ends the threads and closes the sink; the last call. Gives the whole run in figures, and a second time the same.
  public func close() -> Summary {
    guard !isClosed else { return summary }
    isClosed = true
    stop()
    journal.tell(recorder.finish(playback.recordingContext))
    engine.stop()
    playback.output.tellTaps()
    journal.close()
    return summary
  }

  // MARK: Lists

  /// The list that was opened last for this station; nil where none was.
  public var list: FileList? { playback.items.queue.list }

  /// Which of its items is heard, or asked for; nil where that is not known.
  public var item: Int? { playback.items.queue.item }

  /// Plays an item of the list; false where there is no such item.
  @discardableResult
  public func playItem(_ number: Int) -> Bool { !isClosed && playback.begin(item: number, keepsPause: false) }

  /// What is played when a file that is in no list, or the last of its list, is over, in the same breath if it is a
  /// file too; whoever sets it is told by `followed`, or tunes to it after the end.
  public var follower: StationRequest? {
    get { playback.items.queue.follower }
    set {
      playback.items.queue.follower = newValue
      playback.arrangeFollower()
    }
  }

  /// Chooses which episode of a podcast is played first; the first of its list unless somebody does.
  public var chooseItem: (FileList) -> Int {
    get { playback.items.choices.item }
    set { playback.items.choices.item = newValue }
  }

  /// Tells where an item is begun, in seconds; a file's beginning unless somebody does.
  public var startOfItem: (FileList.Item) -> Double {
    get { playback.items.choices.start }
    set { playback.items.choices.start = newValue }
  }

  // MARK: Pause and position

  /// What the radio does (R1.9). It connects too while the connection of what has played is gone and tried again;
  /// whether sound comes meanwhile, `RadioStatus.isAudioPlaying` tells.
  public var state: RadioState { playback.transport.state }

  /// Falls silent where it is; a live station goes on being received.
  public func pause(_ reason: Event.StopReason = .user) { playback.order { $0.pause(reason, $1) } }

  /// Goes on with the sample after the last one that was heard.
  public func resume() { playback.order { $0.resume($1) } }

  /// Goes back by so many seconds, or as far as is held; says what it is about to do, as all that follow.
  @discardableResult
  public func rewind(by seconds: Double) -> SeekPlan { forward(by: -seconds) }

  /// Goes on by so many seconds, or as far as is held.
  @discardableResult
  public func forward(by seconds: Double) -> SeekPlan {
    playback.go { $0.go(to: $0.position($1) + StreamTime(seconds: seconds), $1) }
  }

  /// Goes to what the station sends now, but for what is kept held for safety; never back.
  @discardableResult
  public func goLive() -> SeekPlan { playback.go { $0.goLive($1) } }

  /// Goes to the oldest that is held.
  @discardableResult
  public func goOldest() -> SeekPlan { playback.go { $0.goOldest($1) } }

  /// Goes to so many seconds from a file's beginning, or as far as it goes; at a live station to that stream time, or
  /// as near to it as is held.
  @discardableResult
  public func seek(to seconds: Double) -> SeekPlan {
    playback.go { $0.go(to: $1.base + StreamTime(seconds: max(0, seconds)), $1) }
  }

  /// Whether the listener can go back by so many seconds: they are held, or lie in a file that can be sought in.
  public func isRewindAllowed(_ seconds: Double) -> Bool { playback.transport.isRewindAllowed(seconds, playback.look) }

  /// Whether the listener can go on by so many seconds: they are held, or lie in a file that can be sought in.
  public func isFastForwardAllowed(_ seconds: Double) -> Bool {
    playback.transport.isFastForwardAllowed(seconds, playback.look)
  }

  /// Whether the radio can go to any place of what it plays at once, held or not: it plays a local file, or one whose
  /// server supports ranges.
  public var isFileSeekAllowed: Bool { playback.look.isFileSeekAllowed }

  /// How long the file sounds, in seconds; nil for a live station, and while it is not known.
  public var duration: Double? { playback.transport.duration(playback.look)?.seconds }

  // MARK: Settings that can change while it plays

  /// What is held before sound begins, and how far a download runs ahead of it. A change counts at once, also for a
  /// start that is being gathered.
  public var hold: HoldRule {
    get { settings.hold }
    set { settings.hold = newValue }
  }

  /// What is left held when the listener goes back to live; zero: `hold.waitLive`.
  public var liveSafety: StreamTime {
    get { settings.liveSafety }
    set { settings.liveSafety = newValue }
  }

  /// So long paused, and the connection of a live station is closed; zero: when all blocks are full. A change counts
  /// for a pause that lasts already, from when it began.
  public var pauseTimeout: Duration {
    get { settings.pauseTimeout }
    set { settings.pauseTimeout = newValue }
  }

  /// Changes how what was tuned to is received, and what follows of its list: after how long without data its
  /// connection is made anew, which counts at once, and the `User-Agent`, which counts from the next connection on.
  /// False where nothing was tuned to. The next `tune` brings values of its own (`StationRequest`).
  @discardableResult
  public func adjust(dataTimeout: Duration? = nil, userAgent: String? = nil) -> Bool {
    playback.items.adjust(RequestChange(dataTimeout: dataTimeout, userAgent: userAgent))
  }

  // MARK: The sink

  /// Whether the sound is interrupted, by whatever.
  public var isSuspended: Bool { playback.output.isSuspended }

  /// Whether the sound device still plays what it was given before an interruption began; false 2.5 s after that.
  public var isLettingGo: Bool { playback.output.isLettingGo }

  /// Falls silent and lets go of the sound device, so that another program may have it, until `endSuspension`; what is
  /// received goes on filling the buffer. Returns at once: `suspended` tells when the device has played what it still
  /// had, and is free.
  public func suspend() { playback.output.suspend() }

  /// Takes the device again and goes on with the sample after the last one heard; what was paused stays paused, and
  /// what was stopped stopped. Where another program still has the device, the radio waits for it.
  public func endSuspension() { playback.output.endSuspension() }

  /// What keeps the sound from its device for now; nil while nothing does, or somebody else has it (`suspend`).
  public var deviceFailure: SinkError? { playback.output.deviceFailure }

  /// Why the file that sound goes to failed for good.
  public var sinkFailure: SinkError? { playback.output.sinkFailure }

  /// Why nothing sounds although there is something to play: the device is gone, or a pipe's reader takes nothing.
  public var sinkTrouble: SinkError? { deviceFailure ?? (playback.phase == .stopped ? nil : engine.outputStanding) }

  /// Makes the sound so loud from now on, 0 dB being as sent, -60 … +12; nil is silence. Reached within 5 ms.
  public func setLoudness(_ decibels: Double?) {
    let factor = decibels.map { power(10, Limits.gain.nearest(to: $0) / 20) } ?? 0
    engine.setGain(Gain.fixed(factor))
  }

  /// The gain that the radio was made with, in dB.
  public var firstGain: Double { settings.gainDecibels }

  /// To how many bits sound is decoded, 16 or 24.
  public var sampleBits: Int { engine.sampleBits }

  /// Whether sound comes, from what is held while there is no connection, or would but for the pause (R1.9).
  public var isAudioPlaying: Bool {
    playback.phase == .paused || playback.phase != .stopped && engine.isSounding
  }

  // MARK: Meters: asking has the sound measured, from then on until ten seconds after nobody asked any more

  /// How loud both channels are now; the first answer of all is silence.
  public var levels: (left: Level, right: Level) {
    let meter = monitor.levels(isSounding: isHeard, at: engine.now)
    return (meter.left, meter.right)
  }

  /// How loud 16 or 20 bands of frequency are now, from 50 Hz to 16 kHz; the first answer of all is silence.
  public func spectrum(bands: Int) -> [Decibels] {
    monitor.spectrum(bands: bands, rate: engine.outputRate, isSounding: isHeard, at: engine.now)
  }

  private var isHeard: Bool { playback.phase != .paused && isAudioPlaying }

  // MARK: Recording

  /// What is being recorded; nil where nothing is.
  public var recording: Recording? { recorder.recording }

  /// Records from now on what the station sends, whatever the listener hears of it; while nothing is played, the next
  /// programme from its first packet on. `recordingStopped` tells of its end.
  ///
  /// Waits up to half a second for the disk; what it answers later ends the recording.
  ///
  /// - Throws: Where it cannot begin: the file is not to be had, or holds something that this does not go on from.
  public func record(_ order: RecordingOrder) throws(RecordingError) {
    journal.tell(recorder.settle(playback.recordingContext))
    try recorder.begin(order, playback.recordingContext)
    if order.resets, playback.phase != .stopped, let request = playback.items.queue.request { playback.begin(request) }
    playback.order { transport, _ in transport.endRest() }
    loop.takePackets(upTo: engine.blocks.written)
  }

  /// Ends the recording with what has come; its event comes when all is on the disk. Without effect where none runs.
  public func endRecording() { journal.tell(recorder.end(playback.recordingContext)) }

  /// Which song is meant.
  public enum Song: String, Sendable, CaseIterable {
    /// The one that is heard.
    case current
    /// The one before it.
    case previous
  }

  /// Saves a song from what is held, cut where its title began and ended; of one that goes on the rest as well. It is
  /// put into the recordings folder, named by its title; `songKept` tells when it is complete.
  ///
  /// Waits up to half a second for the disk.
  ///
  /// - Throws: Where there is no such song, where it is no longer held, and where its file is not to be had.
  @discardableResult
  public func keep(_ which: Song = .current) throws(RecordingError) -> KeptSong {
    let (song, told) = try recorder.keep(which, playback.recordingContext)
    journal.tell(told)
    return song
  }

  // MARK: Titles beside the stream (R6.3 – R6.5, R6.8)

  /// Whether what is tuned to tells titles beside its stream.
  public var hasNowPlaying: Bool {
    playback.phase != .stopped && playback.items.queue.request?.externalMetadata.isAny == true
  }

  /// Asks for the titles beside the stream from now on; false where the station has none, or the radio is stopped.
  ///
  /// A station begins with that by itself, unless its `ExternalMetadata.isBegun` says otherwise. AudioCast, which a
  /// server is asked for when it is connected to, begins with the next connection.
  @discardableResult
  public func beginNowPlaying() -> Bool { askForTitles(true) }

  /// Asks for them no more, until they are begun again or another station is tuned to; false as above. Titles that were
  /// told stay.
  @discardableResult
  public func endNowPlaying() -> Bool { askForTitles(false) }

  private func askForTitles(_ isWanted: Bool) -> Bool {
    guard hasNowPlaying else { return false }
    engine.askForTitles(isWanted)
    return true
  }

  // MARK: Time

  /// A descriptor that can be read when `step` has something to do.
  public var descriptor: Int32 { engine.descriptor }

  /// Waits up to `timeout` for something to happen, then sees to all that happened. A descriptor of the caller's that
  /// can be read ends the wait too.
  public func step(_ timeout: Duration, watching other: Int32 = -1) { loop.step(timeout, watching: other) }

  /// Serves the radio until it is stopped, or for so long at most, in the place of a loop of `step`. It blocks the
  /// calling thread, which is the radio's control thread, and calls the observers from within.
  ///
  /// A radio stops at the end of what it plays, when it gives a station up (`failure` says why), and when an observer
  /// calls `stop`; it does not where an observer tunes to something else then, nor while it is paused. Returns at once
  /// where the radio is stopped.
  public func run(for limit: Duration? = nil) {
    let end = limit.map { engine.now + $0 } ?? .never
    while state != .stopped, !isClosed {
      let left = end - engine.now
      guard left > .zero else { return }
      step(min(left, Duration(milliseconds: 1_000)))
    }
  }
}
