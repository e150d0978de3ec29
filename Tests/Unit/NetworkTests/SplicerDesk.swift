import Blocks
import StationSupport
import Units

@testable import Network

/// A splicer with a simulated clock. A simulated listener plays in real time or at the end.
struct SplicerDesk: ~Copyable {
  private let arena: Arena
  private let ring: UnsafePointer<BlockRing>
  private let room = UnsafeMutableRawPointer.allocate(byteCount: 8_192, alignment: 16)
  private var reader: BlockReader
  var splicer: StreamSplicer
  var now = MonotonicTime(seconds: 1_000)
  private(set) var stitches: [Stitch] = []
  /// The time of each stitch.
  private(set) var moments: [MonotonicTime] = []

  /// True if the listener plays while time passes.
  var listens = false
  /// Seconds without audio for the listener.
  private(set) var silence = 0.0
  /// Seconds of time not yet played.
  private var due = 0.0
  private var (bytes, gaps, count): ([UInt8], [Int], Int) = ([], [], 0)

  init(blockCount: Int = 300) throws {
    self.init(try Arena(MemoryBudget(blockCount: blockCount, standbyCount: 1).total), blockCount)
  }

  // Swift 6.2.3 does not compile an initializer that throws before all properties are set.
  private init(_ arena: Arena, _ blockCount: Int) {
    self.arena = arena
    ring = BlockRing.make(blockCount: blockCount, in: arena)
    reader = BlockReader(ring)
    splicer = StreamSplicer(BlockWriter(ring))
    splicer.begin(epoch: 1)
  }

  deinit { room.deallocate() }

  /// Creates a window for a second connection; nil if the ring is too small.
  func makeWindow() -> SecondWindow? { ring.pointee.makeStandby(in: arena).map { SecondWindow($0) } }

  /// Accepts a burst at once.
  mutating func take(_ packets: some Sequence<Clip.Packet>) {
    for packet in packets { note(packet.bytes.withUnsafeBytes { splicer.accept(packet.info, $0, at: now) }) }
  }

  /// Advances the clock by `seconds`.
  mutating func wait(_ seconds: Double) {
    now = now + Duration(seconds: seconds)
    if listens { hear(seconds) }
    note(splicer.settleInTime(at: now))
  }

  mutating func end() { note(splicer.settle(isOver: true)) }

  private mutating func note(_ stitch: Stitch?) {
    guard let stitch else { return }
    stitches.append(stitch)
    moments.append(now)
  }

  /// Plays `seconds` of audio.
  mutating func hear(_ seconds: Double) {
    due += seconds
    while due > 0 {
      guard let duration = hearPacket() else {
        silence += due
        due = 0
        return
      }
      due -= duration
    }
  }

  private mutating func hearPacket() -> Double? {
    guard let held = reader.next(into: room) else { return nil }
    bytes += UnsafeRawBufferPointer(start: room, count: held.info.byteCount)
    if held.info.followsGap { gaps.append(count) }
    count += 1
    return held.info.duration.seconds
  }

  /// All published bytes, and the packets that are marked with a preceding gap.
  mutating func published() -> (bytes: [UInt8], gaps: [Int]) {
    while hearPacket() != nil {}
    return (bytes, gaps)
  }
}
