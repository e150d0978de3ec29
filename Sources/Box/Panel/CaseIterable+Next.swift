extension CaseIterable where Self: Equatable {
  /// The one after this; after the last the first.
  var next: Self {
    let all = Array(Self.allCases)
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
