import TestSupport
import Units

/// An HLS station on loopback, which splits a clip into segments over time and lists the newest segments.
public final class SegmentedStation: Sendable {
  /// A client's request.
  public enum Request: Equatable, Sendable {
    case list
    case file(String)
    /// The segment with this number; 0 is the clip's first segment.
    case segment(Int)
  }

  /// The HTTP server.
  public let server: ScriptedStation
  /// Duration of a segment in seconds.
  public let length: Double
  private let packets: [[Clip.Packet]]

  /// Creates a station that sends `clip` in segments. A format change in the clip starts a discontinuous segment.
  ///
  /// - Parameters:
  ///   - length: Duration of a segment in seconds.
  ///   - aired: Number of segments that are already complete.
  ///   - window: Number of listed segments.
  ///   - header: Further lines of the playlist.
  ///   - hasTitles: True if the playlist has segment titles.
  ///   - laps: Number of repetitions of the clip.
  ///   - cipher: The encryption; nil for none.
  ///   - form: The packaging of the segments.
  ///   - keepsConnections: True if a connection serves several requests.
  ///   - answer: Returns the actions that replace the default response; nil for the default.
  ///   - wrap: Creates a segment's file from its bytes and number.
  public init(
    _ clip: Clip, length: Double = 4, aired: Int = 6, window: Int = 6, header: String = "",
    hasTitles: Bool = false, laps: Int = 1, cipher: SegmentCipher? = nil, form: SegmentPackaging = .packed,
    keepsConnections: Bool = false,
    _ answer:
      @escaping @Sendable (ScriptedStation.Request, Request, SegmentedStation.BroadcastState) -> [StationAction]? = {
        _, _, _ in nil
      },
    wrap: @escaping @Sendable ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes }
  ) throws {
    let segments = Self.cut(clip, length)
    let begun = monotonicSeconds() - Double(aired) * length
    let packed = form.pack(segments)
    let cipher = cipher ?? form.cipher
    let entries = Entries(segments, packed, form.layout, length)
    (packets, self.length) = (segments, length)
    server = try ScriptedStation { visit in
      let count = min(segments.count * laps, Int((monotonicSeconds() - begun) / length))
      let air = BroadcastState(
        count: count, length: length, window: window, header: header + packed.header, hasTitles: hasTitles,
        cipher: cipher, entries: entries)
      let request = entries.request(visit)
      if let acts = answer(visit, request, air) ?? cipher?.answer(visit) { return acts }
      func healthy() -> [StationAction] {
        switch request {
        case .list: return air.list()
        case .file(let name):
          return packed.files[name].map { StationAction.file($0) } ?? StationAction.response("404 Not Found")
        case .segment(let number) where (0..<segments.count * laps).contains(number):
          if let whole = entries.commonFile { return whole.actions(for: visit) }
          let file = wrap(packed.segments[number % segments.count], number)
          return StationAction.file(cipher?.encrypt(file, number) ?? file)
        case .segment: return StationAction.response("404 Not Found")
        }
      }
      return keepsConnections ? StationAction.keepingConnection(healthy()) : healthy()
    }
  }

  /// The state of the station at the time of a request.
  public struct BroadcastState: Sendable {
    /// Number of complete segments.
    public var count: Int
    let length: Double
    /// Number of listed segments.
    public var window: Int
    let header: String
    let hasTitles: Bool
    let cipher: SegmentCipher?
    let entries: Entries

    /// Returns the default response to a playlist request. `end` is the first unlisted segment.
    public func list(
      to end: Int? = nil, sequence: Int? = nil, target: Int? = nil, prefix: String = "", tail: String = "",
      headers: [String] = []
    ) -> [StationAction] {
      let text = text(to: end, sequence: sequence, target: target, prefix: prefix, tail: tail)
      return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl", headers: headers)
    }

    /// Returns the text of the playlist.
    public func text(
      to end: Int? = nil, sequence: Int? = nil, target: Int? = nil, prefix: String = "", tail: String = ""
    ) -> String {
      let end = end ?? count
      let first = max(0, end - window)
      var text = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:\(target ?? Int(length.rounded(.up)))\n"
      text += "#EXT-X-MEDIA-SEQUENCE:\(sequence ?? first)\n" + header
      for number in first..<max(first, end) {
        text += cipher?.tag(number) ?? ""
        text += entries.lines(number, title: hasTitles ? "Song \(number)" : "", isFirst: number == first, prefix)
      }
      return text + tail
    }
  }

  /// Returns the bytes of consecutive segments before packaging.
  public func bytes(_ numbers: Range<Int>) -> [UInt8] {
    numbers.clamped(to: packets.indices).flatMap { packets[$0].flatMap(\.bytes) }
  }

  /// Returns the offset of a segment in the clip's bytes.
  public static func byteOffset(of number: Int, in clip: Clip, length: Double) -> Int {
    cut(clip, length).prefix(number).reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes.count } }
  }

  /// Returns the bytes of a clip's segment before packaging.
  public static func segmentBytes(of number: Int, in clip: Clip, length: Double) -> [UInt8] {
    let segments = cut(clip, length)
    return segments.indices.contains(number) ? segments[number].flatMap(\.bytes) : []
  }

  /// The address of the playlist.
  public var url: String { server.url("/live.m3u8") }

  /// Number of playlist requests so far.
  public var listCount: Int { server.visits.count { $0.path.hasSuffix("m3u8") } }

  /// Stops the server.
  public func close() { server.close() }

  private static func cut(_ clip: Clip, _ length: Double) -> [[Clip.Packet]] {
    var segments: [[Clip.Packet]] = []
    var (time, begun) = (0.0, 0)
    for packet in clip.packets {
      if let last = segments.last?.last, last.info.format != packet.info.format { (time, begun) = (0, segments.count) }
      let number = begun + Int(time / length)
      while segments.count <= number { segments.append([]) }
      segments[number].append(packet)
      time += packet.info.duration.seconds
    }
    return segments
  }

  /// The segments as listed in the playlist.
  struct Entries: Sendable {
    /// The file with all segments as its parts; nil if each segment is a file.
    private(set) var commonFile: FileServer?
    /// The offset of each segment in the file, and the end of the last segment.
    private var offsets = [0]
    private let breaks: Set<Int>
    private let length: Double

    init(
      _ segments: [[Clip.Packet]], _ packed: SegmentPackaging.Files, _ layout: SegmentPackaging.Layout, _ length: Double
    ) {
      let formats = segments.map { $0.first?.info.format }
      breaks = Set(formats.indices.dropFirst().filter { formats[$0] != formats[$0 - 1] })
      self.length = length
      guard case .parts(let areKnown) = layout else { return }
      var file = FileServer(packed.segments.flatMap { $0 })
      file.supportsRanges = areKnown
      commonFile = file
      offsets = packed.segments.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    func lines(_ number: Int, title: String, isFirst: Bool, _ prefix: String) -> String {
      let head = breaks.contains(number) ? "#EXT-X-DISCONTINUITY\n" : ""
      guard commonFile != nil else { return head + "#EXTINF:\(length),\(title)\n\(prefix)\(number).mp3\n" }
      // Every second range omits its offset: it starts at the end of the previous range.
      let place = isFirst || number % 2 == 0 ? "@\(offsets[number])" : ""
      let count = offsets[number + 1] - offsets[number]
      return head + "#EXTINF:\(length),\(title)\n#EXT-X-BYTERANGE:\(count)\(place)\n\(prefix)all.mp3\n"
    }

    func request(_ visit: ScriptedStation.Request) -> Request {
      let path = visit.path.prefix { $0 != "?" }
      let name = path.split(separator: "/").last.map { String($0) } ?? ""
      if let number = Int(name.prefix { $0 != "." }) { return .segment(number) }
      guard name == "all.mp3" else { return name.hasSuffix(".m3u8") || !name.contains(".") ? .list : .file(name) }
      let first = visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
      return .segment((offsets.firstIndex { $0 > first } ?? 1) - 1)
    }
  }
}
