import AudioOutput
import Blocks
import CLinux
import Decoding
import Network
import Recordings
import Rendering
import System
import Units

/// Creates and owns the radio's memory and its three threads. Control thread only.
final class Engine {
  private let arena: Arena
  let board: UnsafePointer<StatusBoard>
  let ring: UnsafePointer<BlockRing>
  private let files: UnsafePointer<FileQueue>
  private let netNotices: NoticeQueue<NetNotice>
  private let decodeNotices: NoticeQueue<DecodeNotice>
  private let notified = SharedWakeFlag()
  let render: RenderThread
  private let decode: DecodeThread
  private let net: NetThread
  private let packets = SharedWakeFlag()
  private let clock: Clock

  init(_ settings: RadioSettings, _ output: OutputRequest, _ clock: Clock) throws(RadioError) {
    self.clock = clock
    do throws(ArenaError) {
      arena = try Arena(settings.memoryBudget.total)
    } catch {
      throw .noMemory(error)
    }
    board = StatusBoard.make(in: arena)
    ring = BlockRing.make(blockCount: settings.blockCount, in: arena)
    let standbyRings = (0..<settings.standbyCount).compactMap { [ring, arena] _ in
      ring.pointee.makeStandby(in: arena)
    }
    let secondRing = settings.secondSource == nil ? nil : ring.pointee.makeStandby(in: arena)
    netNotices = NoticeQueue(capacity: 256, wake: notified)
    decodeNotices = NoticeQueue(capacity: 64, wake: notified)
    files = FileQueue.make(in: arena)
    let periods = PeriodRing.make(in: arena)
    let room = arena.reserve(UInt8.self, count: MemoryBudget.decoderScratch)
    let words = settings.loopWordCount
    let loopMemory = words > 0 ? UnsafeMutableRawPointer(arena.reserve(UInt64.self, count: words)) : nil
    do throws(SinkError) {
      render = try RenderThread(output, periods, board, taps: settings.taps, clock: clock, in: arena)
    } catch {
      throw .noSink(error)
    }
    arena.seal()
    let depth: SampleDepth = render.depth == 24 ? .bits24 : settings.hasDither ? .bits16Dithered : .bits16
    let setups = SetupTable()
    let context = DecodeContext(
      ring: ring, setups: setups, periods: periods, notices: decodeNotices, board: board, depth: depth,
      mp3Decoder: settings.mp3Decoder, isMono: settings.isMono, loopMemory: loopMemory, isFree: render.isFree,
      wake: packets, renderWake: render.wake, clock: clock, orders: DecodeOrders(render.ratePolicy))
    var decoding: DecodeThread?
    do throws(ThreadError) {
      try render.start()
      let decode = try DecodeThread(context, room: room)
      decoding = decode
      let memory = NetMemory(
        ring, netNotices, board, setups: setups, standbyRings: standbyRings, secondRing: secondRing)
      net = try NetThread(memory, hold: settings.hold, packets: packets, notified: notified, clock: clock)
      self.decode = decode
    } catch {
      // The threads use the memory, and must end before it is freed.
      decoding?.stop()
      render.stop()
      throw .noThread(error)
    }
    if let rule = settings.secondSource { net.use(rule) }
    if render.absence == nil { render.run() }
  }

  deinit { stop() }

  /// Stops the threads in the order from network to sink. May be called twice.
  func stop() {
    net.quit()
    decode.stop()
    render.stop()
  }
}

extension Engine: EngineControl {
  // MARK: Time and waiting

  var now: MonotonicTime { clock.now() }

  var slept: Duration { clock.slept() }

  var residentKibibytes: Int { bk_rss_anon_kib() }

  var descriptor: Int32 { notified.flag.descriptor }

  var isLocked: Bool { arena.isLocked }

  func wait(_ timeout: Duration, watching other: Int32) {
    notified.flag.wait(timeout, orReadable: other, by: clock)
  }

  // MARK: Programmes

  func begin(_ request: StationRequest, _ epoch: UInt32, isPaused: Bool, limit: StreamTime?, hold: HoldRule) {
    board.pointee.limit.store(limit?.ticks ?? .max, ordering: .relaxed)
    board.pointee.driftAim.store(0, ordering: .relaxed)
    board.pointee.keepsDistance.store(false, ordering: .relaxed)
    board.pointee.isPaused.store(isPaused, ordering: .releasing)
    board.pointee.startHold.store(hold.start(isLive: true).ticks, ordering: .relaxed)
    board.pointee.refillHold.store(hold.refill(isLive: true).ticks, ordering: .relaxed)
    // Publishes the values stored above.
    board.pointee.wantedEpoch.store(epoch, ordering: .releasing)
    net.tune(request, epoch: epoch)
    decode.call()
    // The render thread sleeps during a pause, and while the sink has no room.
    render.call()
  }

  func beginAgain(_ request: StationRequest, _ epoch: UInt32, number: Int, limit: StreamTime?) {
    if let limit { board.pointee.limit.store(limit.ticks, ordering: .relaxed) }
    board.pointee.wantedEpoch.store(epoch, ordering: .releasing)
    net.seek(request, number: number, epoch: epoch)
    decode.call()
    render.call()
  }

  func endProgramme() {
    net.stop()
    board.pointee.wantedEpoch.store(0, ordering: .releasing)
    decode.call()
    render.call()
  }

  func follow(_ request: StationRequest?, token: Int) { net.follow(request, token: token) }

  func closeConnection() { net.rest() }

  func reconnect() { net.resume() }

  func renewConnections() { net.renew() }

  func pollTitles(_ isWanted: Bool) { net.nowPlaying(isWanted) }

