/// The arguments of `find`, `search`, `findadd` and `searchadd`: filter, `sort`, `window` and `position`.
struct FindArguments {
  private(set) var filter: SongFilter
  private(set) var sort: StationOrder.Key?
  private(set) var window: Range<Int>?
  private(set) var position: Int?

  /// Parses the arguments from the last to the first, as MPD does. `isWhole`: true if values must match completely.
  /// `adds`: true if `position` is allowed.
  init(_ call: ControlCall, isWhole: Bool, adds: Bool) throws(ControlRefusal) {
    var count = call.arguments.count
    func isNext(_ word: String) -> Bool { count >= 2 && call.arguments[count - 2] == word }
    if adds, isNext("position") {
      position = count - 1
      count -= 2
    }
    if isNext("window") {
      window = try call.range(count - 1)
      count -= 2
    }
    if isNext("sort") {
      sort = try StationOrder.Key(call.arguments[count - 1])
      count -= 2
    }
    filter = try SongFilter(call.arguments[..<count], isWhole: isWhole)
  }
}
