extension Range<Int> {
  /// Returns the first index at which `isPast` returns true, by binary search; without such an index, the upper bound.
  func partition(_ isPast: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isPast(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
