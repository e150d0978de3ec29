import MediaSupport
import System

/// Generated audio for stalled stations: mono MP3 at 32 kHz with different frames, or FLAC with packets longer than a
/// block.
enum StallMaterial {
  enum Kind: Hashable {
    case usual, other
    case loop
  }

  /// The value of `kilobits` for FLAC, which is about its bit rate.
  static let flac = 500

  private static let rate = 32_000
  private static let block = 4_608

  /// Duration of each programme except the loop, in seconds.
  private static let length = 90.0
  private static let loopLength = 3.96

  private static func packet(_ kilobits: Int) -> Double { kilobits == flac ? Double(block) / Double(rate) : 0.036 }

  private static func count(_ seconds: Double, _ kilobits: Int) -> Int { Int((seconds / packet(kilobits)).rounded()) }

  static func byteRate(_ kilobits: Int) -> Double {
    guard kilobits == flac else { return Double(kilobits) * 125 }
    let packets = packets(.usual, flac)
    return Double(packets.bytes.count) / (Double(packets.starts.count - 1) * packet(flac))
  }

  /// Generates all programmes before a fast clock starts.
  static func prepare() {
    for kilobits in StallTable.kilobits + [flac] {
      for kind in [Kind.usual, .other, .loop] { _ = packets(kind, kilobits) }
    }
  }

  private struct Key: Hashable {
    var kind: Kind
    var kilobits: Int
  }

  /// Concatenated packets with the offsets of their starts and end. `head`: a FLAC header without a length.
  private struct Packets {
    var bytes: [UInt8] = []
    var starts = [0]
    var head: [UInt8] = []
  }

  private static let made = Locked<[Key: Packets]>([:])

  private static func packets(_ kind: Kind, _ kilobits: Int) -> Packets {
    made.withLock { made in
      let key = Key(kind: kind, kilobits: kilobits)
      if let packets = made[key] { return packets }
      let count = count(kind == .loop ? loopLength : length, kilobits)
      let seed: UInt64 = kind == .usual ? 71 : kind == .other ? 72 : 73
      var packets = Packets()
      if kilobits == flac {
        // High volume makes the packets nearly equal in size.
        let music = Music(frames: count * block, rate: rate, channels: 1, noise: 0.5, seed: seed)
        let encoded = EncodedMusic(music, .flac(block: block))
        for packet in encoded.packets {
          packets.bytes += packet.bytes
          packets.starts.append(packets.bytes.count)
        }
        packets.head = Array(encoded.flac(isSized: false).dropLast(packets.bytes.count))
      } else {
        packets.bytes = ToneMp3.frames(count, rate: rate, channels: 1, kilobits: kilobits, seed: seed)
        packets.starts = (0...count).map { packets.bytes.count / count * $0 }
      }
      made[key] = packets
      return packets
    }
  }

  /// Whole packets from `start` for about `seconds`; repeats the programme after its end.
  static func part(_ kind: Kind, _ kilobits: Int, from start: Double = 0, seconds: Double) -> [UInt8] {
    let all = packets(kind, kilobits)
    let total = all.starts.count - 1
    var place = count(start, kilobits) % total
    var left = count(seconds, kilobits)
    var part: [UInt8] = []
    while left > 0 {
      let end = min(total, place + left)
      part += all.bytes[all.starts[place]..<all.starts[end]]
      left -= end - place
      place = 0
    }
    return part
  }

  static func head(_ kilobits: Int) -> [UInt8] { packets(.usual, kilobits).head }

  /// Duration of the whole packets in about `seconds`.
  static func whole(_ seconds: Double, _ kilobits: Int) -> Double {
    Double(count(seconds, kilobits)) * packet(kilobits)
  }

  static func seconds(_ byteCount: Int, _ kilobits: Int) -> Double {
    Double(byteCount / (kilobits * 9 / 2)) * packet(kilobits)
  }
}
