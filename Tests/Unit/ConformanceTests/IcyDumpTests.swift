import Foundation
import Framing
import Testing
import Units

/// A recorder's dump of a station with metadata, the same audio without metadata, and a cue sheet of the titles.
struct IcyDump: Sendable, CustomTestStringConvertible {
  let audio: String
  let cue: String
  let metaint: Int
  var testDescription: String { audio }

  static let folder = "icy/icecast-metadata-js/record/"
  static let all = [
    IcyDump(audio: "128aac/music-128k.aac", cue: "128aac/music-128k.cue", metaint: 16_000),
    IcyDump(audio: "vbr/isics-all.mp3", cue: "vbr/isics-all.cue", metaint: 64),
  ]

  func audioBytes() throws -> [UInt8] { try Corpora.bytes(Self.folder + audio) }
  func rawBytes() throws -> [UInt8] { try Corpora.bytes(Self.folder + audio + ".raw") }

  /// The titles of the cue sheet and their starts, in frames of 1/75 s.
  func tracks() throws -> [(title: String, begin: Int)] {
    let text = String(decoding: try Corpora.bytes(Self.folder + cue), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    let titles = lines.filter { $0.hasPrefix("    TITLE ") }.map { line in
      // The recorder puts its clock before some titles.
      let title = line.dropFirst(11).dropLast()
      return String(title.hasPrefix("2020-") ? title.dropFirst(25) : title)
    }
    let begins = lines.filter { $0.hasPrefix("    INDEX 01 ") }.map { line in
      let parts = line.dropFirst(13).split(separator: ":").compactMap { Int($0) }
      return (parts[0] * 60 + parts[1]) * 75 + parts[2]
    }
    return Array(zip(titles, begins))
  }
}

/// A dump, split into audio and titles with Bakelite's own demuxer.
struct PartedDump {
  private(set) var audio: [UInt8] = []
  /// Titles, and the duration of the packets before each title.
  private(set) var titles: [(title: String, begin: StreamTime)] = []
  /// Duration of a packet.
  private(set) var packetDuration = StreamTime.zero

  /// Processes `stream` in pieces of `step` bytes.
  init(_ stream: [UInt8], metaint: Int, step: Int) {
    audio.reserveCapacity(stream.count)
    var demuxer = IcyDemuxer(metaint: metaint)
    var framer = FramedTime()
    for start in stride(from: 0, to: stream.count, by: step) {
      demuxer.demux(stream[start..<min(start + step, stream.count)].span) { bytes in
        bytes.withUnsafeBufferPointer { audio.append(contentsOf: $0) }
        framer.append(bytes)
      } metadata: { block in
        guard let title = IcyMetadata(parsing: block).title else { return }
        titles.append((MetadataText.decode(block.extracting(title)), framer.time))
      }
    }
    packetDuration = framer.packetDuration
  }
}

/// Duration of the packets that a framer has returned.
private struct FramedTime: ~Copyable {
  private var framer = PacketFramer()
  private(set) var time = StreamTime.zero
  private(set) var packetDuration = StreamTime.zero

  mutating func append(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      var isMore = true
      while isMore {
        var duration = StreamTime.zero
        isMore = framer.next { info, _ in duration = info.duration } == .packet
        time += duration
        if isMore { packetDuration = duration }
      }
    }
  }
}

@Suite("ICY dumps", .corpora)
struct IcyDumpTests {
  static let steps = [1, 7, 64, 1460, 16_000, 16_384, .max / 2]

  @Test(arguments: IcyDump.all, steps)
  func comesApartByteForByteWithItsTitles(dump: IcyDump, step: Int) throws {
    let parted = PartedDump(try dump.rawBytes(), metaint: dump.metaint, step: step)
    let isSame = parted.audio == (try dump.audioBytes())
    #expect(isSame)
    let tracks = try dump.tracks()
    #expect(parted.titles.map(\.title) == tracks.map(\.title))

    // The sheet begins with the first title. For the others, the recorder counts packets that it has fully read, one or
    // two
    // fewer than the framer; the sheet rounds to 1/75 s.
    #expect(tracks[0].begin == 0)
    let packet = parted.packetDuration.seconds
    for (title, track) in zip(parted.titles, tracks).dropFirst() {
      let late = title.begin.seconds - Double(track.begin) / 75
      #expect(late > packet - 1 / 75 && late < 2 * packet + 1 / 75)
      guard step == 1460 else { continue }
      Figures.tell(
        "ICY ", title.title,
        String(format: "begins at %7.3f s, %.1f packets behind the cue", title.begin.seconds, late / packet))
    }
  }
}
