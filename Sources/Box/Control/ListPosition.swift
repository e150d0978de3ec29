import RadioEngine

/// Which item of a podcast or of a list of files was heard last.
struct ListPosition {
  /// Its place, from 0.
  let item: Int
  /// Whether no other follows.
  let isLast: Bool

  /// Nil for a station, and for a list of one file, which is that file.
  init?(_ engine: any PlaybackEngine) {
    guard let list = engine.list, list.isFeed || list.items.count > 1, let item = engine.item else { return nil }
    (self.item, isLast) = (item, item + 1 >= list.items.count)
  }
}
