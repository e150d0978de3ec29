import RadioEngine

/// The last played item of a podcast or list of files.
struct ListPosition {
  /// Number of the item, from 0.
  let item: Int
  let isLast: Bool

  /// Nil for a station, and for a list with one file that is not a podcast.
  init?(_ engine: any PlaybackEngine) {
    guard let list = engine.list, list.isFeed || list.items.count > 1, let item = engine.item else { return nil }
    (self.item, isLast) = (item, item + 1 >= list.items.count)
  }
}
