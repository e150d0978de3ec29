import CLinux
import Units

/// What the audio path may use, as a sum with one line for each consumer.
public struct MemoryBudget: Sendable, CustomStringConvertible {
  /// One consumer of memory.
  public struct Line: Sendable {
    /// Who uses it.
    public let consumer: String
    /// How much.
    public let byteCount: ByteCount
  }

  /// The consumers in the order of the sound's way.
  public let lines: [Line]

  /// The sum for a radio that holds so many blocks.
  public init(blockCount: Int) {
    lines = [
      Line(consumer: "blocks of \(Block.byteCount) bytes (\(blockCount))", byteCount: BlockPool.cost(blockCount)),
      Line(consumer: "block ring", byteCount: BlockRing.cost(blockCount)),
      Line(consumer: "periods of PCM (\(PeriodRing.capacity))", byteCount: PeriodRing.cost),
      Line(
        consumer: "events of the threads",
        byteCount: EventRing.cost(EventRing.netByteCount)
          + EventRing.cost(EventRing.decodeByteCount)),
      Line(consumer: "status board", byteCount: Arena.cost(of: StatusBoard.self)),
      Line(consumer: "decoder scratch", byteCount: Arena.cost(of: UInt8.self, count: Self.decoderScratch)),
      Line(consumer: "packets on their way to files", byteCount: FileQueue.cost),
      Line(consumer: "taps", byteCount: Arena.cost(of: bk_tap.self, count: Self.tapCount)),
      Line(consumer: "what was heard last, for meters", byteCount: MonitorRing.cost),
      Line(consumer: "sink scratch", byteCount: Arena.cost(of: UInt8.self, count: Self.sinkScratch)),
    ]
  }

  /// One packet with the guard bytes that libmad may look at beyond its end.
  public static let decoderScratch = Block.payloadByteCount + 64
  /// Taps that a radio may have.
  public static let tapCount = 8
  /// What goes to a sink at once, at most: 50 ms at 96 kHz.
  @inlinable
  public static var sinkFrames: Int { 4_800 }
  /// That many frames of two samples as they are rendered, and again in the widest sample format of any sink.
  public static let sinkScratch = sinkFrames * 2 * (4 + 4)

  /// The whole.
  public var total: ByteCount { lines.reduce(ByteCount(0)) { $0 + $1.byteCount } }

  /// A line each, and the sum.
  public var description: String {
    let rows = lines.map { "\(Self.column($0.byteCount)) KiB  \($0.consumer)" }
    return (rows + ["\(Self.column(total)) KiB  in all"]).joined(separator: "\n")
  }

  private static func column(_ bytes: ByteCount) -> String {
    let digits = String((bytes.value + 1023) / 1024)
    return String(repeating: " ", count: max(0, 7 - digits.count)) + digits
  }
}
