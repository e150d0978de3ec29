@testable import Blocks
import Glibc
import Units

/// Runs any operations of the ring's writer and reader and compares with a list of packets.
final class BlockKeeping: FuzzTarget {
  static let name = "blocks"
  static let longest = 600
  static let seeds: [[UInt8]] = [
    [0, 10, 10, 10, 5, 5, 5], [0, 253, 0, 0, 254, 0, 5, 1, 0, 5, 1, 7, 4, 9, 5, 0, 0],
    [2, 10, 10, 2, 20, 20, 3, 1, 0, 5, 5, 5], [0, 200, 200, 200, 200, 6, 0, 1, 1, 5],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var bench = BlockBench()
    while !recipe.isOver { bench.step(&recipe) }
    bench.readAll()
  }
}

private struct BlockBench: ~Copyable {
  private struct Packet {
    var info: PacketInfo
    var mark: UInt8
    var start = StreamTime.zero
  }

  private static let blockCount = 16
  private let ring: UnsafePointer<BlockRing>
  private var writer: BlockWriter
  private var reader: BlockReader
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 5_056, alignment: 16)
  /// Declared after the writer, because the writer's lease ends in the arena.
  private let arena: Arena

  private var epoch: UInt32 = 1
  private var unread: [Packet] = []
  /// The last read packet, and the number of its bytes read so far.
  private var last: (packet: Packet, count: Int)?
  /// True if unread packets may have been dropped.
  private var mayMiss = false
  private var staged: [Packet] = []
  private var time = StreamTime.zero
  private var made = 0

  init() {
    guard let arena = try? Arena(Self.cost) else {
      fatalError("The fuzzer needs memory.")
    }
    self.arena = arena
    ring = BlockRing.make(blockCount: Self.blockCount, in: arena)
    writer = BlockWriter(ring)
    reader = BlockReader(ring)
    writer.begin(epoch: epoch)
  }

  private static var cost: ByteCount { BlockPool.cost(blockCount) + BlockRing.cost(blockCount) }

  deinit { room.deallocate() }

  mutating func step(_ recipe: inout Recipe) {
    switch recipe.number(0...7) {
    case 0, 1: append(packet(&recipe))
    case 2, 3: stage(packet(&recipe))
    case 4: publish(dropping: recipe.number(0...40), followsGap: recipe.flag())
    case 5, 6: for _ in 0...recipe.number(0...20) { read(readsOn: recipe.byte() & 1 == 0) }
    default: change(recipe.number(0...5), &recipe)
    }
    check()
  }

  private mutating func packet(_ recipe: inout Recipe) -> Packet {
    // Some packets are larger than a block.
    let choice = recipe.number(0...255)
    let byteCount = choice < 250 ? 8 + choice * 20 : [5_032, 5_033, 10_088, 10_089, 20_000, 40_000][choice - 250]
    made += 1
    let format = PacketFormat(
      codec: recipe.pick([.mpegLayer3, .aac]), sampleRate: SampleRate(44_100), channels: 2, profile: 1,
      setup: UInt8(made & 0xFF))
    var info = PacketInfo(
      format: format, byteCount: byteCount, duration: StreamTime(ticks: Int64(byteCount) * 1_000),
      byteOffset: made * 5_000, followsGap: recipe.flag(), isFreeFormat: byteCount == 8)
    (info.beginsFile, info.isTrimmed) = (made & 7 == 1, made & 3 == 2)
    (info.mutedHead, info.mutedTail) = (made & 0xFFFF, made &* 77 & 0xFFFF)
    return Packet(info: info, mark: UInt8(truncatingIfNeeded: made &* 37))
  }

  private static func bytes(_ packet: Packet) -> [UInt8] {
    let part = min(4_000, packet.info.byteCount - 4)
    var bytes = [1, 2, 3] + [UInt8](repeating: packet.mark, count: part)
    // Each block of a run has different content.
    while bytes.count < packet.info.byteCount - 1 {
      let count = min(1_001, packet.info.byteCount - 1 - bytes.count)
      bytes += [UInt8](repeating: bytes[bytes.count - 1] &+ 1, count: count)
    }
    return bytes + [4]
  }

  private mutating func append(_ packet: Packet) {
    if !staged.isEmpty { publish(dropping: 0, followsGap: false) }
    let isTaken = Self.bytes(packet).withUnsafeBytes { writer.append(packet.info, $0) }
    if isTaken { hold(packet) } else { expectFull(packet) }
  }

  private mutating func stage(_ packet: Packet) {
    let isTaken = Self.bytes(packet).withUnsafeBytes { writer.stage(packet.info, $0) }
    if isTaken { staged.append(packet) } else { expectFull(packet) }
  }

  private mutating func hold(_ packet: Packet) {
    var packet = packet
    packet.start = time
    time += packet.info.duration
    unread.append(packet)
  }

  private func expectFull(_ packet: Packet) {
    let used = ring.pointee.statistics.usedCount
    expect(Self.blockCount - used < Self.blocks(packet), "a packet is refused only where its blocks are not free")
    // The reader may pin a block or run without unread packets, and the newest block may be empty.
    let waiting = (unread + staged).reduce(0) { $0 + Self.blocks($1) }
    expect(waiting + Block.runCount(40_000) + 1 >= used, "and where those in use hold something unread")
  }

  private static func blocks(_ packet: Packet) -> Int { Block.runCount(packet.info.byteCount) }

  private mutating func publish(dropping dropped: Int, followsGap: Bool) {
    let overlap = writer.publishStaged(dropping: dropped, followsGap: followsGap)
    let gone = staged.prefix(dropped).reduce(StreamTime.zero) { $0 + $1.info.duration }
    expect(overlap == gone, "what is dropped is told in time")
    var rest = staged.dropFirst(dropped)
    if var first = rest.popFirst() {
      first.info.followsGap = followsGap
      hold(first)
    }
    for packet in rest { hold(packet) }
    staged = []
  }

  private mutating func change(_ what: Int, _ recipe: inout Recipe) {
    switch what {
    case 0:
      epoch += 1
      writer.begin(epoch: epoch)
      (unread, staged, time, mayMiss) = ([], [], .zero, false)
    case 1:
      writer.unstage()
      staged = []
    case 2:
      if !staged.isEmpty { publish(dropping: staged.count, followsGap: true) }
      writer.finish()
      expect(reader.hasEnded(epoch), "an end is seen")
    case 3:
      let ahead = unread.reduce(StreamTime.zero) { $0 + $1.info.duration }
      expect(mayMiss ? reader.ahead() <= ahead : reader.ahead() == ahead, "what is ahead is what is unread")
    case 4:
      let count = recipe.number(0...Self.blockCount)
      let canFree = writer.canFree(count)
      expect(writer.makeRoom(count) == canFree, "what room can be made is known before")
      expect(!canFree || Self.blockCount - ring.pointee.statistics.usedCount >= count, "room that is made is there")
    default:
      mayMiss = mayMiss || !unread.isEmpty
      _ = writer.makeRoom(recipe.number(0...Self.blockCount), wraps: true)
    }
  }

  /// Reads the next packet. If `readsOn` is false, the rest of a long packet is read before the next packet.
  private mutating func read(readsOn: Bool = true) {
    readOn()
    let held = room.baseAddress.flatMap { reader.next(into: $0) }
    if mayMiss, let held { unread.removeAll { $0.start < held.start } }
    mayMiss = mayMiss && held == nil
    guard let expected = unread.first else {
      expect(held == nil, "nothing is read that was not written")
      last?.count = .max
      return
    }
    unread.removeFirst()
    guard let held else { fatalError("What was written can be read.") }
    expect(held.info == expected.info, "facts are kept: \(held.info) \(expected.info)")
    expect(held.start == expected.start, "time is kept")
    expect(held.epoch == epoch, "a packet belongs to the programme being written")
    last = (expected, 0)
    compare(held.firstByteCount)
    if readsOn { readOn() }
  }

  /// Reads the rest of the last packet. Its blocks stay pinned until then, whatever the writer does.
  private mutating func readOn() {
    while let (packet, count) = last, count < packet.info.byteCount {
      guard let start = room.baseAddress else { return }
      let more = reader.more(into: start)
      expect(more > 0, "a packet is read to its end")
      compare(more)
    }
  }

  /// Compares the last piece with the written bytes.
  private mutating func compare(_ count: Int) {
    guard let (packet, place) = last, let start = room.baseAddress else { return }
    expect(place + count <= packet.info.byteCount, "no more is read than was written")
    let isSame = Self.bytes(packet)[place...].withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp(start, $0, count) == 0 }
    }
    expect(isSame == true, "bytes are kept")
    last?.count = place + count
  }

  mutating func readAll() {
    while !unread.isEmpty { read() }
    read()
  }

  private func check() {
    let statistics = ring.pointee.statistics
    expect(writer.time == time && statistics.written == time, "the writer knows the time")
    expect((0...Self.blockCount).contains(statistics.usedCount), "blocks are neither lost nor made")
    expect(statistics.heldCount <= statistics.usedCount, "what is held is in use")
    expect(writer.checkInvariants() == [] && reader.checkInvariants() == [], "the ring's own rules hold")
  }
}
