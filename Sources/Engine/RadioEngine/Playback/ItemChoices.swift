import Network

/// The choices of a program for lists.
struct ItemChoices {
  var item: (FileList) -> Int = { _ in 0 }
  /// Start position in seconds.
  var start: (FileList.Item) -> Double = { _ in 0 }
}
