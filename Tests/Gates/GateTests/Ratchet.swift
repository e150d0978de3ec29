/// The bound of a figure of the sources. The figure falls to the target, and then stays below it.
struct Ratchet: Sendable {
  let bound: Int
  let target: Int

  /// Returns a sentence if the figure is above the bound, or below a bound above the target.
  func fault(of figure: Int) -> String? {
    if figure > bound { return "The figure is \(figure), more than \(bound)." }
    guard figure < bound, bound > target else { return nil }
    return "The figure fell to \(figure): lower the bound to \(max(figure, target))."
  }
}
