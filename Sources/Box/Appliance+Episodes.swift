import Network
import Radio
import Settings

// Podcasts: which episode is played, and where it goes on (E1, E5).

extension Appliance {
  /// The episode that was heard last and not to its end; else the first that was not heard.
  func episode(of list: FileList) -> Int {
    let marks = state.bookmarks
    let begun = list.items.indices.filter { marks[list.items[$0].identifier]?.isHeard == false }
    let last = begun.min { rank(list.items[$0]) < rank(list.items[$1]) }
    return last ?? list.items.firstIndex { marks[$0.identifier] == nil } ?? 0
  }

  private func rank(_ item: FileList.Item) -> Int { state.bookmarks.rank(of: item.identifier) ?? .max }

  /// Where an episode goes on, in seconds; one that was heard begins anew.
  func start(of item: FileList.Item) -> Double {
    guard let mark = state.bookmarks[item.identifier], !mark.isHeard else { return 0 }
    return Double(mark.seconds)
  }

  /// Remembers how far the episode that plays was heard.
  func noteEpisode(isHeard: Bool) {
    guard let status = tuner?.radio.status, let list = status.list, list.isFeed, let item = status.item,
      list.items.indices.contains(item), isHeard || status.isAudioPlaying
    else { return }
    let seconds = Int(status.position)
    guard isHeard || seconds > 0 else { return }
    state.bookmarks.note(Bookmark(list.items[item].identifier, seconds: isHeard ? 0 : seconds, isHeard: isHeard))
  }
}
