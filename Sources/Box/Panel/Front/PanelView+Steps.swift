extension PanelView {
  /// Returns the station some steps away. A single step wraps around the ends of the list; several steps stop there.
  func station(_ index: Int?, movedBy step: Int) -> Int {
    let count = stations.count
    guard let index, (0..<count).contains(index) else { return step > 0 ? min(step, count) - 1 : max(0, count + step) }
    return abs(step) == 1 ? (index + step + count) % count : max(0, min(count - 1, index + step))
  }

  /// Returns the order for a time shift, limited to the buffer; forward beyond its end means live. Nil if impossible.
  func order(seekingBy seconds: Int) -> PanelOrder? {
    let ahead = position.map { (duration ?? .infinity) - $0 } ?? timeShift
    let behind = position ?? heldBehind
    if seconds > 0, position == nil, Double(seconds) >= ahead { return ahead >= 1 ? .live : nil }
    let reach = seconds > 0 ? min(seconds, DurationText.whole(ahead)) : -min(-seconds, DurationText.whole(behind))
    return reach == 0 ? nil : .seek(by: reach)
  }
}
