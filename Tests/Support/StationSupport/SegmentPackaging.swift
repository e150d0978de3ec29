import MediaSupport
import SeededRandom

/// The packaging of an HLS station's audio, such as a transport stream, MP4 fragments, or parts of one file.
public struct SegmentPackaging: Sendable, CustomStringConvertible {
  /// The files of a packaged station.
  public struct Files: Sendable {
    /// The bytes of each segment.
    public var segments: [[UInt8]]
    /// Further lines of the playlist.
    public var header = ""
    /// Further files by name, such as a map or a key.
    public var files: [String: [UInt8]] = [:]

    /// Creates segments without further files.
    public init(_ segments: [[UInt8]]) { self.segments = segments }
  }

  /// The distribution of segments over files.
  public enum Layout: Sendable {
    /// A file for each segment.
    case files
    /// Parts of one file. `areKnown`: true if the server supports range requests.
    case parts(areKnown: Bool)
  }

  /// The name of the form.
  public var description: String
  /// The distribution of segments over files.
  public var layout = Layout.files
  /// The encryption; nil for none.
  public var cipher: SegmentCipher?
  /// Creates the bytes of all segments from their packets.
  public var pack: @Sendable ([[Clip.Packet]]) -> Files

  /// Creates a form with a name.
  public init(_ name: String, layout: Layout = .files, pack: @escaping @Sendable ([[Clip.Packet]]) -> Files) {
    (description, self.layout, self.pack) = (name, layout, pack)
  }

  /// Plain packets.
  public static let packed = SegmentPackaging("packed") { Files($0.map(bytes)) }

  /// Packets after a tag with the segment's time.
  public static let timed = SegmentPackaging("packed, with times") { segments in
    Files(zip(segments, startTimes(segments)).map { timeTag(UInt64($1 * 90_000)) + bytes($0) })
  }

  /// Packets; the last packet of a segment ends in the next segment.
  public static let tornPackets = SegmentPackaging("packed, torn") { Files(splitPacketsAtBoundaries($0)) }

  /// Packets in one file.
  public static let parts = SegmentPackaging("byte ranges", layout: .parts(areKnown: true), pack: packed.pack)

  /// Packets in one file; the server does not support range requests.
  public static let unknownParts = SegmentPackaging(
    "byte ranges of a server that knows none", layout: .parts(areKnown: false), pack: packed.pack)

  /// AAC in LATM frames.
  public static let latm = SegmentPackaging("LATM") { Files($0.map(Latm.stream)) }

  /// A transport stream with PES packets that start and end inside audio packets.
  public static let transport = SegmentPackaging("transport stream") { packets in
    Files(streams(packets.map(bytes), of: packets))
  }

  /// A transport stream; the last audio packet of a segment ends in the next segment.
  public static let tornTransport = SegmentPackaging("transport stream, torn") { packets in
    Files(streams(splitPacketsAtBoundaries(packets), of: packets))
  }

  /// AAC in LATM frames in a transport stream.
  public static let latmTransport = SegmentPackaging("LATM in a transport stream") { packets in
    Files(streams(packets.map(Latm.stream), of: packets, type: 0x11))
  }

  /// MP4 fragments of `count` packets each, with an initialization segment.
  public static func fragments(of count: Int) -> SegmentPackaging {
    SegmentPackaging("fragments of \(count)") { segments in
      guard let first = segments.first?.first else { return Files([]) }
      let writer = track(first)
      var time: UInt64 = 0
      var packed = Files(
        segments.map { packets in
          stride(from: 0, to: packets.count, by: count).flatMap { place -> [UInt8] in
            let part = packets[place..<min(place + count, packets.count)]
            let fragment = writer.fragment(part.map(\.unit), time: time)
            time += UInt64(part.reduce(0) { $0 + $1.info.duration.seconds } * Double(writer.timescale) + 0.5)
            return fragment
          }
        })
      packed.header = "#EXT-X-MAP:URI=\"map.mp4\"\n"
      packed.files["map.mp4"] = writer.head()
      return packed
    }
  }

  /// This form with AES-128 encryption.
  public var encrypted: SegmentPackaging {
    var form = self
    (form.description, form.cipher) = (description + ", encrypted", SegmentCipher())
    return form
  }

