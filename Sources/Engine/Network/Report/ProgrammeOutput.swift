import Blocks
import System
import Units

/// Sends a programme's packets to the block ring, its titles and notices to the control thread. Net thread only.
final class ProgrammeOutput {
  private var splicer: StreamSplicer
  private var feeds: MetadataFeeds
  private var placer = TitlePlacer()
  private let memory: NetMemory
  /// Number of the session, for its set-ups.
  private let programme: Int
  private let raisePackets: () -> Void
  private var epoch: UInt32 = 0
  /// True if the ring is the one that is heard. Notices of other programmes wait in `digest`.
  private(set) var isHeard: Bool
  private(set) var digest = ProgrammeDigest()
  /// Frees blocks of the heard ring for a programme that is not heard.
  var lender: (Int) -> Bool = { _ in false }

  /// Minimum audio left to play for checks every 200 ms. A station without a burst starts with only 1 s.
  private static let ease = StreamTime(seconds: 0.75)

  /// `standby`: the ring of a programme that is not heard; nil for the heard ring. `programme`: number of the session.
  init(
    _ memory: NetMemory, standby: UnsafePointer<BlockRing>?, programme: Int = 0, _ feeds: consuming MetadataFeeds,
    raisePackets: @escaping () -> Void
  ) {
    splicer = StreamSplicer(BlockWriter(standby ?? memory.ring))
    isHeard = standby == nil
    self.feeds = feeds
    (self.memory, self.programme, self.raisePackets) = (memory, programme, raisePackets)
  }

  // MARK: The programme

  /// Drops the buffered audio. Further packets belong to the programme `epoch`.
  func begin(epoch: UInt32) {
    self.epoch = epoch
    digest = ProgrammeDigest()
    splicer.begin(epoch: epoch)
  }

  func finish() {
    splicer.finish()
    wakeReader()
  }

  func send(_ notice: NetNotice) {
    digest.record(notice)
    if isHeard { memory.notices.append(notice, epoch: epoch) }
  }

  /// Exchanges the rings with a programme that was not heard, and reports that programme as `epoch`.
  func exchange(with standby: ProgrammeOutput, epoch: UInt32) {
    settle()
    standby.settle()
    // The notices precede the audio, as for other programmes.
    for notice in standby.digest.notices(from: standby.start) { memory.notices.append(notice, epoch: epoch) }
    splicer.exchange(with: &standby.splicer, epoch: epoch)
    (isHeard, self.epoch) = (false, 0)
    (standby.isHeard, standby.epoch) = (true, epoch)
    standby.wakeReader()
  }

  /// Counts the audio before `time` as played, for a programme that is not heard.
  func skip(to time: StreamTime) { splicer.writer.skip(to: time) }

  /// True if a standby ring has no room for a read, so that only a skip frees blocks.
  var isRingFull: Bool { splicer.writer.isRingFull }

  /// True if the next audio, or the audio shortly before, belongs to an announced ad. A return starts with a whole
  /// block, and thus may repeat some audio.
  var isAtAd: Bool { digest.isAd(at: time - ahead) || digest.isAd(at: time - ahead - Self.returnMargin) }

  private static let returnMargin = StreamTime(seconds: 0.5)

  /// Stream time of the oldest buffered packet.
  private var start: StreamTime { time - buffered }

  // MARK: Packets

  /// Starts the search for the stitch of a new connection. `comeAgain`: its first packets are certainly buffered.
  /// `byAudio`: its packets may be of another encoder, so that the decode thread joins them.
  func join(comeAgain: Bool = false, byAudio: Bool = false) {
    settle()
    splicer.join(comesAgain: comeAgain, byAudio: byAudio && isHeard)
  }

  /// Starts a connection of a station, before its first packet: it may begin with a pre-roll.
  func beginOpening() {
    settle()
    splicer.beginOpening()
  }

  /// Records that the next packets are not the first ones of a connection.
  func endOpening() { splicer.endOpening() }

  /// Records a packet that is dropped because it was received before.
  func pass(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) { splicer.pass(info, bytes) }

  /// True if the station has sent a pre-roll.
  var sendsPreroll: Bool { splicer.sendsPreroll }

  /// Continues with the packets of a second connection, if their place is proven.
  func proceed(with window: SecondWindow, at now: MonotonicTime) -> SecondJoin {
    let start = time
    let join = splicer.proceed(with: window, at: now)
    guard case .joined(let overlap, let preroll) = join else { return join }
    send(.stitched(Stitch(overlap: overlap, lost: .zero, isExact: true, isEstimated: false)))
    for (title, after, isRepeated) in window.titles(after: preroll + overlap) where isWanted(title) {
      report(placer.place(ReleasedTitle(title: title, at: start + after, isRepeated: isRepeated)))
    }
    wakeReader()
    return join
  }

  /// Sets the time of the programme's first packet, which must come next.
  func start(at time: StreamTime) { splicer.writer.start(at: time) }

