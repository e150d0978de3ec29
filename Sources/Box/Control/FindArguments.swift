/// What `find`, `search`, `findadd` and `searchadd` are told: a filter, then `sort`, `window` and where to add.
struct FindArguments {
  private(set) var filter: SongFilter
  private(set) var sort: StationOrder.Key?
  private(set) var window: Range<Int>?
  /// The place of the argument that says where stations are added.
  private(set) var position: Int?

  /// Reads the arguments from behind, as MPD does; `adds`: `position` may be among them.
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