  /// Creates a track with the format of a packet.
  private static func track(_ packet: Clip.Packet) -> FragmentWriter {
    var writer = FragmentWriter()
    writer.timescale = UInt32(packet.info.format.sampleRate.hertz)
    guard packet.isAac else {
      writer.entries = [BoxWriter.entry(BoxWriter.esds(objectType: 0x6B, config: nil))]
      return writer
    }
    let channels = Int(packet.bytes[2] & 1) << 2 | Int(packet.bytes[3] >> 6)
    var config = BitWriter()
    config.put(Int(packet.bytes[2] >> 6) + 1, 5)
    config.put(Int(packet.bytes[2] >> 2 & 15), 4)
    config.put(channels, 4)
    config.put(0, 3)
    writer.entries = [BoxWriter.entry(BoxWriter.esds(config: config.bytes))]
    return writer
  }

  /// Wraps segments in transport streams. The continuity counters continue from segment to segment.
  private static func streams(_ segments: [[UInt8]], of packets: [[Clip.Packet]], type: UInt8? = nil) -> [[UInt8]] {
    var random = SeededGenerator(3)
    var counters: [UInt16: UInt8] = [:]
    let times = startTimes(packets)
    return segments.indices.map { number in
      var writer = TransportStreamWriter()
      writer.counters = counters
      let sound = packets[number].first.map { type ?? $0.streamType } ?? 0
      writer.tables([TransportStreamWriter.Entry(type: sound, pid: TransportStreamWriter.soundPID)])
      var (rest, count) = (segments[number][...], 0)
      while !rest.isEmpty {
        let body = rest.prefix(Int.random(in: 1...3_000, using: &random))
        rest = rest.dropFirst(body.count)
        // Packets are full or have filler in an adaptation field. Some have only filler.
        var room = SeededGenerator(random.next())
        writer.nextPayloadSize = { Bool.random(using: &room) ? 184 : Int.random(in: 1...184, using: &room) }
        if count % 3 == 1 { writer.packet(TransportStreamWriter.soundPID, []) }
        if count % 5 == 4 { writer.packet(0x1FFF, [UInt8](repeating: 0xFF, count: 184)[...]) }
        writer.pes(
          Array(body),
          TransportStreamWriter.PesHeader(
            time: count % 2 == 0 ? UInt64(times[number] * 90_000) : nil, isBounded: count % 4 != 3, isAligned: false,
            stuffing: Int.random(in: 0...20, using: &random)))
        count += 1
      }
      counters = writer.counters
      return writer.bytes
    }
  }

  private static func bytes(_ packets: [Clip.Packet]) -> [UInt8] { packets.flatMap(\.bytes) }

  /// Moves the first 100 bytes of each segment to the end of the previous segment.
  private static func splitPacketsAtBoundaries(_ segments: [[Clip.Packet]]) -> [[UInt8]] {
    let whole = segments.map(bytes)
    return whole.indices.map { number in
      let begun = number == 0 ? 0 : 100
      let more = number + 1 < whole.count ? whole[number + 1].prefix(100) : []
      return Array(whole[number].dropFirst(begun) + more)
    }
  }

  /// Returns the start of each segment in seconds.
  private static func startTimes(_ segments: [[Clip.Packet]]) -> [Double] {
    segments.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.reduce(0) { $0 + $1.info.duration.seconds }) }
  }

  /// Creates the tag with a segment's time (RFC 8216, 3.4).
  private static func timeTag(_ time: UInt64) -> [UInt8] {
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    let content = owner + BoxWriter.number(time, 8)
    let frame = Array("PRIV".utf8) + BoxWriter.u32(UInt32(content.count)) + [0, 0] + content
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
  }
}

extension Clip.Packet {
  fileprivate var isAac: Bool { info.format.codec == .aac }

  /// The packet without its ADTS header.
  fileprivate var unit: [UInt8] { isAac ? Array(bytes.dropFirst(bytes[1] & 1 == 0 ? 9 : 7)) : bytes }

  /// The stream type in the programme map.
  fileprivate var streamType: UInt8 { isAac ? 0x0F : info.format.sampleRate.hertz < 32_000 ? 0x04 : 0x03 }
}
