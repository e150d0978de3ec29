import Blocks
import Units

enum DecodeNotice: Equatable {
  /// The format of all following audio; `output` is the rate of the sink.
  case format(codec: Codec, rate: SampleRate, channels: Int, output: SampleRate)
  /// Enough is buffered (`PrebufferGate`): playback starts or resumes.
  case flowing
  /// The buffer ran empty, and more packets are expected.
  case starved
  case sought(at: StreamTime, seek: UInt32)
  /// The ring dropped the unplayed packets at `from`; playback continues at `to`. `seek` is the last seek.
  case leapt(from: StreamTime, to: StreamTime, seek: UInt32)
  case undecodable

  private enum Code: UInt32 {
    case format, flowing, starved, sought, leapt, undecodable
  }

  /// Sends the programme's number and the notice. A notice may be lost if a newer one of its kind follows.
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

/// The decode thread's queue to the control thread. If the ring is full, the newest notice of each kind waits here.
struct DecodeOutbox: ~Copyable {
  private var outbox: EventOutbox
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  /// Maximum time between two attempts to write waiting notices.
  private static let pause = Duration(milliseconds: 50)

  init(_ ring: UnsafePointer<EventRing>) { outbox = EventOutbox(ring) }

  deinit { scratch.deallocate() }

  mutating func send(_ notice: DecodeNotice, epoch: UInt32) { notice.send(by: &outbox, epoch: epoch, scratch: scratch) }

  /// Writes waiting notices if there is room. Returns the time that the thread may sleep: `rest`, or less while notices
  /// wait.
  mutating func flush(before rest: Duration) -> Duration {
    outbox.flush()
    return outbox.isEmpty ? rest : min(rest, Self.pause)
  }

  mutating func discardWaiting() { outbox.forget() }
}
