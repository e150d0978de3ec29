import Blocks
import Units

/// A notice of the decode thread to the control thread about one programme.
enum DecodeNotice: Equatable {
  /// The format from here on; `output` is the sink's rate.
  case format(codec: Codec, rate: SampleRate, channels: Int, output: SampleRate)
  /// Enough is buffered, so sound begins or resumes.
  case flowing
  /// The buffer is empty, and more packets are expected.
  case starved
  /// A seek was completed; sound continues at `at`.
  case sought(at: StreamTime, seek: UInt32)
  /// The ring dropped the packets at `from` before they were played; sound continues at `to`.
  case leapt(from: StreamTime, to: StreamTime, seek: UInt32)
  case undecodable

  private enum Code: UInt32 {
    case format, flowing, starved, sought, leapt, undecodable
  }

  /// Sends the notice behind the programme's number. A notice may be lost if a newer one of its kind follows with the
  /// current state.
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

/// The decode thread's queue to the control thread. It keeps the newest notice of each kind if the queue is full.
struct DecodeOutbox: ~Copyable {
  private var outbox: EventOutbox
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  /// The time between two attempts to write notices that found no room.
  private static let pause = Duration(milliseconds: 50)

  init(_ ring: UnsafePointer<EventRing>) { outbox = EventOutbox(ring) }

  deinit { scratch.deallocate() }

  mutating func send(_ notice: DecodeNotice, epoch: UInt32) { notice.send(by: &outbox, epoch: epoch, scratch: scratch) }

  /// Writes waiting notices as far as there is room. Returns how long the thread may sleep, at most `rest`.
  mutating func flush(before rest: Duration) -> Duration {
    outbox.flush()
    return outbox.isEmpty ? rest : min(rest, Self.pause)
  }

  mutating func forget() { outbox.forget() }
}