  /// `title`: the title that begins with the packet. Reports the title first, so that no packet precedes its title.
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?, at now: MonotonicTime) {
    if let title { accept(title) }
    reportStitch(splicer.accept(info, bytes, at: now))
  }

  /// `start`: time of the programme's first packet; nil for all others.
  func accept(
    ofFile info: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, at now: MonotonicTime
  ) {
    if let start { splicer.writer.start(at: start) }
    _ = splicer.accept(info, bytes, at: now)
  }

  func number(of setup: CodecSetup) -> UInt8 { memory.setups.number(of: setup, in: programme) }

  /// Returns the number of blocks the ring needs for packets of that size; nil if four packets fit.
  func blocksNeeded(for byteCount: Int) -> Int? { splicer.writer.blocksNeeded(for: byteCount) }

  /// Records the end of a connection. `lag`: seconds of delay because its server had been paused.
  func endConnection(lag: Double) { splicer.endConnection(lag: lag) }

  /// Decides the stitch of the staged packets now, since their connection has ended.
  func settle() { reportStitch(splicer.settle(isOver: true)) }

  /// Decides the stitch of the staged packets on timeout, or if `isFull`: no further packet can be staged.
  func settle(at now: MonotonicTime, isFull: Bool) {
    reportStitch(isFull ? splicer.settle() : splicer.settleInTime(at: now))
  }

  private func reportStitch(_ stitch: Stitch?) {
    guard let stitch else { return }
    send(.stitched(stitch))
    for title in splicer.removeReleasedTitles() where isWanted(title.title) { report(placer.place(title)) }
    wakeReader()
  }

  func wakeReader() { if isHeard, isAwaited { raisePackets() } }

  // MARK: Titles

  func beginTitles(_ request: StationRequest) {
    feeds.begin(request)
    forgetTitles()
  }

  func forgetTitles() { placer = TitlePlacer() }

  func setTitleRequests(_ isWanted: Bool, _ request: StationRequest) {
    if isWanted { feeds.start(request) } else { feeds.end() }
  }

  func answered(by server: String?, hasTitles: Bool) { feeds.answered(by: server, hasTitles: hasTitles) }

  var titlePort: Int? { feeds.port }

  var descriptor: Int32? { feeds.descriptor }

  func accept(_ title: StationTitle) {
    if let time = splicer.accept(title) { accept(title, at: time) }
  }

  func accept(_ title: StationTitle, at time: StreamTime) {
    if isWanted(title) { report(placer.place(title, at: time)) }
  }

  /// False for a title of the stream while an external feed has titles.
  private func isWanted(_ title: StationTitle) -> Bool { title.ad != nil || !feeds.isResponding }

  private func report(_ notice: NetNotice?) { if let notice { send(notice) } }

  // MARK: Room

  var time: StreamTime { splicer.writer.time }

  /// Buffered audio that is not yet decoded.
  var ahead: StreamTime { splicer.writer.ahead }

  var buffered: StreamTime { splicer.writer.held }

  var seeksPlace: Bool { splicer.deadline != nil }

  /// Frees blocks, with `wraps` also blocks that are not played yet. Returns false if too few can be freed.
  func makeRoom(_ count: Int, wraps: Bool = false) -> Bool {
    splicer.writer.makeRoom(count, wraps: wraps)
      || !isHeard && splicer.writer.lacksPool(count) && lender(count) && splicer.writer.makeRoom(count, wraps: wraps)
  }

  func canFree(_ count: Int) -> Bool { splicer.writer.canFree(count) }

  /// Returns the blocks that must be free for a read. `byteCount`: bytes of an incomplete packet.
  func room(beside byteCount: Int) -> Int { splicer.writer.room(beside: byteCount) }

  /// Maximum number of blocks that playback can free while packets are staged.
  var maxFree: Int { splicer.writer.maxFree }

  /// Records that a server faster than real time is slowed down.
  func throttle() { splicer.recordThrottle() }

  func recordPause() { splicer.recordPause() }

  var isAwaited: Bool { splicer.writer.isAwaited }

  var isPaused: Bool { isHeard && memory.board.pointee.isPaused.load(ordering: .acquiring) }

  /// True while playback waits for audio because the buffer ran empty.
  var isRefilling: Bool {
    isHeard && memory.board.pointee.decodeWait.load(ordering: .acquiring) == .hold
      && memory.board.pointee.heardEpoch.load(ordering: .acquiring) == epoch
  }

  var isRecorded: Bool { isHeard && memory.board.pointee.isRecorded.load(ordering: .relaxed) }

  // MARK: Time

  /// `wall`: `now` in seconds since 1970.
  func poll(_ onAir: OnAir?, at now: MonotonicTime, wall: Double) {
    let found = feeds.poll(onAir, at: now)
    guard let onAir else { return }
    for title in found {
      report(placer.place(beside: title.title, of: title.moment, on: onAir, delay: feeds.delay, at: now, wall: wall))
    }
  }

  func due(_ onAir: OnAir?, at now: MonotonicTime) -> MonotonicTime {
    min(splicer.deadline ?? .never, feeds.due(onAir))
  }

  /// True if enough is buffered that a check every 200 ms suffices.
  var isAtEase: Bool {
    !seeksPlace && (ahead >= StreamTime(seconds: 1) || unplayed >= Self.ease)
  }

  /// Received audio that is not played yet; zero before the programme plays. Audio that a reader has taken from a pipe
  /// does not count: this audio cannot prevent an underrun of the pipe.
  private var unplayed: StreamTime {
    guard isHeard, memory.board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return .zero }
    let later = memory.board.pointee.readerDelay.load(ordering: .relaxed)
    return time - StreamTime(ticks: memory.board.pointee.heard.load(ordering: .relaxed) + later)
  }
}
