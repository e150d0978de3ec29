import System
import TestSupport

/// What stalled stations send: MP3 of one channel at 32 kHz, made by code, each frame another sound; or FLAC, whose
/// packets are longer than a block of the ring.
enum StallMaterial {
  /// What kind of programme it is.
  enum Kind: Hashable {
    case usual, other
    /// The same few seconds over and over.
    case loop
  }

  /// The bit rate, in kbit/s, that stands for FLAC; it is about that.
  static let flac = 500

  private static let rate = 32_000
  /// Frames of a packet of FLAC.
  private static let block = 4_608

  /// Seconds of all that is made, but for a loop.
  private static let length = 90.0
  private static let loopLength = 3.96

  /// Seconds of a packet.
  private static func packet(_ kilobits: Int) -> Double { kilobits == flac ? Double(block) / Double(rate) : 0.036 }

  /// How many packets last about so long.
  private static func count(_ seconds: Double, _ kilobits: Int) -> Int { Int((seconds / packet(kilobits)).rounded()) }

  /// Bytes a second.
  static func byteRate(_ kilobits: Int) -> Double {
    guard kilobits == flac else { return Double(kilobits) * 125 }
    let packets = packets(.usual, flac)
    return Double(packets.bytes.count) / (Double(packets.starts.count - 1) * packet(flac))
  }

  /// Makes all of it, before a clock goes that goes faster.
  static func prepare() {
    for kilobits in StallTable.kilobits + [flac] {
      for kind in [Kind.usual, .other, .loop] { _ = packets(kind, kilobits) }
    }
  }

  private struct Key: Hashable {
    var kind: Kind
    var kilobits: Int
  }

  /// Packets one after the other, and where each begins, and where the last one ends; of FLAC what stands before them
  /// where nobody knows how many there are.
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
        // As loud as it can be, so that all packets are nearly as long.
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

  /// Whole packets from a time on, for so long; the programme begins anew where it ends.
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

  /// What stands before the packets of a file, or of a connection to a live station.
  static func head(_ kilobits: Int) -> [UInt8] { packets(.usual, kilobits).head }

  /// How long the whole packets sound that last about so long.
  static func whole(_ seconds: Double, _ kilobits: Int) -> Double {
    Double(count(seconds, kilobits)) * packet(kilobits)
  }

  /// How long whole frames of MP3 of so many bytes sound.
  static func seconds(_ byteCount: Int, _ kilobits: Int) -> Double {
    Double(byteCount / (kilobits * 9 / 2)) * packet(kilobits)
  }
}
