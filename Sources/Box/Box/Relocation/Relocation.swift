import Http
import Settings
import Units

/// Tests the directory's addresses for a failing preset, one after the other, without audible output (G5).
///
/// The first address that plays is adopted or proposed to the owner. Pure: without clock and network.
struct Relocation: Equatable {
  typealias Policy = Configuration.Directory.Relocation

  enum Input: Equatable {
    case due(RelocationSubject, [RelocationCandidate], Policy)
    case played
    case failed
    /// A recording starts; a test would disturb it.
    case busy
    /// The presets or the policy changed, or the failing preset plays again.
    case changed
  }

  enum Action: Equatable {
    case test(RelocationCandidate, for: RelocationSubject)
    case stopTest
    /// Record a search without result; the next follows on another day.
    case recordLookUp(RelocationSubject)
    case ask(RelocationSubject, RelocationCandidate)
    case adopt(RelocationSubject, RelocationCandidate)
  }

  private enum State: Equatable {
    case resting
    case testing(RelocationSubject, [RelocationCandidate], Policy)
  }

  private var state = State.resting

  /// Maximum number of addresses tested per search.
  static let maxTestCount = 3

  var isTesting: Bool { state != .resting }

  var subject: RelocationSubject? {
    if case .testing(let subject, _, _) = state { subject } else { nil }
  }

  var policy: Policy? {
    if case .testing(_, _, let policy) = state { policy } else { nil }
  }

  mutating func apply(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.resting, .due(let subject, let entries, let policy)):
      guard policy != .never else { return [] }
      return test(Self.candidates(entries, for: subject), for: subject, policy)
    case (.testing(let subject, let candidates, let policy), .played):
      state = .resting
      let isTaken = policy == .auto && subject.isProven(candidates[0])
      return [isTaken ? .adopt(subject, candidates[0]) : .ask(subject, candidates[0])]
    case (.testing(let subject, let candidates, let policy), .failed):
      return test(Array(candidates.dropFirst()), for: subject, policy)
    case (.testing, .busy), (.testing, .changed):
      state = .resting
      return [.stopTest]
    case (.testing, .due), (.resting, .played), (.resting, .failed), (.resting, .busy), (.resting, .changed):
      return []
    }
  }

  private mutating func test(
    _ candidates: [RelocationCandidate], for subject: RelocationSubject, _ policy: Policy
  ) -> [Action] {
    guard let first = candidates.first else {
      state = .resting
      return [.recordLookUp(subject)]
    }
    state = .testing(subject, candidates, policy)
    return [.test(first, for: subject)]
  }

  // MARK: Candidates

  /// Returns the entries that may be a preset's station, best first.
  ///
  /// The entry with the preset's id comes first, then entries with its name under its homepage or domain. Within each
  /// group, entries reported alive come first. Refused and duplicate addresses are excluded.
  static func candidates(
    _ entries: [RelocationCandidate], for subject: RelocationSubject
  ) -> [RelocationCandidate] {
    let ranked = entries.compactMap { entry in rank(entry, for: subject).map { (rank: $0, entry: entry) } }
      .sorted { one, other in
        (one.rank, one.entry.isAlive ? 0 : 1, other.entry.votes, one.entry.id)
          < (other.rank, other.entry.isAlive ? 0 : 1, one.entry.votes, other.entry.id)
      }
    var seen = Set([try? WebAddress(subject.url)])
    let fresh = ranked.map(\.entry).filter { entry in
      guard entry.url.byteCount <= PresetHealth.maxAddressLength, let address = try? WebAddress(entry.url) else {
        return false
      }
      return !subject.refused.contains(PresetRecord.key(entry.url)) && seen.insert(address).inserted
    }
    return Array(fresh.prefix(maxTestCount))
  }

  private static func rank(_ entry: RelocationCandidate, for subject: RelocationSubject) -> Int? {
    if subject.sharesID(entry) { return 0 }
    return subject.sharesDomain(entry) && !entry.foldedName.isEmpty && entry.foldedName == subject.foldedName ? 1 : nil
  }
}
