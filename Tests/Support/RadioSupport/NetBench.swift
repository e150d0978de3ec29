import Blocks
import Foundation
import Network
import Synchronization
import System
import TestSupport
import Units

/// A net thread for tests: all notices are recorded, and buffered packets are read in real time as by a listener.
public final class NetBench {
  /// The net thread.
  public let net: NetThread
  /// All notices so far, with the time of each in seconds.
  public private(set) var notices: [(time: Double, notice: NetNotice)] = []
  /// The bytes of all packets read so far.
  public private(set) var readBytes: [UInt8] = []
  /// False if the listener has paused.
  public var isListening = true

  private let arena: Arena
  private let ring: UnsafePointer<BlockRing>
  private let queue: NoticeQueue<NetNotice>
  private let board: UnsafePointer<StatusBoard>
  private var reader: BlockReader
  private let (packets, notified) = (SharedWakeFlag(), SharedWakeFlag())
  private let room = UnsafeMutableRawPointer.allocate(byteCount: 8_192, alignment: 16)
  private var epoch: UInt32 = 0
  private var listenedUntil: Double?
  private let clock = TestClock.current.clock
  private var cursor = 0
  private let trace = EventTrace("net")

  /// Creates a thread with a ring of `blockCount` blocks, and rings for `standbyCount` stations on standby.
  /// `hasSecond`: true for memory for a second connection.
  public init(blockCount: Int = 300, standbyCount: Int = 0, hasSecond: Bool = false) throws {
    let ringCount = standbyCount + (hasSecond ? 1 : 0)
    arena = try Arena(MemoryBudget(blockCount: blockCount, standbyCount: ringCount).total)
    ring = BlockRing.make(blockCount: blockCount, in: arena)
    let rings = (0..<standbyCount).compactMap { [ring, arena] _ in ring.pointee.makeStandby(in: arena) }
    queue = NoticeQueue(capacity: 256, wake: notified)
    reader = BlockReader(ring)
    board = StatusBoard.make(in: arena)
    let second = hasSecond ? ring.pointee.makeStandby(in: arena) : nil
    let memory = NetMemory(ring, queue, board, standbyRings: rings, secondRing: second)
    net = try NetThread(memory, packets: packets, notified: notified, clock: clock)
  }

  deinit {
    net.quit()
    room.deallocate()
  }

  /// Tunes to an address.
  public func tune(_ url: String, _ adapt: (inout StationRequest) -> Void = { _ in }) {
    var request = StationRequest(url: url)
    adapt(&request)
    epoch += 1
    listenedUntil = nil
    net.tune(request, epoch: epoch)
  }

  /// Waits until the thread has applied all earlier commands. Returns false on a timeout. The thread fetches commands
  /// at the start of an iteration, counts the iteration, and then applies them.
  public func waitForCommands() -> Bool {
    let round = board.pointee.netBeat.load(ordering: .relaxed)
    return run { board.pointee.netBeat.load(ordering: .relaxed) &- round >= 3 }
  }

  /// Simulates the decode thread of a programme whose buffer ran empty, or was filled again.
  public func setRefilling(_ isRefilling: Bool) {
    board.pointee.heardEpoch.store(epoch, ordering: .releasing)
    board.pointee.decodeWait.store(isRefilling ? .hold : .packets, ordering: .releasing)
  }

  /// Duration of the unread packets, in seconds.
  public var ahead: Double { ring.pointee.statistics.ahead.seconds }
  /// Duration of the programme so far, in seconds.
  public var written: Double {
    let statistics = ring.pointee.statistics
    return (statistics.written - statistics.start).seconds
  }

  /// Listens until a condition holds. Returns false after `seconds`.
  public func run(_ seconds: Double = 60, until isDone: () -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isDone() {
      if monotonicSeconds() > deadline { return false }
      step()
    }
    return true
  }

  /// Listens for `seconds`.
  public func run(for seconds: Double) {
    let end = monotonicSeconds() + seconds
    _ = run(seconds + 1) { monotonicSeconds() >= end }
  }

  /// Reads all buffered packets at once.
  public func readAll() { while readPacket() {} }

  /// Runs `act`. Returns true if the thread then wakes a waiting reader within `seconds`.
  public func wakesReader(within seconds: Double = 20, by act: () -> Void) -> Bool {
    reader.await(true)
    packets.flag.clear()
    act()
    return packets.flag.wait(Duration(seconds: seconds), by: clock)
  }

  private func step() {
    notified.flag.wait(Duration(milliseconds: 50), by: clock)
    let now = monotonicSeconds()
    while let (epoch, notice) = queue.next() {
      guard epoch == self.epoch else { continue }
      notices.append((now, notice))
      trace?.append(notice, at: now)
    }
    guard isListening, listenedUntil != nil || reader.ahead().seconds > 1 else {
      if listenedUntil != nil { listenedUntil = now }
      return
    }
    var due = listenedUntil ?? now
    while due <= now, readPacket() { due += lastDuration }
    listenedUntil = max(due, now - 0.5)
  }

  private var lastDuration = 0.0

  private func readPacket() -> Bool {
    guard let held = reader.next(into: room) else { return false }
    lastDuration = held.info.duration.seconds
    if held.epoch == epoch { readBytes += UnsafeRawBufferPointer(start: room, count: held.info.byteCount) }
    return true
  }

  // MARK: Recorded notices

  /// Listens until the next notice that `wanted` accepts. Each notice is checked once. Returns nil on a timeout.
  public func next<Wanted>(within seconds: Double = 60, _ wanted: (NetNotice) -> Wanted?) -> Wanted? {
    var found: Wanted?
    _ = run(seconds) {
      while found == nil, cursor < notices.count {
        found = wanted(notices[cursor].notice)
        cursor += 1
      }
      return found != nil
    }
    return found
  }

  /// Listens until the next stitch. Returns nil on a timeout.
  public func nextStitch(within seconds: Double = 60) -> Stitch? {
    next(within: seconds) { if case .stitched(let stitch) = $0 { stitch } else { nil } }
  }

  /// Listens until the next connection. Returns false on a timeout.
  public func waitForConnection(within seconds: Double = 60) -> Bool {
    next(within: seconds) { if case .connected = $0 { true } else { nil } } ?? false
  }

  /// All stitches so far.
  public var stitches: [Stitch] {
    notices.compactMap { if case .stitched(let stitch) = $0.notice { stitch } else { nil } }
  }
  /// The reason for each reconnect so far.
  public var reasons: [String] {
    notices.compactMap { if case .reconnecting(_, _, let reason) = $0.notice { reason.sentence } else { nil } }
  }
  /// All faults so far.
  public var faults: [PlaybackFault] {
    notices.compactMap { if case .fault(let fault, _) = $0.notice { fault } else { nil } }
  }
  /// The fault that ended the programme.
  public var finalFault: PlaybackFault? {
    notices.lazy.compactMap { if case .fault(let fault, true) = $0.notice { fault } else { nil } }.first
  }
  /// The facts from the last connected station.
  public var facts: StationFacts? {
    notices.reversed().lazy.compactMap { if case .connected(let facts) = $0.notice { facts } else { nil } }.first
  }

  /// All titles so far, with their positions in the programme in seconds.
  public var titleTimes: [(text: String, at: Double)] {
    notices.compactMap { if case .title(let text, _, _, let at) = $0.notice { (text, at.seconds) } else { nil } }
  }

  /// All titles so far.
  public var titles: [String] {
    notices.compactMap { if case .title(let text, _, _, _) = $0.notice { text } else { nil } }
  }
  /// Number of times the ring was full.
  public var fullCount: Int { notices.count { $0.notice == .full } }
}
