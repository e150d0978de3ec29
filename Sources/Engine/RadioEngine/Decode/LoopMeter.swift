import Blocks
import Synchronization
import Units

/// Measures the duration for which a programme has repeated the same audio (F3), while `quietLimit` is set on the
/// `StatusBoard`. Compares the packets, and the samples of lossless codecs before their rate is converted.
///
/// Decode thread only.
struct LoopMeter {
  /// Number of bytes that the meter needs.
  static let byteCount =
    PacketLoop.wordCount * MemoryLayout<UInt64>.size + SampleLoops.wordCount * MemoryLayout<Int32>.size

  private let board: UnsafePointer<StatusBoard>
  private var packets: PacketLoop
  private var samples: SampleLoops
  private var rate = SampleRate(44_100)
  private var isRunning = false

  /// Creates a meter with `byteCount` bytes of memory, aligned for 64-bit words.
  init(_ memory: UnsafeMutableRawPointer, _ board: UnsafePointer<StatusBoard>) {
    let words = memory.bindMemory(to: UInt64.self, capacity: PacketLoop.wordCount)
    packets = PacketLoop(words)
    let rest = memory + PacketLoop.wordCount * MemoryLayout<UInt64>.size
    samples = SampleLoops(rest.bindMemory(to: Int32.self, capacity: SampleLoops.wordCount))
    self.board = board
  }

  /// Forgets the audio so far: another programme or place begins.
  mutating func restart() {
    guard isRunning else { return }
    packets.restart()
    samples.restart()
    board.pointee.loopMilliseconds.store(0, ordering: .releasing)
    isRunning = false
  }

  /// Measures a packet; `bytes` contain its first block.
  mutating func measure(_ bytes: UnsafePointer<UInt8>, _ held: HeldPacket) {
    guard board.pointee.quietLimit.load(ordering: .relaxed) != 0 else { return restart() }
    isRunning = true
    packets.consume(Self.hash(UnsafeRawBufferPointer(start: bytes, count: held.firstByteCount)), held.info.duration)
    let repeated = max(packets.repeated, StreamTime(frames: samples.repeated, at: rate))
    board.pointee.loopMilliseconds.store(Int64(repeated.seconds * 1_000), ordering: .releasing)
  }

  /// Measures decoded frames of two samples each.
  mutating func measure(_ frames: UnsafePointer<Int32>, _ count: Int, at rate: SampleRate, of codec: Codec) {
    guard isRunning, codec == .flac || codec == .pcm else { return }
    if self.rate != rate { samples.restart() }
    self.rate = rate
    samples.consume(frames, count, at: rate)
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var place = 0
    while place + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      place += 8
    }
    while place < bytes.count {
      hash = (hash ^ UInt64(bytes[place])) &* 0xFF51_AFD7_ED55_8CCD
      place += 1
    }
    return hash ^ hash >> 32
  }
}
