import Synchronization
import Units

@testable import Blocks

// The invariants of the rings. `checkInvariants` returns the violated ones; tests call it after every step.

/// Collects violated invariants.
struct InvariantCheck {
  private(set) var broken: [String]

  init(_ broken: [String] = []) { self.broken = broken }

  var isWhole: Bool { broken.isEmpty }

  mutating func require(_ isSo: Bool, _ sentence: @autoclosure () -> String) {
    if !isSo { broken.append(sentence()) }
  }
}

extension FileQueue {
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (read, written) = (read.load(ordering: .acquiring), written.load(ordering: .acquiring))
    check.require(read >= 0 && read <= written && written - read <= Self.slotCount, "slots \(read) ..< \(written)")
    guard check.isWhole else { return check.broken }
    for number in read..<written {
      let slot = slot(number)
      let count = slot.packetCount
      check.require(
        slot.byteCount <= Self.payloadByteCount && count <= Self.maxPackets, "slot \(number) holds too much")
      check.require(slot.wholePackets(in: slot.byteCount) == slot.byteCount, "slot \(number) ends within a packet")
    }
    return check.broken
  }
}

extension MonitorRing {
  /// Returns violated invariants of a ring that received `frameCount` frames while copying was on.
  func checkInvariants(given frameCount: Int) -> [String] {
    var check = InvariantCheck()
    check.require(count == frameCount, "\(count) frames are counted, and \(frameCount) were given")
    return check.broken
  }
}

extension PeriodRing {
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (read, written) = (read.load(ordering: .acquiring), written.load(ordering: .acquiring))
    check.require(read >= 0 && read <= written && written - read <= Self.capacity, "periods \(read) ..< \(written)")
    guard check.isWhole else { return check.broken }
    for number in read..<written {
      let period = periods[Self.slot(number)]
      let count = Int(period.frameCount)
      check.require((0...Period.frameCapacity).contains(count), "period \(number) has \(count) frames")
      check.require((1...Period.channels).contains(Int(period.sourceChannels)), "period \(number) has no channels")
      guard check.isWhole else { return check.broken }
      let heard = samples + Self.slot(number) * Period.sampleCapacity()
      let isBounded = (0..<count * Period.channels).allSatisfy {
        heard[$0] >= Period.lowestSample && heard[$0] <= Period.highestSample
      }
      check.require(isBounded, "a sample of period \(number) has more than 24 bits")
    }
    return check.broken
  }
}

extension BlockPool {
  /// Indices of the free blocks as far as the list is intact. Valid only while no thread uses the pool.
  var freeBlocks: [UInt32] {
    var found: [UInt32] = []
    var index = UInt32(truncatingIfNeeded: head.load(ordering: .acquiring))
    while index != Self.none, Int(index) < count, found.count < count {
      found.append(index)
      index = next[Int(index)].load(ordering: .relaxed)
    }
    return found
  }

  /// Returns violated invariants. Valid only while no thread uses the pool.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let free = freeBlocks
    check.require(Set(free).count == free.count, "a block is free twice: \(free)")
    check.require(free.count == available, "\(free.count) blocks are free, and \(available) are counted")
    return check.broken
  }
}

extension BlockReclaimer {
  /// Checks that all deferred blocks precede the block `first`, and returns their pool indices.
  func deferredBlocks(before first: Int, _ check: inout InvariantCheck) -> [UInt32] {
    var blocks: [UInt32] = []
    for place in deferred.indices where deferred[place].isThere {
      var index = deferred[place].index
      for _ in 0..<runCount(deferred[place]) {
        blocks.append(index)
        index = pool.pointee.block(index).pointee.next
      }
      check.require(deferred[place].sequence < first, "block \(deferred[place].sequence) is held and deferred")
    }
    return blocks
  }
}

extension PacketPlace {
  /// Returns true if the position is at a packet of the block, or after the block's last packet.
  func isWithin(_ index: UInt32, in ring: UnsafePointer<BlockRing>) -> Bool {
    let block = ring.pointee.pool.pointee.block(index)
    return offset ?? Int(block.pointee.firstOffset) <= block.pointee.used.load(ordering: .acquiring)
  }
}

extension BlockRing {
  /// Returns violated invariants. Valid only while writer and reader are idle.
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

  /// Returns bytes and ticks of a block's packets, and checks that they end at `used`.
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

extension BlockWriter {
  /// Returns violated invariants of writer, ring and pool. Valid only while the reader is idle.
  func checkInvariants() -> [String] {
    var check = InvariantCheck(ring.pointee.checkInvariants() + pool.pointee.checkInvariants())
    let first = ring.pointee.first.load(ordering: .relaxed)
    check.require(stagedBlocks >= 0 && end - first + stagedBlocks <= ring.pointee.slotCount, "\(stagedBlocks) wait")
    check.require(!isOpen || first < end, "a block is being filled that is not there")
    guard check.isWhole else { return check.broken }
    for sequence in end..<(end + stagedBlocks) where ring.pointee.block(sequence).pointee.runIndex == 0 {
      _ = ring.pointee.content(of: sequence, &check)
    }
    var blocks = pool.pointee.freeBlocks
    for sequence in first..<(end + stagedBlocks) { blocks.append(slot(sequence)) }
    blocks += reclaimer.deferredBlocks(before: first, &check)
    check.require(
      blocks.sorted() == (0..<UInt32(pool.pointee.count)).map { $0 },
      "each block is free, held, waiting or deferred, once: \(blocks)")
    return check.broken
  }
}

extension BlockReader {
  /// Returns violated invariants. Valid only while the writer is idle.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (pin, probe) = (ring.pointee.pin.load(ordering: .relaxed), ring.pointee.probe.load(ordering: .relaxed))
    check.require(pin == sequence, "block \(pin) is pinned, and \(sequence) is read")
    check.require(rest.byteCount >= 0, "\(rest.byteCount) bytes are to be read on")
    check.require(probe == BlockRing.noBlock, "block \(probe) is looked at by nobody")
    let (first, end) = (ring.pointee.first.load(ordering: .acquiring), ring.pointee.end.load(ordering: .acquiring))
    check.require(sequence <= end, "block \(sequence) is read, and \(end) is the next")
    if (first..<end).contains(sequence) {
      let index = ring.pointee.slot(sequence).pointee.load(ordering: .relaxed)
      check.require(place.isWithin(index, in: ring), "the place lies beyond the packets of block \(sequence)")
    }
    return check.broken
  }
}

extension BlockCursor {
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (pin, end) = (ring.pointee.cursorPin.load(ordering: .relaxed), ring.pointee.end.load(ordering: .acquiring))
    check.require(pin == BlockRing.noBlock, "block \(pin) is copied from by nobody")
    check.require(sequence <= end, "block \(sequence) is next, and \(end) is not written yet")
    return check.broken
  }
}
