import Blocks
import CEncoders
import DecoderBench
import Decoding
import Foundation
import SeededRandom
import Units

/// Interleaved samples from a seed: a sine of its own pitch and some noise in each channel.
struct Signal {
  let channels: Int
  let rate: Int
  let samples: [Float]

  var frameCount: Int { samples.count / channels }

  /// Noise of this level, added to sines of the level `tone`.
  init(_ channels: Int, rate: Int, frames: Int, tone: Float = 0.4, noise: Float = 0.05, seed: UInt64 = 1) {
    (self.channels, self.rate) = (channels, rate)
    var random = SeededGenerator(seed)
    samples = (0..<frames * channels).map { index in
      let (frame, channel) = (index / channels, index % channels)
      let phase = 2 * Float.pi * Float(frame * (300 + 170 * channel) % rate) / Float(rate)
      return tone * sin(phase) + noise * (Float(random.next() >> 40) / 8_388_608 - 1)
    }
  }

  /// Plays each channel alone in turn, `turn` frames each.
  init(tour channels: Int, rate: Int, turn: Int) {
    (self.channels, self.rate) = (channels, rate)
    samples = (0..<channels * turn * channels).map { index in
      let (frame, channel) = (index / channels, index % channels)
      return frame / turn == channel ? 0.5 * sin(2 * Float.pi * Float(frame * 440 % rate) / Float(rate)) : 0
    }
  }

  /// Integers of `bits` bits.
  func integers(_ bits: Int) -> [Int32] {
    let full = Double(1 << (bits - 1))
    return samples.map { Int32(max(-full, min(full - 1, (Double($0) * full).rounded()))) }
  }
}

/// An encoded signal and the set-up of its decoder.
struct EncodedStream: Sendable {
  var setup: CodecSetup
  var packets: [Packet]
  /// The output of the C library alone, interleaved, and the frames of each packet; empty for FLAC.
  private(set) var truth: (samples: [Float], counts: [Int]) = ([], [])

  static func flac(_ signal: Signal, bits: Int, block: Int = 4_096) -> EncodedStream {
    let samples = signal.integers(bits)
    let encoded = encode_flac(
      samples, signal.frameCount, Int32(signal.channels), Int32(signal.rate), Int32(bits), Int32(block))
    return EncodedStream(.flac, encoded, signal)
  }

  static func vorbis(_ signal: Signal, quality: Float = 0.4) -> EncodedStream {
    let encoded = encode_vorbis(
      signal.samples, signal.frameCount, Int32(signal.channels), Int32(signal.rate), quality)
    return EncodedStream(.vorbis, encoded, signal, decode_vorbis)
  }

  /// At 48,000 Hz.
  static func opus(
    _ signal: Signal, block: Int = 960, bitsPerSecond: Int = 128_000, gain: Int = 0
  ) -> EncodedStream {
    let encoded = encode_opus(
      signal.samples, signal.frameCount, Int32(signal.channels), Int32(bitsPerSecond), Int32(block), Int32(gain))
    return EncodedStream(.opus, encoded, signal, decode_opus)
  }

  /// Unencoded samples in packets of `block` frames.
  static func pcm(_ layout: [UInt8], _ bytes: [UInt8], frameByteCount: Int, rate: Int, block: Int = 500)
    -> EncodedStream
  {
    let format = PacketFormat(codec: .pcm, sampleRate: SampleRate(Int32(rate)), channels: 2, setup: 1)
    let packets = stride(from: 0, to: bytes.count, by: block * frameByteCount).map { place in
      packet(format, Array(bytes[place..<min(bytes.count, place + block * frameByteCount)]))
    }
    return EncodedStream(setup: CodecSetup(.pcm, [layout]), packets: packets)
  }

  private init(setup: CodecSetup, packets: [Packet]) { (self.setup, self.packets) = (setup, packets) }

  private init(
    _ codec: Codec, _ encoded: encoded, _ signal: Signal,
    _ decode: ((encoded, UnsafeMutablePointer<Float>, Int, UnsafeMutablePointer<Int>) -> Int)? = nil
  ) {
    defer { encoded_free(encoded) }
    var place = 0
    let all: [[UInt8]] = (0..<encoded.count).map { index in
      defer { place += encoded.lengths[index] }
      return Array(UnsafeBufferPointer(start: encoded.bytes + place, count: encoded.lengths[index]))
    }
    var headers = Array(all.prefix(encoded.headers))
    if codec == .vorbis { headers.remove(at: 1) }
    setup = CodecSetup(codec, headers)
    let format = PacketFormat(
      codec: codec, sampleRate: SampleRate(Int32(signal.rate)), channels: UInt8(signal.channels), setup: 1)
    packets = all.dropFirst(encoded.headers).map { Self.packet(format, $0) }
    guard let decode else { return }
    let capacity = signal.frameCount + 20_000
    var counts = [Int](repeating: 0, count: encoded.count)
    truth.samples = [Float](unsafeUninitializedCapacity: capacity * signal.channels) { room, count in
      guard let start = room.baseAddress else { return }
      count = decode(encoded, start, capacity, &counts) * signal.channels
    }
    truth.counts = Array(counts.dropFirst(encoded.headers))
  }

  private static func packet(_ format: PacketFormat, _ bytes: [UInt8]) -> Packet {
    Packet(
      info: PacketInfo(
        format: format, byteCount: bytes.count, duration: StreamTime(seconds: 0.02), byteOffset: 0,
        followsGap: false), bytes: bytes)
  }

  /// The packets with another set-up number.
  func packets(setup number: UInt8) -> [Packet] {
    packets.map { packet in
      var packet = packet
      packet.info.format.setup = number
      return packet
    }
  }

  /// A decoder with the stream's set-up, under the number in the packets.
  func decoder(_ depth: SampleDepth = .bits24) -> PacketDecoder {
    let setups = SetupTable()
    _ = setups.number(of: setup)
    return PacketDecoder(depth, setups: setups)
  }

  func hear(_ depth: SampleDepth = .bits24, step: Int = .max) -> [DecodedPacket] {
    var decoder = decoder(depth)
    return packets.map { decoder.decodePacket($0, step: step) }
  }
}

extension [DecodedPacket] {
  /// All samples, interleaved stereo.
  var samples: [Int32] { flatMap(\.samples) }
}

extension [Int32] {
  /// 24-bit samples that use only the upper 16 bits.
  var roundedTo16: [Int32] { map { Swift.min(32_767, ($0 + 128) >> 8) * 256 } }
}
