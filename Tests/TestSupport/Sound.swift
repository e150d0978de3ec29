/// Whether two recordings are the same, and where they part: nil, or a sentence.
public func difference(_ heard: [UInt8], _ expected: [UInt8]) -> String? {
  if heard == expected { return nil }
  let same = zip(heard, expected).prefix { $0 == $1 }.count
  return "\(heard.count) bytes instead of \(expected.count), the same up to byte \(same)"
}

/// The same for a recording that stops somewhere: nil where it is the beginning of `whole`.
public func difference(_ heard: [UInt8], beginningOf whole: [UInt8]) -> String? {
  difference(heard, Array(whole.prefix(heard.count)))
}

extension ArraySlice<UInt8> {
  /// From the first sample that is not silence on.
  public var sound: [UInt8] {
    let silent = prefix { $0 == 0 }.count / 4 * 4
    return Array(dropFirst(silent))
  }
}
