/// A part of Bakelite, and what must hold of it whatever bytes come.
protocol FuzzTarget: AnyObject {
  /// Its name on the command line, and its folder's name in the corpus.
  static var name: String { get }
  /// The longest input that is worth trying, in bytes.
  static var longest: Int { get }
  /// Inputs to begin with.
  static var seeds: [[UInt8]] { get }

  init()

  /// Takes one input; whatever it leaves behind must not show in the next.
  func run(_ bytes: Span<UInt8>)
}

extension FuzzTarget {
  static var longest: Int { 4_096 }
  static var seeds: [[UInt8]] { [] }
}

/// Ends the process with the broken law, so that libFuzzer keeps the input.
func expect(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}
