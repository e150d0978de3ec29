import Blocks
import Framing

struct PullReading: Equatable {
  var packets: [Packet] = []
  var setups: [CodecSetup] = []
  var tags: [StreamTags] = []
  /// The kinds of the results in order: "s" (setup), "t" (tags) and "p" (packet).
  var order = ""
  var skipped = 0
  var refusal: RefusedCodec?
  /// Maximum number of bytes buffered when the parser needed more.
  var mostHeld = 0

  /// Reads `stream` in pieces of `step` bytes, and finishes the stream unless `isOpen`.
  init<Parser: StreamFramer & ~Copyable>(
    _ parser: consuming Parser, _ stream: [UInt8], step: Int = .max, isOpen: Bool = false
  ) {
    read(&parser, stream, step: step, isOpen: isOpen)
  }

  init() {}

  mutating func read<Parser: StreamFramer & ~Copyable>(
    _ parser: inout Parser, _ stream: [UInt8], step: Int = .max, isOpen: Bool = false, passesAbsent: Bool = false
  ) {
    var place = 0
    while place < stream.count {
      if passesAbsent, parser.absentByteCount > 0 {
        place += parser.absentByteCount
        parser.passAbsent()
        continue
      }
      let piece = stream[place..<(step < stream.count - place ? place + step : stream.count)]
      let taken = parser.append(piece.span)
      precondition(taken > 0, "a byte fits where more are needed")
      place += taken
      drain(&parser)
    }
    if !isOpen {
      parser.finish()
      drain(&parser)
    }
    (skipped, refusal) = (parser.skippedByteCount, parser.refusal)
  }

  private mutating func drain<Parser: StreamFramer & ~Copyable>(_ parser: inout Parser) {
    while true {
      var packet: Packet?
      switch parser.next({ packet = Packet(info: $0, bytes: $1.array) }) {
      case .packet:
        if let packet { packets.append(packet) }
        order += "p"
      case .setup(let setup):
        setups.append(setup)
        order += "s"
      case .tags(let found):
        tags.append(found)
        order += "t"
      case .needsMore:
        mostHeld = max(mostHeld, parser.heldByteCount)
        return
      }
    }
  }

  var bytes: [[UInt8]] { packets.map(\.bytes) }
  var gaps: [Int] { packets.indices.filter { packets[$0].info.followsGap } }
  var begins: [Int] { packets.indices.filter { packets[$0].info.beginsFile } }
  var firstFrames: [Int?] { packets.map(\.info.firstFrame) }
  var packetByteCount: Int { packets.reduce(0) { $0 + $1.bytes.count } }
}
