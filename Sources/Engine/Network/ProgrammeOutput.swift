import Blocks
import Units

/// Where a programme's packets, titles and notices go: into the block ring, and to the control thread. The net
/// thread's.
final class ProgrammeOutput {
  private var splicer: StreamSplicer
  private let setups: SetupTable
  private var feeds: MetadataFeeds
  private let notices: NoticeSender
  private let board: UnsafePointer<StatusBoard>
  private let raisePackets: () -> Void
  private var epoch: UInt32 = 0

  /// Of the second that a station without a burst begins with, what has to be left before 200 ms may pass unseen.
  private static let ease = StreamTime(seconds: 0.75)

  /// An output into `writer`'s ring and to `notices`, which sees by `board` what is heard; `raisePackets` calls those
  /// who wait for packets, and what these need to be decoded goes into `setups`.
  init(
    _ writer: consuming BlockWriter, _ setups: SetupTable, _ feeds: consuming MetadataFeeds, _ notices: NoticeSender,
    _ board: UnsafePointer<StatusBoard>, raisePackets: @escaping () -> Void
  ) {
    splicer = StreamSplicer(writer)
    self.setups = setups
    self.feeds = feeds
    (self.notices, self.board, self.raisePackets) = (notices, board, raisePackets)
  }

  // MARK: The programme

  /// Forgets what is held: what comes is of the programme `epoch`.
  func begin(epoch: UInt32) {
    self.epoch = epoch
    notices.begin(epoch: epoch)
    splicer.begin(epoch: epoch)
  }

  /// No more comes of the programme. Who waits for packets is called: what is held is all that there is.
  func finish() {
    splicer.finish()
    callReader()
  }

  /// Tells something of the programme.
  func tell(_ notice: NetNotice) { notices.send(notice) }

  /// Tells of a list that was opened.
  func tell(_ list: FileList) { notices.send(list) }

  // MARK: Packets

  /// A new connection's packets come: their place in what is held is sought. The first of them `comeAgain` where they
  /// are held for certain.
  func join(comeAgain: Bool = false) {
    settle()
    splicer.join(comesAgain: comeAgain)
  }

  /// The programme's first packet, which comes next, sounds at a time.
  func start(at time: StreamTime) { splicer.writer.start(at: time) }

