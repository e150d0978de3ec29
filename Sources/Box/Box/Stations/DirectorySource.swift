import Control
import Directory
import Units

final class DirectorySource: RelocationSource {
  private let state: () -> DirectoryState

  init(_ state: @escaping () -> DirectoryState) { self.state = state }

  private func current() -> StationDirectory? { if case .open(let directory) = state() { directory } else { nil } }

  var isOpening: Bool { if case .opening = state() { true } else { false } }

  var fetched: Int64? { current()?.date }

  func folded(_ name: String) -> String { FoldedText(name).description }

  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate? {
    guard let directory = current() else { return nil }
    if let rank = id.flatMap({ StationUuid($0) }).flatMap({ directory.rank(of: $0) }) {
      return RelocationCandidate(directory[rank])
    }
    let entries = directory.ranks(at: url).compactMap { RelocationCandidate(directory[$0]) }
    let domain = StationDomain(url)
    return entries.first { domain != nil && $0.homepageDomain == domain }
      ?? entries.first { $0.foldedName == folded(name) } ?? entries.first
  }

  func entries(for subject: RelocationSubject) -> [RelocationCandidate] {
    guard let directory = current() else { return [] }
    let own = subject.id.flatMap { StationUuid($0) }.flatMap { directory.rank(of: $0) }
      .flatMap { RelocationCandidate(directory[$0]) }
    let others = directory.ranks(named: subject.name).lazy.compactMap { RelocationCandidate(directory[$0]) }
      .filter { subject.sharesDomain($0) }
    return [own].compactMap { $0 } + others.prefix(Self.maxStationCount)
  }

  /// Maximum number of stations with the preset's name and domain.
  private static let maxStationCount = 200
}

extension RelocationCandidate {
  /// Converts an entry; nil if the entry has no id.
  init?(_ entry: DirectoryEntry) {
    guard let uuid = entry.uuid else { return nil }
    self.init(
      id: uuid.description.lowercased(), name: entry.name, foldedName: FoldedText(entry.name).description,
      url: entry.url, homepage: entry.homepage, votes: entry.votes, isAlive: entry.isAlive)
  }
}