  func adjust(_ change: RequestChange) { net.adjust(change) }

  func use(_ hold: HoldRule) { net.use(hold) }

  func use(_ rule: SecondSourceRule) { net.use(rule) }

  func prefetch(_ rule: PrefetchRule) { net.prefetch(rule) }

  func nextNetNotice() -> (epoch: UInt32, notice: NetNotice)? { netNotices.next() }

  func nextDecodeNotice() -> (epoch: UInt32, notice: DecodeNotice)? { decodeNotices.next() }

  var missedNotices: Int { netNotices.missedCount + decodeNotices.missedCount }

  // MARK: Playback

  func pause(_ isPaused: Bool) {
    board.pointee.isPaused.store(isPaused, ordering: .releasing)
    render.call()
  }

  func seek(to place: StreamTime, number: UInt32, isExact: Bool) {
    board.pointee.seekIsExact.store(isExact, ordering: .relaxed)
    board.pointee.seekTarget.store(place.ticks, ordering: .relaxed)
    // Publishes the target with its number.
    board.pointee.wantedSeek.store(number, ordering: .releasing)
    decode.call()
  }

  func wakeRenderThread() { render.call() }

  func rescue() {
    let state = render.state
    board.pointee.rescue.add(1, ordering: .releasing)
    decode.call()
    if state == .parked || state == .idle { render.run() }
  }

  func watchQuiet(below meanSquare: Int64) { board.pointee.quietLimit.store(meanSquare, ordering: .relaxed) }

  var loopMilliseconds: Int64 { board.pointee.loopMilliseconds.load(ordering: .acquiring) }

  var quiet: (milliseconds: Int64, meanSquare: Int64) {
    (
      board.pointee.quietMilliseconds.load(ordering: .acquiring), board.pointee.meanSquare.load(ordering: .relaxed)
    )
  }

  func playTone(_ isOn: Bool) { render.playTone(isOn) }

  func playAlarmTone(_ isOn: Bool) { render.playAlarmTone(isOn) }

  func setGain(_ gain: Int32) { board.pointee.gain.store(gain, ordering: .relaxed) }

  func gatherBeforeStart(_ hold: StreamTime) {
    board.pointee.startHold.store(hold.ticks, ordering: .relaxed)
    decode.call()
  }

  var refillHold: StreamTime {
    get { StreamTime(ticks: board.pointee.refillHold.load(ordering: .relaxed)) }
    set { board.pointee.refillHold.store(newValue.ticks, ordering: .relaxed) }
  }

  var driftAim: StreamTime {
    get { StreamTime(ticks: board.pointee.driftAim.load(ordering: .relaxed)) }
    set { board.pointee.driftAim.store(newValue.ticks, ordering: .relaxed) }
  }

  func keepDistance(_ isKept: Bool) { board.pointee.keepsDistance.store(isKept, ordering: .relaxed) }

  func receiveForRecording(_ isRecorded: Bool) { board.pointee.isRecorded.store(isRecorded, ordering: .relaxed) }

  // MARK: Facts

  func audiblePosition(of epoch: UInt32) -> AudiblePosition? {
    // The render thread stores the epoch last. Reading it first ensures that the other values belong to this programme.
    guard board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return nil }
    let seek = board.pointee.heardSeek.load(ordering: .acquiring)
    return AudiblePosition(
      seek: seek, at: StreamTime(ticks: board.pointee.heard.load(ordering: .relaxed)),
      played: StreamTime(ticks: board.pointee.playedTicks.load(ordering: .relaxed)))
  }

  var finishedEpoch: UInt32 { board.pointee.finishedEpoch.load(ordering: .acquiring) }

  var firstSound: MonotonicTime {
    MonotonicTime(nanoseconds: board.pointee.firstFrame.load(ordering: .relaxed))
  }

  var isSounding: Bool { render.state == .playing }

  var underruns: Int { Int(board.pointee.underruns.load(ordering: .acquiring)) }

  var xruns: Int { Int(board.pointee.xruns.load(ordering: .acquiring)) }

  var playedFrames: Int64 { board.pointee.playedFrames.load(ordering: .relaxed) }

  var byteOffset: Int { board.pointee.byteOffset.load(ordering: .relaxed) }

  var waits: ThreadWaits {
    ThreadWaits(
      net: board.pointee.netWait.load(ordering: .acquiring),
      decode: board.pointee.decodeWait.load(ordering: .acquiring), render: render.state)
  }

  var heartbeats: Heartbeats {
    Heartbeats(
      net: board.pointee.netBeat.load(ordering: .relaxed), decode: board.pointee.decodeBeat.load(ordering: .relaxed),
      render: board.pointee.renderBeat.load(ordering: .relaxed))
  }

  var networkChanges: UInt32 { board.pointee.networkChanges.load(ordering: .relaxed) }

  var isFirstChoiceReady: Bool { board.pointee.isFirstChoiceReady.load(ordering: .acquiring) }

  var isFirstChoiceAtAd: Bool { board.pointee.isFirstChoiceAtAd.load(ordering: .acquiring) }

  func removeServerTimes() -> [ServerTime] { net.removeServerTimes() }

  // MARK: The blocks

  var blocks: BlockStatistics { ring.pointee.statistics }

  func hasReceivedAll(of epoch: UInt32) -> Bool { ring.pointee.hasEnded(epoch) }

  func makeFileWriting() -> any FileWriting { FileThread(files, in: arena, notified: notified, clock: clock) }

  // MARK: The sink

  var output: any OutputControl { render }

  func followRates() -> StreamTime? {
    decode.setRatePolicy(render.ratePolicy)
    return render.consumeUndecoded()
  }
}
