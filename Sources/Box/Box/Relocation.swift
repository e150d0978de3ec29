import Network
import Settings
import Units

/// Whether a preset that fails has moved: which entries of the directory are heard silently, one after the other, and
/// what becomes of the first that sounds (G5). A value without a clock.
struct Relocation: Equatable {
  /// What is to be done where an address of a failing preset sounds.
  enum Policy: Equatable, CaseIterable {
    /// The owner is asked.
    case ask
    /// It is taken where it is proven; else the owner is asked.
    case auto
    /// Nothing: no address is looked for.
    case never
  }

  /// What happens.
  enum Input: Equatable {
    /// A preset is due, and the directory has these entries that may be its station.
    case due(RelocationSubject, [RelocationCandidate], Policy)
    /// The address that is heard gave sound for long enough.
    case sounded
    /// It did not.
    case failed
    /// Something begins that must not be disturbed.
    case busy
    /// The presets or the policy are others, or the preset that is looked for sounds.
    case changed
  }

  /// What is to be done.
  enum Action: Equatable {
    /// Hear an address silently.
    case hear(RelocationCandidate, for: RelocationSubject)
    /// Hear no more.
    case stopHearing
    /// The directory has no address that sounds; nothing more today.
    case noteLookUp(RelocationSubject)
    /// Ask the owner.
    case ask(RelocationSubject, RelocationCandidate)
    /// Make it the preset's address.
    case take(RelocationSubject, RelocationCandidate)
  }

  private enum State: Equatable {
    case resting
    /// The first of the candidates is heard.
    case hearing(RelocationSubject, [RelocationCandidate], Policy)
  }

  private var state = State.resting

  /// So many addresses are heard at most for a preset in a day.
  static let mostHeard = 3

  /// Whether an address is being heard.
  var isHearing: Bool { state != .resting }

  /// The address of the preset that is looked for; nil where none is.
  var subject: RelocationSubject? {
    if case .hearing(let subject, _, _) = state { subject } else { nil }
  }

  /// By which policy that is; nil where none is looked for.
  var policy: Policy? {
    if case .hearing(_, _, let policy) = state { policy } else { nil }
  }

  /// Takes what happens; gives what is to be done, in that order.
  mutating func take(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.resting, .due(let subject, let entries, let policy)):
      guard policy != .never else { return [] }
      return hear(Self.candidates(entries, for: subject), for: subject, policy)
    case (.hearing(let subject, let candidates, let policy), .sounded):
      state = .resting
      let isTaken = policy == .auto && subject.isProven(candidates[0])
      return [isTaken ? .take(subject, candidates[0]) : .ask(subject, candidates[0])]
    case (.hearing(let subject, let candidates, let policy), .failed):
      return hear(Array(candidates.dropFirst()), for: subject, policy)
    case (.hearing, .busy), (.hearing, .changed):
      state = .resting
      return [.stopHearing]
    case (.hearing, .due), (.resting, .sounded), (.resting, .failed), (.resting, .busy), (.resting, .changed):
      return []
    }
  }

  private mutating func hear(
    _ candidates: [RelocationCandidate], for subject: RelocationSubject, _ policy: Policy
  ) -> [Action] {
    guard let first = candidates.first else {
      state = .resting
      return [.noteLookUp(subject)]
    }
    state = .hearing(subject, candidates, policy)
    return [.hear(first, for: subject)]
  }

  // MARK: Candidates

  /// The entries that may be a preset's station, the likeliest first: the directory's own entry of it, then those under
  /// its homepage or domain with its name; those that the directory found alive before the others.
  ///
  /// None is the address that fails, one that the owner refused, one twice, one too long to ask about, or none of the
  /// web.
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
      guard entry.url.byteCount <= PresetHealth.longestAddress, let address = try? WebAddress(entry.url) else {
        return false
      }
      return !subject.refused.contains(PresetRecord.key(entry.url)) && seen.insert(address).inserted
    }
    return Array(fresh.prefix(mostHeard))
  }

  private static func rank(_ entry: RelocationCandidate, for subject: RelocationSubject) -> Int? {
    if subject.isSame(entry) { return 0 }
    return subject.owns(entry) && !entry.foldedName.isEmpty && entry.foldedName == subject.foldedName ? 1 : nil
  }
}
