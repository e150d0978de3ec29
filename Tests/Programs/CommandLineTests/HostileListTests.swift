import Foundation
import StationSupport
import System
import TestSupport
import Testing

@Suite struct HostileListTests {
  private static let packets = Clip.long(60).packets

  private static let lists: [(name: String, list: @Sendable (Int) -> [UInt8])] = [
    ("three segments", { head($0) + lines(3, "#EXTINF:1,\n/1.mp3\n") }),
    ("300,000 segments", { head($0) + many }),
    ("a line of 4 MB", { head($0) + Array("#EXTINF:1,".utf8) + megabytes + Array("\n/1.mp3\n".utf8) }),
    ("an address of 4 MB", { head($0) + Array("#EXTINF:1,\n/1.mp3?".utf8) + megabytes + Array("\n".utf8) }),
  ]
  private static let many = lines(300_000, "#EXTINF:1,\n/1.mp3\n")
  private static let megabytes = [UInt8](repeating: 0x78, count: 4 << 20)

  private static func head(_ asked: Int) -> [UInt8] {
    Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(asked)\n".utf8)
  }

  private static func lines(_ count: Int, _ line: String) -> [UInt8] {
    Array(String(repeating: line, count: count).utf8)
  }

  /// Returns the peak of private memory in KiB for a radio that plays a station. Only the first three lists are `list`;
  /// the rest are short, so that a busy machine still plays eight seconds.
  private static func peak(_ list: @escaping @Sendable (Int) -> [UInt8]) throws -> Int {
    let asked = Locked(0)
    let sound = packets.prefix(40).flatMap(\.bytes)
    let station = try ScriptedStation { visit in
      guard visit.path.hasPrefix("/live") else { return StationAction.file(sound) }
      let count = asked.withLock { count in
        count += 1
        return count
      }
      let body = count <= 3 ? list(count) : lists[0].list(count)
      return [.file(body.count, type: "application/vnd.apple.mpegurl"), .send(body)]
    }
    defer { station.close() }
    let outcome = try Program.run(
      "play", "--events", "-", "--output", "null", "--duration", "8", station.url("/live.m3u8"), within: 180)
    let line = outcome.outputText.split(separator: "\n").last { $0.contains("rssAnonPeak") }
    let object = try JSONSerialization.jsonObject(with: Data(try #require(line, "\(outcome)").utf8)) as? [String: Any]
    // A list of megabytes is requested at most at 256 KiB/s.
    #expect(asked.withLock { $0 } >= 2)
    return try #require(object?["rssAnonPeak"] as? Int)
  }

  @Test("A hostile list costs at most 2 MB more memory (H7)")
  func memory() async throws {
    try await Stage.run {
      let plain = try Self.peak(Self.lists[0].list)
      for (name, list) in Self.lists.dropFirst() {
        let peak = try Self.peak(list)
        print("\(name): \(peak - plain) KiB more than \(plain) KiB")
        #expect(peak <= plain + 2_048, "\(name)")
      }
    }
  }
}
