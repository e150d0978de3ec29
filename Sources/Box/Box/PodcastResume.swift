import Network
import RadioEngine
import Settings

/// Which episode of a podcast is played, and where it goes on (E1, E5). A value over what is remembered.
struct PodcastResume {
  /// Where episodes were left, the one that was heard last first.
  let bookmarks: Bookmarks

  /// The place of the episode that was heard last and not to its end; else of the first that was not heard; else 0.
  func episode(of list: FileList) -> Int {
    let begun = list.items.indices.filter { bookmarks[list.items[$0].identifier]?.isHeard == false }
    let last = begun.min { rank(list.items[$0]) < rank(list.items[$1]) }
    return last ?? list.items.firstIndex { bookmarks[$0.identifier] == nil } ?? 0
  }

  private func rank(_ item: FileList.Item) -> Int { bookmarks.rank(of: item.identifier) ?? .max }

  /// Where an episode goes on, in seconds; one that was heard, or never was, at its beginning.
  func start(of item: FileList.Item) -> Double {
    guard let mark = bookmarks[item.identifier], !mark.isHeard else { return 0 }
    return Double(mark.seconds)
  }

  /// How far the episode was heard that plays, or that was just heard to its end; nil where there is nothing to
  /// remember.
  static func bookmark(_ status: RadioStatus, isHeard: Bool) -> Bookmark? {
    guard let list = status.list, list.isFeed, let item = status.item, list.items.indices.contains(item),
      isHeard || status.isAudioPlaying
    else { return nil }
    let seconds = Int(status.position)
    guard isHeard || seconds > 0 else { return nil }
    return Bookmark(list.items[item].identifier, seconds: isHeard ? 0 : seconds, isHeard: isHeard)
  }
}
