import Units

/// An HLS station on the loopback interface: it cuts a clip into segments as time goes by, and lists the newest.
public final class SegmentedStation: Sendable {
  /// What is asked for.
  public enum Request: Equatable, Sendable {
    case list
    /// The segment of a number, 0 being the clip's first.
    case segment(Int)
  }

  /// The server behind it.
  public let server: ScriptedStation
  /// Seconds of each segment.
  public let length: Double
  private let packets: [[Clip.Packet]]

  /// A station that sends `clip` in segments of `length` seconds, of which `aired` are over now and `window` are
  /// listed.
  ///
  /// - Parameters:
  ///   - header: Further lines of the list.
  ///   - hasTitles: Whether its list names its segments.
  ///   - laps: How often the clip is sent, one after the other.
  ///   - cipher: How its segments are encrypted; nil: not at all.
  ///   - answer: What is done instead with a request; nil: what a healthy station does.
  ///   - wrap: Makes a segment's file of its bytes and number.
  public init(
    _ clip: Clip, length: Double = 4, aired: Int = 6, window: Int = 6, header: String = "",
    hasTitles: Bool = false, laps: Int = 1, cipher: SegmentCipher? = nil,
    _ answer: @escaping @Sendable (ScriptedStation.Visit, Request, SegmentedStation.Air) -> [Act]? = { _, _, _ in nil },
    wrap: @escaping @Sendable ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes }
  ) throws {
    let segments = Self.cut(clip, length)
    let begun = monotonicSeconds() - Double(aired) * length
    (packets, self.length) = (segments, length)
    server = try ScriptedStation { visit in
      let count = min(segments.count * laps, Int((monotonicSeconds() - begun) / length))
      let air = Air(
        count: count, length: length, window: window, header: header, hasTitles: hasTitles, cipher: cipher)
      let name = visit.path.split(separator: "/").last.map { String($0) } ?? ""
      let request = Int(name.prefix { $0 != "." }).map { Request.segment($0) } ?? .list
      if let acts = answer(visit, request, air) ?? cipher?.answer(visit) { return acts }
      switch request {
      case .list: return air.list()
      case .segment(let number) where (0..<segments.count * laps).contains(number):
        let file = wrap(segments[number % segments.count].flatMap(\.bytes), number)
        return Act.file(cipher?.encrypt(file, number) ?? file)
      case .segment: return Act.answer("404 Not Found")
      }
    }
  }

  /// What is on the air when a request comes.
  public struct Air: Sendable {
    /// Segments that are over.
    public var count: Int
    let length: Double
    var window: Int
    let header: String
    let hasTitles: Bool
    let cipher: SegmentCipher?

    /// A healthy answer: the newest segments, or those up to a number, counted from another one on.
    public func list(to end: Int? = nil, sequence: Int? = nil, tail: String = "") -> [Act] {
      let end = end ?? count
      let first = max(0, end - window)
      var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(Int(length.rounded(.up)))\n"
      text += "#EXT-X-MEDIA-SEQUENCE:\(sequence ?? first)\n" + header
      for number in first..<max(first, end) {
        text += (cipher?.tag(number) ?? "") + "#EXTINF:\(length),\(hasTitles ? "Song \(number)" : "")\n\(number).mp3\n"
      }
      return Act.answer("200 OK", text + tail, type: "application/vnd.apple.mpegurl")
    }
  }

  /// The bytes of the packets from one segment up to another, as they were before they were packed.
  public func bytes(_ numbers: Range<Int>) -> [UInt8] {
    numbers.clamped(to: packets.indices).flatMap { packets[$0].flatMap(\.bytes) }
  }

  /// Where the bytes of a segment begin in those of its clip.
  public static func byte(of number: Int, in clip: Clip, length: Double) -> Int {
    cut(clip, length).prefix(number).reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes.count } }
  }

  /// The address of its list.
  public var url: String { server.url("/live.m3u8") }

  /// Requests for the list so far.
  public var listCount: Int { server.visits.count { $0.path.hasSuffix("m3u8") } }

  /// Ends it.
  public func close() { server.close() }

  private static func cut(_ clip: Clip, _ length: Double) -> [[Clip.Packet]] {
    var segments: [[Clip.Packet]] = []
    var time = 0.0
    for packet in clip.packets {
      let number = Int(time / length)
      while segments.count <= number { segments.append([]) }
      segments[number].append(packet)
      time += packet.info.duration.seconds
    }
    return segments
  }
}
