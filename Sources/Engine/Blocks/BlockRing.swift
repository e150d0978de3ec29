import Synchronization
import Units

/// The radio's memory: whole packets in blocks, in the order of the programme, shared by one writer and one reader.
///
/// Blocks are numbered from 0 up; those from `first` to before `end` are held. The writer appends and, when the pool is
/// empty, drops the oldest block that was heard. The reader stands anywhere in what is held and moves at will: a rewind
/// moves an index and copies nothing. The reader pins the block it stands in, so a drop never pulls it away; all blocks
/// before that one were heard. A block that it only looks at, on its way to another place, has a pin of its own, which
/// protects it and says nothing of what was heard.
public struct BlockRing: ~Copyable, @unchecked Sendable {
  /// The number of no block.
  static let noBlock = -1

  let pool: UnsafePointer<BlockPool>
  private let slots: UnsafeMutablePointer<Atomic<UInt32>>
  let slotCount: Int

  let first = Atomic<Int>(0)
  let end = Atomic<Int>(0)
  /// The block that the reader stands in; the writer may drop those before it.
  let pin = Atomic<Int>(0)
  /// The block that the reader looks at while it searches; `noBlock` while it does not.
  let probe = Atomic<Int>(noBlock)
  /// The block that a cursor copies from; `noBlock` where none does.
  let cursorPin = Atomic<Int>(noBlock)
  /// Stream time at the beginning of the oldest packet held.
  let oldestTicks = Atomic<Int64>(0)
  /// Stream time at the beginning of the newest block, or of the newest packet's run.
  let newestTicks = Atomic<Int64>(0)
  /// Stream time at the end of the newest packet.
  let endTicks = Atomic<Int64>(0)
  /// Bytes of packets in the programme so far.
  let writtenBytes = Atomic<Int>(0)
  /// Stream time at which the reader stands.
  let readTicks = Atomic<Int64>(0)
  /// Whether the reader sleeps until packets come.
  let isAwaited = Atomic<Bool>(false)
  /// The programme being written; `ended` tells that its last packet is in.
  let epoch = Atomic<UInt32>(0)
  let endedEpoch = Atomic<UInt32>(0)
  /// Stream time of the first packet written: zero but where a file is begun in its midst.
  let startTicks = Atomic<Int64>(0)

  static func cost(_ blockCount: Int) -> ByteCount {
    Arena.cost(of: BlockRing.self) + Arena.cost(of: BlockPool.self)
      + Arena.cost(of: Atomic<UInt32>.self, count: blockCount)
  }

  private init(pool: UnsafePointer<BlockPool>, slots: UnsafeMutablePointer<Atomic<UInt32>>, slotCount: Int) {
    self.pool = pool
    self.slots = slots
    self.slotCount = slotCount
  }

  /// A ring over a new pool of `blockCount` blocks, all in an arena.
  public static func make(blockCount: Int, in arena: Arena) -> UnsafePointer<BlockRing> {
    let pool = arena.reserve(BlockPool.self)
    pool.initialize(to: BlockPool(blockCount, in: arena))
    let slots = arena.reserve(Atomic<UInt32>.self, count: blockCount)
    for slot in 0..<blockCount { (slots + slot).initialize(to: Atomic(0)) }
    let ring = arena.reserve(BlockRing.self)
    ring.initialize(to: BlockRing(pool: UnsafePointer(pool), slots: slots, slotCount: blockCount))
    return UnsafePointer(ring)
  }

  /// The slot of a block's number.
  func slot(_ sequence: Int) -> UnsafeMutablePointer<Atomic<UInt32>> { slots + sequence % slotCount }

  /// The header of a held block.
  func block(_ sequence: Int) -> UnsafeMutablePointer<Block> {
    pool.pointee.block(slot(sequence).pointee.load(ordering: .relaxed))
  }

  /// What is held and where the reader stands, for anybody who asks; any thread.
  public var statistics: BlockStatistics {
    let end = endTicks.load(ordering: .relaxed)
    let first = first.load(ordering: .relaxed)
    let blocks = max(0, self.end.load(ordering: .relaxed) - first)
    let oldest = oldestTicks.load(ordering: .relaxed)
    return BlockStatistics(
      blockCount: pool.pointee.count, usedCount: pool.pointee.count - pool.pointee.available, heldCount: blocks,
      playing: pin.load(ordering: .relaxed) % slotCount,
      ahead: StreamTime(ticks: max(0, end - max(oldest, readTicks.load(ordering: .relaxed)))),
      start: StreamTime(ticks: startTicks.load(ordering: .relaxed)), oldest: StreamTime(ticks: oldest),
      newestBlock: StreamTime(ticks: newestTicks.load(ordering: .relaxed)),
      written: StreamTime(ticks: end),
      byteCount: ByteCount(writtenBytes.load(ordering: .relaxed)))
  }

