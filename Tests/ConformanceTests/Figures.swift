import Foundation

/// What was measured, a line for each case, where `BAKELITE_FIGURES` is set.
enum Figures {
  private static let areWanted = ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil

  static func tell(_ kind: String, _ name: String, _ figures: String...) {
    guard areWanted else { return }
    let name = name.padding(toLength: 42, withPad: " ", startingAt: 0)
    print("figure  \(kind)  \(name)  \(figures.joined(separator: "  "))")
  }

  static func decibels(_ value: Double) -> String {
    value.isInfinite ? "identical" : String(format: "%6.2f dB", value)
  }
}
