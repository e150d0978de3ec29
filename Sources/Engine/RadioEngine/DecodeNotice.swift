import Blocks
import Units

/// What the decode thread tells the control thread, each about one programme.
enum DecodeNotice: Equatable {
  /// From here on the programme is this; `output` is the rate that it is played at.
  case format(codec: Codec, rate: SampleRate, channels: Int, output: SampleRate)
  /// Enough is held: sound begins, or begins again.
  case flowing
  /// All that was held is played, and more is awaited.
  case starved
  /// A seek was obeyed: sound goes on there.
  case sought(at: StreamTime, seek: UInt32)
  /// What was to follow the seek at `from` was dropped from the ring unheard: sound goes on there.
  case leapt(from: StreamTime, to: StreamTime, seek: UInt32)
  /// Nothing of the programme's packets could be decoded so far.
  case undecodable

  private enum Code: UInt32 {
    case format, flowing, starved, sought, leapt, undecodable
  }

  /// Sends the notice; its first part is the programme's number.
  ///
  /// Each may be missed where a newer one of its kind follows: that says what is so now.
  func send(by outbox: inout EventOutbox, epoch: UInt32, scratch: UnsafeMutableRawBufferPointer) {
    var encoder = NoticeEncoder(scratch)
    encoder.append(Int(epoch))
    let code: Code
    switch self {
    case .format(let codec, let rate, let channels, let output):
      code = .format
      for number in [Int(codec.rawValue), Int(rate.hertz), channels, Int(output.hertz)] { encoder.append(number) }
    case .flowing: code = .flowing
    case .starved: code = .starved
    case .sought(let at, let seek):
      code = .sought
      encoder.append(at)
      encoder.append(Int(seek))
    case .leapt(let from, let to, let seek):
      code = .leapt
      encoder.append(from)
      encoder.append(to)
      encoder.append(Int(seek))
    case .undecodable: code = .undecodable
    }
    outbox.send(kind: code.rawValue, encoder.payload, mayBeMissed: true)
  }

  static func decode(kind: UInt32, _ payload: UnsafeRawBufferPointer) -> (epoch: UInt32, notice: DecodeNotice)? {
    var decoder = NoticeDecoder(payload)
    let epoch = UInt32(truncatingIfNeeded: decoder.int())
    switch Code(rawValue: kind) {
    case .format:
      guard let codec = Codec(rawValue: UInt8(truncatingIfNeeded: decoder.int())),
        let rate = SampleRate(checking: decoder.int())
      else { return nil }
      let channels = decoder.int()
      let output = SampleRate(checking: decoder.int()) ?? rate
      return (epoch, .format(codec: codec, rate: rate, channels: channels, output: output))
    case .flowing: return (epoch, .flowing)
    case .starved: return (epoch, .starved)
    case .sought:
      let at = decoder.time()
      return (epoch, .sought(at: at, seek: UInt32(truncatingIfNeeded: decoder.int())))
    case .leapt:
      let (from, to) = (decoder.time(), decoder.time())
      return (epoch, .leapt(from: from, to: to, seek: UInt32(truncatingIfNeeded: decoder.int())))
    case .undecodable: return (epoch, .undecodable)
    case nil: return nil
    }
  }
}

/// The decode thread's way to the control thread; none of its last words is lost while that one is busy.
struct DecodeOutbox: ~Copyable {
  private var outbox: EventOutbox
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  /// So soon it is tried again to write what found no room.
  private static let pause = Duration(milliseconds: 50)

  init(_ ring: UnsafePointer<EventRing>) { outbox = EventOutbox(ring) }

  deinit { scratch.deallocate() }

  /// Sends a notice about a programme, or keeps it until there is room.
  mutating func send(_ notice: DecodeNotice, epoch: UInt32) { notice.send(by: &outbox, epoch: epoch, scratch: scratch) }

  /// Writes what waits, as far as there is room; how long the thread may rest then, `rest` at most.
  mutating func flush(before rest: Duration) -> Duration {
    outbox.flush()
    return outbox.isEmpty ? rest : min(rest, Self.pause)
  }

  /// Drops what waits: it is about a programme that was left.
  mutating func forget() { outbox.forget() }
}