  /// The programme that is being written; any thread.
  public var writtenEpoch: UInt32 { epoch.load(ordering: .acquiring) }

  /// Whether the whole of the programme `epoch` has been written.
  public func hasEnded(_ epoch: UInt32) -> Bool { endedEpoch.load(ordering: .acquiring) == epoch }
}

extension BlockRing {
  /// The last block that begins at `time` or before, else the oldest one, found by halves; nil where nothing is held.
  /// `pin` protects a block while it is looked at, and is nil for one that was dropped; what it protected last is the
  /// block that was found.
  func find(at time: StreamTime, pin: (Int) -> UInt32?) -> (sequence: Int, index: UInt32)? {
    while true {
      var low = first.load(ordering: .sequentiallyConsistent)
      var high = end.load(ordering: .sequentiallyConsistent)
      guard low < high else { return nil }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        // What was dropped in the meantime lies before all that is looked for from then on.
        guard let index = pin(middle) else {
          low = middle
          continue
        }
        if pool.pointee.block(index).pointee.start <= time { low = middle } else { high = middle }
      }
      guard let index = pin(low) else { continue }
      // The last block of the newest packet's run was found where nothing follows it.
      let head = low - Int(pool.pointee.block(index).pointee.runIndex)
      if head == low { return (low, index) }
      if let index = pin(head) { return (head, index) }
    }
  }
}

extension BlockRing {
  /// The rules that are broken. Only while neither end moves.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (first, end) = (first.load(ordering: .acquiring), end.load(ordering: .acquiring))
    check.require(
      first >= 0 && first <= end && end - first <= slotCount, "blocks \(first) ..< \(end) in \(slotCount) slots")
    guard check.isWhole else { return check.broken }
    var time = oldestTicks.load(ordering: .relaxed)
    var byteCount = 0
    var newest = first
    for sequence in first..<end where self.block(sequence).pointee.runIndex == 0 {
      newest = sequence
      let block = block(sequence)
      let epoch = epoch.load(ordering: .relaxed)
      check.require(
        block.pointee.sequence == sequence && block.pointee.epoch == epoch,
        "block \(sequence) of \(epoch) is block \(block.pointee.sequence) of \(block.pointee.epoch)")
      check.require(
        block.pointee.start.ticks == time, "block \(sequence) begins at \(block.pointee.start), not \(time)")
      let (bytes, ticks) = content(of: sequence, &check)
      byteCount += bytes
      time += ticks
      checkRun(at: sequence, endingAt: time, &check)
    }
    let (last, newestStart) = (endTicks.load(ordering: .relaxed), newestTicks.load(ordering: .relaxed))
    check.require(last == time, "the newest packet ends at \(time), and \(last) is told")
    check.require(
      first == end || block(newest).pointee.start.ticks == newestStart, "the newest block begins at \(newestStart)")
    let written = writtenBytes.load(ordering: .relaxed)
    check.require(written >= byteCount, "\(byteCount) bytes are held of \(written) written")
    return check.broken
  }

  /// Whether the blocks of a run follow each other, by number and in the pool.
  private func checkRun(at sequence: Int, endingAt time: Int64, _ check: inout InvariantCheck) {
    let head = block(sequence)
    var next = head.pointee.next
    for place in 1..<max(1, Int(head.pointee.runCount)) {
      let index = slot(sequence + place).pointee.load(ordering: .relaxed)
      let block = pool.pointee.block(index)
      check.require(
        index == next && block.pointee.runIndex == UInt32(place) && block.pointee.runCount == head.pointee.runCount
          && block.pointee.start.ticks == time && block.pointee.sequence == sequence + place,
        "block \(sequence + place) is no part of the run of block \(sequence)")
      next = block.pointee.next
    }
  }

  /// The bytes and ticks of a block's packets, which fill it to the end from the first on.
  func content(of sequence: Int, _ check: inout InvariantCheck) -> (byteCount: Int, ticks: Int64) {
    let block = block(sequence)
    let payload = pool.pointee.payload(slot(sequence).pointee.load(ordering: .relaxed))
    let used = block.pointee.used.load(ordering: .acquiring)
    var offset = Int(block.pointee.firstOffset)
    check.require(
      offset < used && used <= Block.payloadByteCount, "block \(sequence) has packets at \(offset) ..< \(used)")
    var (byteCount, ticks) = (0, Int64(0))
    while offset < min(used, Block.payloadByteCount) {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      offset += record.cost
      byteCount += record.packetByteCount
      ticks += record.duration.ticks
    }
    let isRun = block.pointee.runCount > 1 && offset > Block.payloadByteCount && used == Block.payloadByteCount
    check.require(offset == used || isRun, "the packets of block \(sequence) end at \(offset), not \(used)")
    return (byteCount, ticks)
  }
}