  /// Takes a packet of a station.
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) {
    joined(splicer.take(info, bytes, at: now))
  }

  /// Takes a packet of a file, which sounds at `start` where it is the programme's first.
  func take(
    ofFile info: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, at now: MonotonicTime
  ) {
    if let start { splicer.writer.start(at: start) }
    _ = splicer.take(info, bytes, at: now)
  }

  /// The number of what the packets that come need to be decoded.
  func number(of setup: CodecSetup) -> UInt8 { setups.number(of: setup) }

  /// So many blocks the ring would need for packets of so many bytes; nil where it holds four of them.
  func blocksNeeded(for byteCount: Int) -> Int? { splicer.writer.blocksNeeded(for: byteCount) }

  /// A connection is over; its last packet came so many seconds late, because its server had been made to wait.
  func leave(lag: Double) { splicer.leave(lag: lag) }

  /// Publishes what waits for its place, now that its connection is over.
  func settle() { joined(splicer.settle(isOver: true)) }

  /// Publishes it when time is up, or `isFull` says that no more can come.
  func settle(at now: MonotonicTime, isFull: Bool) {
    joined(isFull ? splicer.settle() : splicer.settleInTime(at: now))
  }

  /// Tells how a new connection was joined, and the titles that waited for it.
  private func joined(_ stitch: Stitch?) {
    guard let stitch else { return }
    tell(.stitched(stitch))
    for title in splicer.releasedTitles() { if let notice = feeds.take(title) { tell(notice) } }
    callReader()
  }

  /// Calls whoever waits for packets.
  func callReader() { if isAwaited { raisePackets() } }

  // MARK: Titles

  /// Begins the titles of a programme.
  func beginTitles(_ request: StationRequest) { feeds.begin(request) }

  /// The listener goes to another place of a file, whose titles come again.
  func forgetTitles() { feeds.forgetTitles() }

  /// Begins or ends asking for titles beside the stream; without effect where the station has none.
  func askForTitles(_ isWanted: Bool, _ request: StationRequest) {
    if isWanted { feeds.start(request) } else { feeds.end() }
  }

  /// A stream's server answered, with titles in its stream or not.
  func answered(by server: String?, hasTitles: Bool) { feeds.answered(by: server, hasTitles: hasTitles) }

  /// The UDP port at which titles are expected; nil where none are.
  var titlePort: Int? { feeds.port }

  /// What poll(2) can wait for, beside the transfers.
  var descriptor: Int32? { feeds.descriptor }

  /// The title of a metadata block; nil where it has none.
  func title(in block: Span<UInt8>) -> StationTitle? { feeds.title(in: block) }

  /// Takes a title that stands before the next packet.
  func take(_ title: StationTitle) {
    guard let time = splicer.take(title), let notice = feeds.take(title, at: time) else { return }
    tell(notice)
  }

  /// Takes a title that begins at a time, which may be to come.
  func take(_ title: StationTitle, at time: StreamTime) {
    if let notice = feeds.take(title, at: time) { tell(notice) }
  }

  // MARK: Room

  /// The time of the packet that comes next.
  var time: StreamTime { splicer.writer.time }

  /// What is held and not decoded.
  var ahead: StreamTime { splicer.writer.ahead }

  /// What is held in all.
  var held: StreamTime { splicer.writer.held }

  /// Whether packets wait for their place.
  var seeksPlace: Bool { splicer.deadline != nil }

  /// Makes so many blocks free; dropping what was not heard, if it `wraps`. False where that is not possible.
  func makeRoom(_ count: Int, wraps: Bool = false) -> Bool { splicer.writer.makeRoom(count, wraps: wraps) }

  /// Whether so many blocks could be made free.
  func canFree(_ count: Int) -> Bool { splicer.writer.canFree(count) }

  /// Blocks that have to be free for a read beside which so many bytes wait to become packets.
  func room(beside byteCount: Int) -> Int { splicer.writer.room(beside: byteCount) }

  /// Blocks that could be free whatever is heard meanwhile.
  var mostFree: Int { splicer.writer.mostFree }

  /// The server sends faster than real time and is slowed down.
  func throttle() { splicer.throttle() }

  /// The connection is made to wait, whatever the reason.
  func holdUp() { splicer.holdUp() }

  /// Whether somebody waits for packets.
  var isAwaited: Bool { splicer.writer.isAwaited }

  /// Whether somebody records what comes.
  var isRecorded: Bool { board.pointee.isRecorded.load(ordering: .relaxed) }

  // MARK: Time

  /// Does what is due of notices and titles.
  func poll(_ onAir: OnAir?, at now: MonotonicTime) {
    for notice in feeds.poll(onAir, at: now) { tell(notice) }
  }

  /// Sends notices that found no room.
  func flush() { notices.flush() }

  /// When something is due of packets, notices and titles.
  func due(_ onAir: OnAir?, at now: MonotonicTime) -> MonotonicTime {
    min(splicer.deadline ?? .never, notices.due(at: now), feeds.due(onAir))
  }

  /// Whether so much is held that looking every 200 ms is enough.
  var isAtEase: Bool {
    !seeksPlace && notices.isEmpty && (ahead >= StreamTime(seconds: 1) || unheard >= Self.ease)
  }

  /// What has come and is still to be heard, decoded or not; zero before the programme sounds. What a pipe's reader
  /// holds beyond the pipe is of no use where more is needed.
  private var unheard: StreamTime {
    guard board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return .zero }
    let later = board.pointee.readerDelay.load(ordering: .relaxed)
    return time - StreamTime(ticks: board.pointee.heard.load(ordering: .relaxed) + later)
  }
}
