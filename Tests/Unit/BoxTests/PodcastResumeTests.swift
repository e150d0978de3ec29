import Network
import RadioEngine
import Settings
import Testing
import Units

@testable import Box

/// The choice of the episode to resume, and its position (E1, E5).
@Suite struct PodcastResumeTests {
  private static let list = FileList(
    url: "http://radio.example/feed", isFeed: true,
    items: ["a", "b", "c"].map { (name: String) in
      FileList.Item(url: StationAddress("http://radio.example/\(name)"), identifier: name)
    })

  /// Bookmarks of episodes, the last played one at the end: "a 40" stands for 40 s, "b" for a finished episode.
  private static func bookmarks(_ words: [String]) -> Bookmarks {
    var marks = Bookmarks()
    for word in words {
      let parts = word.split(separator: " ").map(String.init)
      let seconds = parts.count > 1 ? Int(parts[1]) : nil
      marks.insert(Bookmark(parts[0], seconds: seconds ?? 0, isHeard: seconds == nil))
    }
    return marks
  }

  @Test(
    "The unfinished episode played last is chosen, else the first unplayed one",
    arguments: [
      ([], 0, 0), (["b 40"], 1, 40), (["b 40", "c 7"], 2, 7), (["c 7", "b 40"], 1, 40), (["b 40", "c"], 1, 40),
      (["a"], 1, 0), (["a", "b"], 2, 0), (["a", "b", "c"], 0, 0), (["x 9"], 0, 0),
    ] as [([String], Int, Double)])
  func choice(_ words: [String], _ episode: Int, _ start: Double) {
    let resume = PodcastResume(bookmarks: Self.bookmarks(words))
    #expect(resume.episode(of: Self.list) == episode)
    #expect(resume.start(of: Self.list.items[episode]) == start)
  }

  private static func status(_ change: (inout RadioStatus) -> Void) -> RadioStatus {
    var status = RadioStatus()
    (status.list, status.item) = (list, 1)
    (status.isAudioPlaying, status.position) = (true, 41.7)
    change(&status)
    return status
  }

  @Test("The position of an episode is stored in whole seconds, and its completion")
  func marks() {
    #expect(PodcastResume.bookmark(Self.status { _ in }, isHeard: false) == Bookmark("b", seconds: 41))
    let isOver = Self.status { $0.isAudioPlaying = false }
    #expect(PodcastResume.bookmark(isOver, isHeard: true) == Bookmark("b", seconds: 0, isHeard: true))
  }

  @Test("No position is stored outside episodes or before audio")
  func noMarks() {
    let statuses = [
      Self.status { $0.list = nil }, Self.status { $0.item = nil }, Self.status { $0.item = 3 },
      Self.status { $0.list = FileList(url: "", isFeed: false, items: Self.list.items) },
      Self.status { $0.isAudioPlaying = false }, Self.status { $0.position = 0.9 },
    ]
    for (index, status) in statuses.enumerated() {
      #expect(PodcastResume.bookmark(status, isHeard: false) == nil, "\(index)")
    }
  }
}
