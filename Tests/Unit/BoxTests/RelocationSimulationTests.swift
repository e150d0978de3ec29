import Foundation
import Settings
import Testing

@testable import Box

@Suite struct RelocationSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// Simulated years; `make relocation` sets ten.
  private static let years = environment["BAKELITE_YEARS"].flatMap { Int($0) }

  @Test(
    "Ten years of moving stations never accept a programme with another id or domain (G5)",
    arguments: [Configuration.Directory.Relocation.auto, .ask, .never])
  func years(_ policy: Configuration.Directory.Relocation) {
    let simulation = RelocationSimulation(boxes: Self.years == nil ? 1 : 50, policy, seed: 5)
    simulation.run(days: 365 * (Self.years ?? 2))
    let figures = simulation.figures
    if Self.years != nil { print(Self.report(policy, simulation)) }
    for fraud in MovingStations.Fraud.allCases where fraud != .falsified { #expect(figures.takenWrongly[fraud] == nil) }
    if policy != .auto { #expect(figures.takenWrongly == [:] && figures.takenRight == 0) }
    if policy == .never { #expect(figures.hearings == 0 && figures.asked == 0) } else { #expect(figures.asked > 0) }
    #expect(figures.mostHearings <= 20 * Relocation.maxTestCount && figures.gone > 0)
  }

  private static func report(
    _ policy: Configuration.Directory.Relocation, _ simulation: RelocationSimulation
  ) -> String {
    let (figures, world) = (simulation.figures, simulation.world)
    func share(_ part: Int, _ whole: Int) -> String {
      "\(part) (\(whole == 0 ? 0 : (part * 1_000 / whole + 5) / 10) %)"
    }
    let days = figures.days.sorted()
    var lines = [
      "relocate = \"\(policy.rawValue)\"",
      "  stations: \(world.stations.count); failures of 1, 2-3, 4-9, 10 and more days: \(world.failures)",
      "  presets whose address went for good: \(figures.gone)",
      "  of which live on elsewhere: \(share(figures.movedAway, figures.gone))",
      "  given their station's other address without asking: \(figures.takenRight)",
      "  given it by the owner: \(figures.acceptedRight)",
      "  questions: \(figures.asked)",
      "  of which of another programme: \(share(figures.askedOfOthers, figures.asked))",
      "  of which of an address that comes back: \(share(figures.askedInVain, figures.asked))",
      "  another programme taken by an owner who heard it: \(figures.acceptedWrongly)",
      "  median of days from the end to the other address: \(days.isEmpty ? 0 : days[days.count / 2])",
      "  addresses heard silently: \(figures.hearings); at most on one day of one box: \(figures.mostHearings)",
      "  writes of what is kept: \(figures.saves)",
    ]
    for fraud in MovingStations.Fraud.allCases {
      lines.append(
        "  another programme taken without asking, with \(fraud.rawValue): \(figures.takenWrongly[fraud] ?? 0)")
    }
    return lines.joined(separator: "\n")
  }
}
