import Network
import RadioEngine
import Settings

/// Selects the episode of a podcast and its start position (E1, E5).
struct PodcastResume {
  /// Stored positions of episodes, the latest first.
  let bookmarks: Bookmarks

  /// Returns the index of the latest unfinished episode, or else the first new one, or else 0.
  func episode(of list: FileList) -> Int {
    let begun = list.items.indices.filter { bookmarks[list.items[$0].identifier]?.isHeard == false }
    let last = begun.min { rank(list.items[$0]) < rank(list.items[$1]) }
    return last ?? list.items.firstIndex { bookmarks[$0.identifier] == nil } ?? 0
  }

  private func rank(_ item: FileList.Item) -> Int { bookmarks.rank(of: item.identifier) ?? .max }

  /// Returns the stored position in seconds; 0 for a new or finished episode.
  func start(of item: FileList.Item) -> Double {
    guard let mark = bookmarks[item.identifier], !mark.isHeard else { return 0 }
    return Double(mark.seconds)
  }

  /// Returns the position to store for the playing or finished episode; nil for other programmes and at 0 s.
  static func bookmark(_ status: RadioStatus, isHeard: Bool) -> Bookmark? {
    guard let list = status.list, list.isFeed, let item = status.item, list.items.indices.contains(item),
      isHeard || status.isAudioPlaying
    else { return nil }
    let seconds = Int(status.position)
    guard isHeard || seconds > 0 else { return nil }
    return Bookmark(list.items[item].identifier, seconds: isHeard ? 0 : seconds, isHeard: isHeard)
  }
}
