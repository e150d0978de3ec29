import Framing
import Units

@testable import Blocks
@testable import Recordings

/// A recorder without threads. A test writes packets of 0.1 s into the ring, and checks the files.
final class RecorderBench {
  let source: FakeSource
  let recorder: Recorder
  /// The programme as reported to the recorder.
  var context = RecordingContext(
    epoch: 1, isPlaying: true, titles: TitleLog(), station: "Radio", position: .zero)
  private var writer: BlockWriter
  private(set) var count = 0

  /// Bytes of a packet; each byte is the packet's number.
  static let byteCount = 200

  init(_ settings: RecordingSettings = RecordingSettings()) throws {
    source = try FakeSource()
    recorder = Recorder(source, source.files, settings)
    writer = BlockWriter(source.ring)
    writer.begin(epoch: 1)
    source.files.waited = { [unowned source] in source.now = source.now + $0 }
  }

  /// A bench with `packets` written and a recording started.
  static func recording(_ order: RecordingOrder, after packets: Int) throws -> RecorderBench {
    let bench = try RecorderBench()
    bench.send(packets)
    try bench.recorder.begin(order, bench.context)
    return bench
  }

  var files: [FakeFiles.File] { source.files.files }

  /// Starts another programme in the ring.
  func begin(_ epoch: UInt32) {
    writer.begin(epoch: epoch)
    context.epoch = epoch
    count = 0
  }

  /// Writes `more` packets, and drops others if the ring is full.
  func send(_ more: Int, _ codec: Codec = .aac) {
    let format = PacketFormat(codec: codec, sampleRate: SampleRate(44_100), channels: 2)
    for _ in 0..<more {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: Self.byteCount)
      let info = PacketInfo(
        format: format, byteCount: bytes.count, duration: StreamTime(seconds: 0.1), byteOffset: count * bytes.count,
        followsGap: false)
      _ = writer.makeRoom(1, wraps: true)
      _ = bytes.withUnsafeBytes { writer.append(info, $0) }
      count += 1
    }
  }

  func title(_ text: String, at seconds: Double) {
    context.titles.append(Title(text, url: nil), at: StreamTime(seconds: seconds))
  }

  /// Records all written packets in one round.
  @discardableResult
  func round() -> [RecordingEvent] { recorder.round(context, upTo: source.blocks.written) }

  /// Content of a file with these packets.
  static func bytes(_ packets: Range<Int>) -> [UInt8] {
    packets.flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: byteCount) }
  }
}
