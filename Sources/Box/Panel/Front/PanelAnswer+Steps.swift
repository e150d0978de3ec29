extension PanelAnswer {
  /// The answer some steps away, clamped to first and last; nil if unchanged.
  func moved(by step: Int) -> PanelAnswer? {
    let all = PanelAnswer.allCases
    let place = all.firstIndex(of: self) ?? 0
    let moved = all[max(0, min(all.count - 1, place + max(-all.count, min(all.count, step))))]
    return moved == self ? nil : moved
  }
}
