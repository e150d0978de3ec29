import System
import TestSupport

/// What stalled stations send: MP3 of one channel at 32 kHz, made by code, each frame another sound.
enum StallMaterial {
  /// What kind of programme it is.
  enum Kind: Hashable {
    case usual, other
    /// The same few seconds over and over.
    case loop
  }

  /// Seconds of a frame, and so many frames are made.
  private static let frame = 0.036
  private static let frameCount = 2_500
  private static let loopFrameCount = 110

  /// Makes all of it, before a clock goes that goes faster.
  static func prepare() {
    for kilobits in StallTable.kilobits { for kind in [Kind.usual, .other, .loop] { _ = bytes(kind, kilobits) } }
  }

  private struct Key: Hashable {
    var kind: Kind
    var kilobits: Int
  }

  private static let made = Locked<[Key: [UInt8]]>([:])

  private static func bytes(_ kind: Kind, _ kilobits: Int) -> [UInt8] {
    made.withLock { made in
      let key = Key(kind: kind, kilobits: kilobits)
      if let bytes = made[key] { return bytes }
      let count = kind == .loop ? loopFrameCount : frameCount
      let seed: UInt64 = kind == .usual ? 71 : kind == .other ? 72 : 73
      let bytes = ToneMp3.frames(count, rate: 32_000, channels: 1, kilobits: kilobits, seed: seed)
      made[key] = bytes
      return bytes
    }
  }

  /// Whole frames from a time on, for so long; the programme begins anew where it ends.
  static func part(_ kind: Kind, _ kilobits: Int, from start: Double = 0, seconds: Double) -> [UInt8] {
    let all = bytes(kind, kilobits)
    let size = kilobits * 9 / 2
    var place = Int((start / frame).rounded()) * size % all.count
    var left = Int((seconds / frame).rounded()) * size
    var part: [UInt8] = []
    part.reserveCapacity(left)
    while left > 0 {
      let end = min(all.count, place + left)
      part += all[place..<end]
      left -= end - place
      place = 0
    }
    return part
  }

  /// How long whole frames of so many bytes sound.
  static func seconds(_ byteCount: Int, _ kilobits: Int) -> Double { Double(byteCount / (kilobits * 9 / 2)) * frame }
}
