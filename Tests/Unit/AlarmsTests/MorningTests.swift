import AlarmSupport
import Foundation
import Testing

/// The alarms of a box in random mornings. A failure prints its seed.
///
/// `BAKELITE_MORNINGS` sets the number of mornings.
struct MorningTests {
  private static let wanted = ProcessInfo.processInfo.environment["BAKELITE_MORNINGS"].flatMap { UInt64($0) }

  @Test("An alarm is never silent for longer than a minute while it has power and a card")
  func rings() async {
    let count = Self.wanted ?? 20_000
    let lanes = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    let violations = await withTaskGroup(of: [String].self) { group in
      for lane in 1...lanes {
        group.addTask {
          Array(
            stride(from: lane, through: count, by: Int(lanes)).lazy
              .compactMap { MorningModel.violation(of: Morning(seed: $0)) }.prefix(3))
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    if Self.wanted != nil { print("mornings: seeds 1 to \(count)") }
    #expect(violations == [])
  }

  @Test("The law finds a planted fault of each kind", arguments: Morning.Fault.allCases)
  func planted(fault: Morning.Fault) {
    let found = (1...5_000 as ClosedRange<UInt64>).lazy
      .compactMap { MorningModel.violation(of: Morning(seed: $0, fault: fault)) }.first
    #expect(found != nil)
  }
}
