import MediaSupport
import System
import TestSupport

/// A live programme whose server sends a pre-roll before it on each connection.
public final class PrerollStation: Sendable {
  /// The server's properties.
  public struct Server: Sendable {
    /// Duration of the pre-roll in seconds.
    public var adSeconds: Double
    /// True if an ICY block announces the pre-roll and its length.
    public var isMarked: Bool
    /// True if the programme is live after the pre-roll; false if the pre-roll delays the programme.
    public var isLive: Bool
    /// Seconds of the programme that the first visitor and further visitors receive at once.
    public var bursts: (first: Double, later: Double)

    /// Creates a server.
    public init(adSeconds: Double, isMarked: Bool, isLive: Bool, bursts: (first: Double, later: Double)) {
      (self.adSeconds, self.isMarked, self.isLive, self.bursts) = (adSeconds, isMarked, isLive, bursts)
    }
  }

  /// The pre-roll.
  public let ad: Clip
  /// The programme.
  public let programme: Clip
  private let server: Server
  private let bytes: [UInt8]
  private let adBytes: [UInt8]
  /// Bytes per second.
  private let rate: Double
  private let offsets: [Int]
  private let start = Locked<Double?>(nil)
  /// First and last byte of the programme on each connection.
  private let parts = Locked<[Range<Int>]>([])

  private static let metaint = 4_000

  /// Creates a programme of `seconds` that starts with the first visit.
  public init(_ server: Server, seconds: Double) {
    self.server = server
    ad = Clip.long(server.adSeconds, seed: 77)
    programme = Clip.long(seconds)
    (bytes, adBytes) = (programme.bytes, ad.bytes)
    rate = programme.byteRate
    offsets = programme.packetOffsets
  }

  /// Seconds of the programme that no connection sent, between each two connections.
  public var holes: [Double] {
    let parts = parts.withLock { $0 }
    return zip(parts, parts.dropFirst()).map { max(0, Double($1.lowerBound - $0.upperBound) / rate) }
  }

  /// Returns the actions for a visitor: the pre-roll in real time, then the burst and `seconds` of the programme.
  public func actions(_ visit: ScriptedStation.Request, for seconds: Double = 3_600) -> [StationAction] {
    let age = start.withLock { start in
      start = start ?? visit.time
      return visit.time - (start ?? visit.time)
    }
    let burst = visit.number == 0 ? server.bursts.first : server.bursts.later
    let entry = (age + server.bursts.first - burst + (server.isLive ? ad.duration : 0)) * rate
    let first = offsets.first { Double($0) >= entry } ?? 0
    let last = offsets.first { Double($0) >= Double(first) + (burst + seconds) * rate }
    let part = first..<(last ?? bytes.count)
    parts.withLock { $0.append(part) }
    let (before, after) = mix(Array(bytes[part]))
    let head: StationAction = server.isMarked ? .live("icy-metaint: \(Self.metaint)") : .live()
    return [
      head, .pace(before, perSecond: rate, burst: 0),
      .pace(after, perSecond: rate, burst: Int(burst * rate)),
    ]
  }

  /// Returns the pre-roll and a part of the programme as sent.
  private func mix(_ part: [UInt8]) -> (ad: [UInt8], programme: [UInt8]) {
    guard server.isMarked else { return (adBytes, part) }
    let mark = "adw_ad='true';durationMilliseconds='\(Int(ad.duration * 1_000))';insertionType='preroll';"
    let audio = adBytes + part
    var (mixed, place, border): ([UInt8], Int, Int) = ([], 0, 0)
    while place < audio.count {
      let end = min(place + Self.metaint, audio.count)
      if place < adBytes.count { border = mixed.count + min(adBytes.count, end) - place }
      mixed += audio[place..<end]
      if end - place == Self.metaint {
        let isFirst = place == 0
        let isAfter = place < adBytes.count && end >= adBytes.count
        mixed += isFirst ? Icy.block(mark) : isAfter ? Icy.block("StreamTitle='One - Two';") : [0]
      }
      place = end
    }
    return (Array(mixed[..<border]), Array(mixed[border...]))
  }
}
