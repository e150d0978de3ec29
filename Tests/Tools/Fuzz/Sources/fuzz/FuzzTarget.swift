/// A fuzz target: a part of Bakelite with its invariants.
protocol FuzzTarget: AnyObject {
  /// The name on the command line and of the corpus folder.
  static var name: String { get }
  /// Maximum useful input size in bytes.
  static var longest: Int { get }
  /// The initial inputs.
  static var seeds: [[UInt8]] { get }

  init()

  /// Runs one input. State from this run must not affect the next run.
  func run(_ bytes: Span<UInt8>)
}

extension FuzzTarget {
  static var longest: Int { 4_096 }
  static var seeds: [[UInt8]] { [] }
}

/// Ends the process if a check fails, so that libFuzzer saves the input.
func expect(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}
