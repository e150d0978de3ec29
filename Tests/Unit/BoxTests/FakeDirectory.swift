import Network
import Settings
import Units

@testable import Box

/// A directory in memory.
final class FakeDirectory: RelocationSource {
  var candidates: [RelocationCandidate] = []
  var fetched: Int64? = 0
  var isOpening = false
  /// How often an entry was asked for.
  private(set) var lookUpCount = 0

  func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// As with a directory that is being opened, nothing is found then.
  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate? {
    if isOpening { return nil }
    lookUpCount += 1
    return candidates.first { $0.id == id } ?? candidates.first { $0.url == url }
  }

  func entries(for subject: RelocationSubject) -> [RelocationCandidate] { candidates }

  /// An entry of the directory, alive.
  static func entry(
    _ id: String, _ name: String, _ url: String, homepage: String = "", votes: Int = 0, isAlive: Bool = true
  ) -> RelocationCandidate {
    RelocationCandidate(
      id: id, name: name, foldedName: FakeDirectory().folded(name), url: StationAddress(url), homepage: homepage,
      votes: votes, isAlive: isAlive)
  }
}

/// Hears what a test says.
final class FakeListener: CandidateListening {
  private(set) var heard: [StationRequest] = []
  private(set) var cancelCount = 0
  private(set) var finishCount = 0
  var verdict: CandidateVerdict?

  func hear(_ request: StationRequest) { heard.append(request) }
  func cancel() { cancelCount += 1 }
  func finish() { finishCount += 1 }
  func takeVerdict() -> CandidateVerdict? { verdict.take() }
}
