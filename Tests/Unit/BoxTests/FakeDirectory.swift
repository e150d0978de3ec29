import Network
import Settings
import Units

@testable import Box

final class FakeDirectory: RelocationSource {
  var candidates: [RelocationCandidate] = [] { didSet { index = nil } }
  /// Indexes in `candidates` by id, address and folded name.
  private var index: (id: [String: Int], url: [StationAddress: Int], name: [String: [Int]])?
  var fetched: Int64? = 0
  var isOpening = false
  /// Number of `entry` calls.
  private(set) var lookUpCount = 0

  func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns nil also if the directory is still opening.
  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate? {
    if isOpening { return nil }
    lookUpCount += 1
    let (byID, byURL, _) = indexed()
    return (id.flatMap { byID[$0] } ?? byURL[url]).map { candidates[$0] }
  }

  /// Returns the entries with the subject's name or id.
  func entries(for subject: RelocationSubject) -> [RelocationCandidate] {
    let (byID, _, byName) = indexed()
    let own = subject.id.flatMap { byID[$0] }
    let named = byName[subject.foldedName] ?? []
    return (named + (own.map { named.contains($0) ? [] : [$0] } ?? [])).map { candidates[$0] }
  }

  private func indexed() -> (id: [String: Int], url: [StationAddress: Int], name: [String: [Int]]) {
    if let index { return index }
    let places = candidates.indices
    let made = (
      id: Dictionary(places.map { (candidates[$0].id, $0) }) { first, _ in first },
      url: Dictionary(places.map { (candidates[$0].url, $0) }) { first, _ in first },
      name: Dictionary(grouping: places) { candidates[$0].foldedName }
    )
    index = made
    return made
  }

  static func entry(
    _ id: String, _ name: String, _ url: String, homepage: String = "", votes: Int = 0, isAlive: Bool = true
  ) -> RelocationCandidate {
    RelocationCandidate(
      id: id, name: name, foldedName: FakeDirectory().folded(name), url: StationAddress(url), homepage: homepage,
      votes: votes, isAlive: isAlive)
  }
}

/// Returns the verdict set by the test.
final class FakeListener: CandidateListening {
  private(set) var heard: [StationRequest] = []
  private(set) var cancelCount = 0
  private(set) var finishCount = 0
  var verdict: CandidateVerdict?

  func test(_ request: StationRequest) { heard.append(request) }
  func cancel() { cancelCount += 1 }
  func finish() { finishCount += 1 }
  func removeVerdict() -> CandidateVerdict? { verdict.take() }
}
