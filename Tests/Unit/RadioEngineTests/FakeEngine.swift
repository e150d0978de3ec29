import AudioOutput
import Network
import Recordings
import Rendering
import Units

@testable import Blocks
@testable import RadioEngine

/// Replaces the threads of a radio: records orders and returns notices set by the test. The clock stands still until
/// the test moves it.
final class FakeEngine: EngineControl, OutputControl {
  enum Order: Equatable {
    case begin(String, UInt32, isPaused: Bool), beginAgain(StreamTime, UInt32, number: Int), end
    case follow(String?, token: Int)
    case rest, connectAgain, renew, titles(Bool), stop
    case adjust(RequestChange), use(HoldRule), useSecond(SecondSourceRule), prefetch(PrefetchRule)
    case pause(Bool), seek(StreamTime, UInt32, isExact: Bool), call, rescue, gain(Int32), tone(Bool), quiet(Int64)
    case start(StreamTime), refill(StreamTime), aim(StreamTime), keepDistance(Bool), record(Bool)
    case takeUp, discardStale, closeLost, setFormat
  }

  private var orders: [Order] = []
  /// The latest programme.
  private(set) var epoch: UInt32 = 0

  // MARK: Notices of the threads
  var now = MonotonicTime(milliseconds: 1_000_000)
  var slept = Duration.zero
  var netNotices: [(UInt32, NetNotice)] = []
  var decodeNotices: [(UInt32, DecodeNotice)] = []
  /// The audible position and its programme.
  var heard: (epoch: UInt32, place: AudiblePosition)?
  private(set) var positionReadCount = 0
  var finishedEpoch: UInt32 = 0
  var firstSound = MonotonicTime.zero
  var isSounding = false
  var isFirstChoiceReady = false
  var isFirstChoiceAtAd = false
  var underruns = 0
  var xruns = 0
  var playedFrames: Int64 = 0
  var waits = ThreadWaits(net: .bytes, decode: .hold, render: .idle)
  /// Stream times of the buffer, and the duration not decoded yet.
  var (start, oldest, written, ahead) = (StreamTime.zero, StreamTime.zero, StreamTime.zero, StreamTime.zero)
  var hasOverwritten = false
  var receivedEpoch: UInt32 = 0

  // The sink.
  var isCard = true
  var isRecoverable = true
  var absence: SinkError?
  var standing: SinkError?
  var failure: SinkError?
  var needsFormat = false
  /// True if the sink has played all its audio.
  var isReleased = true
  var hasUnheard = false
  /// Error of each attempt to open the sink; nil to succeed.
  var refusal: SinkError?
  /// Position after which audio is at a rate that this sink cannot play.
  var undecoded: StreamTime?

  private let arena: Arena
  let ring: UnsafePointer<BlockRing>
  let monitor: UnsafePointer<MonitorRing>
  private let files: OpenFiles

  init() throws {
    arena = try Arena(MemoryBudget(blockCount: BlockPool.minCount).total)
    ring = BlockRing.make(blockCount: BlockPool.minCount, in: arena)
    monitor = MonitorRing.make(in: arena)
    files = OpenFiles(FileQueue.make(in: arena))
  }

  /// The orders since the last call.
  func takeOrders() -> [Order] {
    defer { orders = [] }
    return orders
  }

  // MARK: Time and waiting

  let residentKibibytes = 5_000
  let descriptor: Int32 = -1
  let isLocked = false
  func wait(_ timeout: Duration, watching other: Int32) {}
  func stop() { orders.append(.stop) }

  // MARK: Programmes

  func begin(_ request: StationRequest, _ epoch: UInt32, isPaused: Bool, limit: StreamTime?, hold: HoldRule) {
    self.epoch = epoch
    orders.append(.begin(request.url.description, epoch, isPaused: isPaused))
    (aim, refill) = (.zero, hold.refill(isLive: true))
  }

  func beginAgain(_ request: StationRequest, _ epoch: UInt32, number: Int, limit: StreamTime?) {
    self.epoch = epoch
    orders.append(.beginAgain(request.start, epoch, number: number))
  }

