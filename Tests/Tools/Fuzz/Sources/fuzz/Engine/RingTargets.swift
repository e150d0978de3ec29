@testable import Blocks
import Glibc
import Units

/// Any series of what a writer and a reader of the ring may do, against a plain list of packets.
final class BlockKeeping: FuzzTarget {
  static let name = "blocks"
  static let longest = 600
  static let seeds: [[UInt8]] = [
    [0, 10, 10, 10, 5, 5, 5], [2, 10, 10, 2, 20, 20, 3, 1, 0, 5, 5, 5], [0, 200, 200, 200, 200, 6, 0, 1, 1, 5],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var bench = BlockBench()
    while !recipe.isOver { bench.step(&recipe) }
    bench.readAll()
  }
}

/// A ring with its two ends, and the list that it must be like.
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
  /// Behind the writer, whose lease ends in it.
  private let arena: Arena

  private var epoch: UInt32 = 1
  private var unread: [Packet] = []
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
    case 5, 6: for _ in 0...recipe.number(0...20) { read() }
    default: change(recipe.number(0...3))
    }
    check()
  }

  private mutating func packet(_ recipe: inout Recipe) -> Packet {
    let byteCount = 8 + recipe.number(0...249) * 20
    made += 1
    let format = PacketFormat(
      codec: recipe.pick([.mpegLayer3, .aac]), sampleRate: SampleRate(44_100), channels: 2, profile: 1)
    let info = PacketInfo(
      format: format, byteCount: byteCount, duration: StreamTime(ticks: Int64(byteCount) * 1_000),
      byteOffset: made * 5_000, followsGap: recipe.flag(), isFreeFormat: byteCount == 8)
    return Packet(info: info, mark: UInt8(truncatingIfNeeded: made &* 37))
  }

  private static func bytes(_ packet: Packet) -> [UInt8] {
    [1, 2, 3] + [UInt8](repeating: packet.mark, count: packet.info.byteCount - 4) + [4]
  }

  private mutating func append(_ packet: Packet) {
    if !staged.isEmpty { publish(dropping: 0, followsGap: false) }
    let isTaken = Self.bytes(packet).withUnsafeBytes { writer.append(packet.info, $0) }
    if isTaken { hold(packet) } else { expectFull() }
  }

  private mutating func stage(_ packet: Packet) {
    let isTaken = Self.bytes(packet).withUnsafeBytes { writer.stage(packet.info, $0) }
    if isTaken { staged.append(packet) } else { expectFull() }
  }

  private mutating func hold(_ packet: Packet) {
    var packet = packet
    packet.start = time
    time += packet.info.duration
    unread.append(packet)
  }

  private func expectFull() {
    let waiting = (unread + staged).count
    expect(waiting >= Self.blockCount - 3, "a packet is refused only where every block is in use")
  }

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

  private mutating func change(_ what: Int) {
    switch what {
    case 0:
      epoch += 1
      writer.begin(epoch: epoch)
      (unread, staged, time) = ([], [], .zero)
    case 1:
      writer.unstage()
      staged = []
    case 2:
      if !staged.isEmpty { publish(dropping: staged.count, followsGap: true) }
      writer.finish()
      expect(reader.hasEnded(epoch), "an end is seen")
    default: expect(reader.ahead() == unread.reduce(.zero) { $0 + $1.info.duration }, "what is ahead is what is unread")
    }
  }

  private mutating func read() {
    let held = room.baseAddress.flatMap { reader.next(into: $0) }
    guard let expected = unread.first else {
      expect(held == nil, "nothing is read that was not written")
      return
    }
    unread.removeFirst()
    guard let held else { fatalError("What was written can be read.") }
    expect(held.info == expected.info, "facts are kept: \(held.info) \(expected.info)")
    expect(held.start == expected.start, "time is kept")
    expect(held.epoch == epoch, "a packet belongs to the programme being written")
    let isSame = room.baseAddress.map { memcmp($0, Self.bytes(expected), held.info.byteCount) == 0 }
    expect(isSame == true, "bytes are kept")
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

/// Any series of events through a ring, against a list of them.
final class Events: FuzzTarget {
  static let name = "events"
  static let longest = 500
  static let seeds: [[UInt8]] = [[0, 0, 100, 0, 1, 0, 1, 1, 1], [0, 15, 0xFF, 0, 15, 0xFF, 1, 0, 15, 0xFF, 1, 1]]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    guard let arena = try? Arena(ByteCount(8_192)) else { fatalError("The fuzzer needs memory.") }
    let ring = EventRing.make(EventRing.decodeByteCount, in: arena)
    var waiting: [(kind: UInt32, payload: [UInt8])] = []
    var missed = 0
    while !recipe.isOver {
      expect(ring.pointee.checkInvariants() == [], "the ring's own rules hold")
      if recipe.flag() {
        Self.read(ring, &waiting)
      } else {
        let count = recipe.number(0...4_200)
        let kind = UInt32(recipe.byte())
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(kind)) }
        let used = waiting.reduce(0) { $0 + 16 + ($1.payload.count + 15) & ~15 }
        if payload.withUnsafeBytes({ ring.pointee.append(kind: kind, $0) }) {
          waiting.append((kind, payload))
          expect(used + 16 + count <= EventRing.decodeByteCount, "no event writes over another")
        } else {
          missed += 1
          expect(
            used > 0 || count > EventRing.decodeByteCount / 2 - 16, "an empty ring takes an event of half its size")
        }
        expect(ring.pointee.missedCount == missed, "what found no room is counted")
      }
    }
    while !waiting.isEmpty { Self.read(ring, &waiting) }
    Self.read(ring, &waiting)
  }

  private static func read(
    _ ring: UnsafePointer<EventRing>, _ waiting: inout [(kind: UInt32, payload: [UInt8])]
  ) {
    var found: (kind: UInt32, payload: [UInt8])?
    let isThere = ring.pointee.next { found = ($0, Array($1)) }
    expect(isThere == !waiting.isEmpty, "an event comes where one waits")
    guard isThere, let found else { return }
    let oldest = waiting.removeFirst()
    expect(found.kind == oldest.kind && found.payload == oldest.payload, "events come in order and whole")
  }
}
