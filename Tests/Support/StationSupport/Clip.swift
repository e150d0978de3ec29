import Blocks
import Decoding
import Framing
import MediaSupport
import Rendering
import TestSupport
import Units

/// Encoded audio split into whole packets.
public struct Clip: Sendable {
  /// A packet of the clip.
  public struct Packet: Sendable {
    /// The framer's report about the packet.
    public var info: PacketInfo
    /// The whole packet with its header.
    public var bytes: [UInt8]
  }

  /// The packets in order.
  public var packets: [Packet]

  /// Splits `bytes` into packets.
  public init(_ bytes: [UInt8]) {
    var framer = PacketFramer()
    var (packets, place): ([Packet], Int) = ([], 0)
    func drain() {
      while framer.next({ info, span in
        packets.append(Packet(info: info, bytes: span.indices.map { span[$0] }))
      }) == .packet {}
    }
    while place < bytes.count {
      place += framer.append(bytes.span.extracting(place..<bytes.count))
      drain()
    }
    framer.finish()
    drain()
    self.packets = packets
  }

  private init(_ packets: some Sequence<Packet>) { self.packets = Array(packets) }

  /// Returns the start of the demo piece: MP3, 128 kbit/s, 44.1 kHz. `packet`: number of packets to skip.
  public static func mp3(_ seconds: Double, from packet: Int = 0) -> Clip { demo.from(packet).prefix(seconds) }
  /// Returns the start of the demo piece: AAC-LC, 44.1 kHz.
  public static func aac(_ seconds: Double) -> Clip { demoAac.prefix(seconds) }

  private static let demo = Clip(Repository.bytes("config/demo/bakelite-demo.mp3"))
  private static let demoAac = Clip(Repository.bytes("config/demo/bakelite-demo.aac"))

  /// Returns the clip without its first packets.
  public func from(_ packet: Int) -> Clip { Clip(packets.dropFirst(packet)) }

  /// Returns the whole packets in the first `seconds`.
  public func prefix(_ seconds: Double) -> Clip {
    var time = StreamTime.zero
    return Clip(
      packets.prefix {
        time += $0.info.duration
        return time <= StreamTime(seconds: seconds)
      })
  }

  /// Returns the first `count` packets.
  public func prefix(packets count: Int) -> Clip { Clip(packets.prefix(count)) }

  /// The bytes of all packets.
  public var bytes: [UInt8] { packets.flatMap(\.bytes) }
  /// Duration in seconds.
  public var duration: Double { packets.reduce(StreamTime.zero) { $0 + $1.info.duration }.seconds }
  /// Bytes per second.
  public var byteRate: Double { Double(bytes.count) / duration }

  /// Decodes the packets to signed 16-bit little-endian PCM. MP3 is decoded by libmad or libmpg123.
  public func pcm(channels: Int = 2, byMpg123: Bool = false) -> [UInt8] {
    var decoder = PacketDecoder(.bits16, mp3: byMpg123 ? .mpg123 : .mad)
    var pcm: [UInt8] = []
    var frames = [Int32](repeating: 0, count: 2 * 8_192)
    for packet in packets {
      var padded = packet.bytes + [UInt8](repeating: 0, count: PacketDecoder.guardByteCount)
      padded.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress, let decoded = try? decoder.decode(base, packet.info),
          decoded.frameCount > 0
        else { return }
        frames.withUnsafeMutableBufferPointer {
          if let out = $0.baseAddress { decoder.copy(decoded, from: 0, count: decoded.frameCount, to: out) }
        }
        pcm += [UInt8](unsafeUninitializedCapacity: decoded.frameCount * 2 * channels) { out, count in
          count = out.count
          guard let target = out.baseAddress else { return }
          frames.withUnsafeBufferPointer {
            guard let source = $0.baseAddress else { return }
            SampleConversion.convert(source, count: decoded.frameCount, to: .s16le, channels: channels, target)
          }
        }
      }
    }
    return pcm
  }
}

extension Clip {
  /// Creates a long MP3 stream at 64 kbit/s without equal packets.
  public static func long(_ seconds: Double, seed: UInt64 = 1) -> Clip {
    Clip(ToneMp3.frames(Int(seconds * 44_100 / 1_152), kilobits: 64, seed: seed))
  }
}

extension Clip {
  /// The byte offset of each packet, and the total size.
  public var packetOffsets: [Int] { packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) } }

  /// Indices of the packets that cannot be decoded.
  public var undecodablePackets: [Int] {
    var decoder = PacketDecoder(.bits16)
    return packets.indices.filter { index in
      var padded = packets[index].bytes + [UInt8](repeating: 0, count: PacketDecoder.guardByteCount)
      return padded.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return true }
        return (try? decoder.decode(base, packets[index].info)) == nil
      }
    }
  }
}
