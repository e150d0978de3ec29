import Foundation
import Listings
import ListingsSupport
import Testing

@Suite("Feeds in the wild", .corpora)
struct FeedFileTests {
  static let all = Corpora.files("podcasts", "xml", "rss", "atom")

  @Test("All feeds are readable, in any pieces", arguments: all)
  func read(_ path: String) throws {
    let bytes = try Corpora.bytes(path)
    let whole = try? feed(bytes)
    for length in [1, 7, 1_448] { #expect((try? feed(bytes, pieces: length)) == whole) }
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 8)) {
      let start = (try? feed(Array(bytes[..<place])))?.episodes ?? []
      #expect(whole?.episodes.starts(with: start) ?? start.isEmpty)
    }
  }

  @Test("Feeds give all their episodes")
  func counts() throws {
    try #require(!Self.all.isEmpty)
    for folder in Dictionary(grouping: Self.all, by: { $0.split(separator: "/")[1] }).sorted(by: { $0.key < $1.key }) {
      let feeds = folder.value.map { try? feed(Corpora.bytes($0)) }
      let episodes = feeds.compactMap { $0?.episodes }.joined()
      print(
        "\(folder.key): \(folder.value.count) feeds, \(feeds.count { $0 != nil }) with something to be heard, "
          + "\(episodes.count) episodes, \(episodes.count { $0.title != nil }) titles, "
          + "\(episodes.count { $0.date != nil }) dates, \(episodes.count { $0.seconds != nil }) lengths")
    }
  }

  /// gPodder limits the number of episodes, and skips untitled items with several enclosures.
  private static let unequal = ["max_episodes", "no_title_multi_enclosure"]

  @Test("Feeds agree with gPodder's own results")
  func gpodder() throws {
    var (feeds, episodes, titles, dates, lengths) = (0, 0, 0, 0, 0)
    for path in Corpora.files("podcasts/gpodder-podcastparser", "rss") {
      guard let known = try expected(path.dropLast(3) + "json") else { continue }
      let found = try? feed(Corpora.bytes(path))
      feeds += 1
      if !Self.unequal.contains(path.stem) { #expect(found?.episodes.count ?? 0 == known.count, "\(path)") }
      for known in known {
        let episode = try #require(found?.episodes.first { known.addresses.contains($0.reference) }, "\(path)")
        episodes += 1
        if let title = episode.title {
          #expect(title == known.title, "\(path)")
          titles += 1
        }
        #expect(episode.date ?? 0 == known.date, "\(path)")
        #expect(episode.seconds ?? 0 == known.seconds, "\(path)")
        dates += known.date == 0 ? 0 : 1
        lengths += known.seconds == 0 ? 0 : 1
      }
    }
    print("gPodder: \(feeds) feeds, \(episodes) episodes, \(titles) titles, \(dates) dates, \(lengths) lengths agree")
    #expect(episodes > 0)
  }

  private struct Known {
    var title: String
    var addresses: [String]
    var date: Int64
    var seconds: Int
  }

  /// The episodes in which gPodder finds audio.
  private func expected(_ path: String) throws -> [Known]? {
    guard let data = try? Data(contentsOf: #require(Corpora.root).appendingPathComponent(path)),
      let feed = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return nil }
    let episodes = feed["episodes"] as? [[String: Any]] ?? []
    return episodes.compactMap { episode in
      let enclosures = episode["enclosures"] as? [[String: Any]] ?? []
      // gPodder resolves addresses against the feed's address.
      let addresses = enclosures.compactMap { $0["url"] as? String }.map {
        $0.replacingOccurrences(of: "file://tests/data/", with: "")
      }
      guard !addresses.isEmpty else { return nil }
      return Known(
        title: episode["title"] as? String ?? "", addresses: addresses,
        date: (episode["published"] as? NSNumber)?.int64Value ?? 0,
        seconds: (episode["total_time"] as? NSNumber)?.intValue ?? 0)
    }
  }
}