  func endProgramme() { orders.append(.end) }
  func follow(_ request: StationRequest?, token: Int) {
    orders.append(.follow(request?.url.description, token: token))
  }
  func closeConnection() { orders.append(.rest) }
  func reconnect() { orders.append(.connectAgain) }
  func renewConnections() { orders.append(.renew) }
  func pollTitles(_ isWanted: Bool) { orders.append(.titles(isWanted)) }

  func adjust(_ change: RequestChange) { orders.append(.adjust(change)) }
  func use(_ hold: HoldRule) { orders.append(.use(hold)) }
  func use(_ rule: SecondSourceRule) { orders.append(.useSecond(rule)) }
  func prefetch(_ rule: PrefetchRule) { orders.append(.prefetch(rule)) }

  func nextNetNotice() -> (epoch: UInt32, notice: NetNotice)? { netNotices.isEmpty ? nil : netNotices.removeFirst() }

  func nextDecodeNotice() -> (epoch: UInt32, notice: DecodeNotice)? {
    decodeNotices.isEmpty ? nil : decodeNotices.removeFirst()
  }

  let missedNotices = 0

  // MARK: Sound

  func pause(_ isPaused: Bool) { orders.append(.pause(isPaused)) }
  func seek(to place: StreamTime, number: UInt32, isExact: Bool) {
    orders.append(.seek(place, number, isExact: isExact))
  }
  func wakeRenderThread() { orders.append(.call) }
  func rescue() { orders.append(.rescue) }
  func watchQuiet(below meanSquare: Int64) { orders.append(.quiet(meanSquare)) }
  var loopMilliseconds: Int64 = 0
  var quiet: (milliseconds: Int64, meanSquare: Int64) = (0, 0)
  func playTone(_ isOn: Bool) { orders.append(.tone(isOn)) }

  func playAlarmTone(_ isOn: Bool) { orders.append(.tone(isOn)) }
  func setGain(_ gain: Int32) { orders.append(.gain(gain)) }
  func gatherBeforeStart(_ hold: StreamTime) { orders.append(.start(hold)) }
  var refillHold: StreamTime {
    get { refill }
    set { (refill, orders) = (newValue, orders + [.refill(newValue)]) }
  }
  private var refill = StreamTime.zero
  var driftAim: StreamTime {
    get { aim }
    set { if newValue != aim { (aim, orders) = (newValue, orders + [.aim(newValue)]) } }
  }
  private var aim = StreamTime.zero
  func keepDistance(_ isKept: Bool) { orders.append(.keepDistance(isKept)) }
  func receiveForRecording(_ isRecorded: Bool) { orders.append(.record(isRecorded)) }

  // MARK: Facts

  func audiblePosition(of epoch: UInt32) -> AudiblePosition? {
    positionReadCount += 1
    return heard?.epoch == epoch ? heard?.place : nil
  }
  let byteOffset = 0
  let heartbeats = Heartbeats(net: 1, decode: 2, render: 3)
  let networkChanges: UInt32 = 0
  func removeServerTimes() -> [ServerTime] { [] }

  var blocks: BlockStatistics {
    BlockStatistics(
      blockCount: 16, usedCount: 4, heldCount: 4, playing: 0, ahead: ahead, start: start, oldest: oldest,
      newestBlock: written, written: written, hasOverwritten: hasOverwritten, byteCount: ByteCount(10_000))
  }
  func hasReceivedAll(of epoch: UInt32) -> Bool { receivedEpoch == epoch }
  func makeFileWriting() -> any FileWriting { files }

  // MARK: The sink

  var output: any OutputControl { self }
  let name = "card"
  let isRealtime = false
  let depth = 16
  let rate = SampleRate(44_100)
  let tapFormat: TapFormat? = nil
  var cardDelay = 0
  var readerDelay = StreamTime.zero

  func setFormat() throws(SinkError) -> Bool {
    orders.append(.setFormat)
    if let refusal { throw refusal }
    needsFormat = false
    return true
  }
  func release() -> Bool { isReleased }
  func consumeUnheardFlag() -> Bool {
    defer { hasUnheard = false }
    return hasUnheard
  }
  func reopen() throws(SinkError) {
    orders.append(.takeUp)
    if let refusal { throw refusal }
    failure = nil
  }
  func followRates() -> StreamTime? {
    defer { undecoded = nil }
    return undecoded
  }
  func discardStale() { orders.append(.discardStale) }
  func closeLost() { orders.append(.closeLost) }
}
