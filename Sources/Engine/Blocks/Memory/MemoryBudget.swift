import CLinux
import Units

/// The memory of the audio path, with one line per consumer.
public struct MemoryBudget: Sendable, CustomStringConvertible {
  /// A consumer of memory.
  public struct Line: Sendable {
    /// The consumer's name.
    public let consumer: String
    /// Size of the consumer's memory, including alignment.
    public let byteCount: ByteCount
  }

  /// The consumers in the order of the audio path.
  public let lines: [Line]

  /// Creates the budget for a ring of `blockCount` blocks, and for rings that receive other stations in advance.
  /// `loopWordCount`: number of 64-bit words that the search for repeated audio needs.
  public init(blockCount: Int, standbyCount: Int = 0, loopWordCount: Int = 0) {
    let loops = Line(
      consumer: "audio that a loop may repeat", byteCount: Arena.cost(of: UInt64.self, count: loopWordCount))
    let standbys = Line(
      consumer: "rings of stations on standby (\(standbyCount))",
      byteCount: ByteCount(standbyCount * BlockRing.standbyCost(blockCount).value))
    lines =
      [
        Line(consumer: "blocks of \(Block.byteCount) bytes (\(blockCount))", byteCount: BlockPool.cost(blockCount)),
        Line(consumer: "block ring", byteCount: BlockRing.cost(blockCount)),
        Line(consumer: "periods of PCM (\(PeriodRing.capacity))", byteCount: PeriodRing.cost),
        Line(consumer: "status board", byteCount: Arena.cost(of: StatusBoard.self)),
        Line(consumer: "decoder scratch", byteCount: Arena.cost(of: UInt8.self, count: Self.decoderScratch)),
        Line(consumer: "packets on their way to files", byteCount: FileQueue.cost),
        Line(consumer: "taps", byteCount: Arena.cost(of: bk_tap.self, count: Self.tapCount)),
        Line(consumer: "what was heard last, for meters", byteCount: MonitorRing.cost),
        Line(consumer: "what was written last, to fade a card", byteCount: RecentFrames.cost),
        Line(consumer: "sink scratch", byteCount: Arena.cost(of: UInt8.self, count: Self.sinkScratch)),
      ] + (standbyCount > 0 ? [standbys] : []) + (loopWordCount > 0 ? [loops] : [])
  }

  /// Size of a packet buffer in bytes, with guard bytes because libmad reads beyond a packet's end.
  public static let decoderScratch = Block.payloadByteCount + 64
  /// The maximum number of taps.
  public static let tapCount = 8
  /// Maximum number of frames per write to a sink: 50 ms at 96 kHz.
  @inlinable
  public static var sinkFrames: Int { 4_800 }
  /// Size in bytes of two buffers for `sinkFrames`: the rendered samples, and a sink's widest sample format.
  public static let sinkScratch = sinkFrames * 2 * (4 + 4)

  /// The sum of all lines.
  public var total: ByteCount { lines.reduce(ByteCount(0)) { $0 + $1.byteCount } }

  /// One line per consumer, and the sum.
  public var description: String {
    let rows = lines.map { "\(Self.column($0.byteCount)) KiB  \($0.consumer)" }
    return (rows + ["\(Self.column(total)) KiB  in all"]).joined(separator: "\n")
  }

  private static func column(_ bytes: ByteCount) -> String {
    let digits = String((bytes.value + 1023) / 1024)
    return String(repeating: " ", count: max(0, 7 - digits.count)) + digits
  }
}
