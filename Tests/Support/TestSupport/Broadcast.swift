import System

/// A live programme: a visitor's start position depends on the time of the visit.
public final class Broadcast: Sendable {
  private let whole: [UInt8]
  private let byteRate: Double
  private let burst: Double
  private let start = Locked<Double?>(nil)
  private let packetOffsets: [Int]

  /// Creates a programme that starts with the first visit. `burst`: seconds that a visitor receives at once.
  public init(_ clip: Clip, burst: Double) {
    (whole, byteRate) = (clip.bytes, clip.byteRate)
    self.burst = burst
    packetOffsets = clip.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
  }

  /// Returns the age of the programme at a visit, in seconds.
  public func age(_ visit: ScriptedStation.Request) -> Double {
    start.withLock { start in
      start = start ?? visit.time
      return visit.time - (start ?? visit.time)
    }
  }

  /// Returns the actions for a visitor: `burst` plus `seconds` of audio from a packet's border, cut at any byte.
  public func actions(_ visit: ScriptedStation.Request, for seconds: Double = 3_600) -> [StationAction] {
    let entry = min(Int(age(visit) * byteRate), whole.count)
    let first = packetOffsets.first { $0 >= entry } ?? whole.count
    let last = min(whole.count, first + Int((burst + seconds) * byteRate))
    return [.pace(Array(whole[first..<last]), perSecond: byteRate, burst: Int(burst * byteRate))]
  }
}

/// ICY titles in audio, as sent by SHOUTcast.
public enum Icy {
  /// Inserts a metadata block after every `metaint` bytes. `titles`: texts with the audio byte where each starts.
  public static func interleave(_ audio: [UInt8], metaint: Int, titles: [(at: Int, text: String)]) -> [UInt8] {
    var (mixed, place, told): ([UInt8], Int, String?) = ([], 0, nil)
    while place < audio.count {
      let end = min(place + metaint, audio.count)
      mixed += audio[place..<end]
      place = end
      guard place % metaint == 0 else { break }
      let title = titles.last { $0.at <= place }?.text
      mixed += title == told ? [0] : block("StreamTitle='\(title ?? "")';")
      told = title
    }
    return mixed
  }

  /// Returns a metadata block: its length in units of 16 bytes, and the text.
  public static func block(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let units = (bytes.count + 15) / 16
    return [UInt8(units)] + bytes + [UInt8](repeating: 0, count: units * 16 - bytes.count)
  }
}
