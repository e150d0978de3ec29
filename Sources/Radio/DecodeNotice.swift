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

  private enum Code: UInt32 {
    case format, flowing, starved, sought, leapt
  }

  func append(to ring: UnsafePointer<EventRing>, epoch: UInt32, scratch: UnsafeMutableRawBufferPointer) {
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
    }
    ring.pointee.append(kind: code.rawValue, encoder.payload)
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
    case nil: return nil
    }
  }
}
