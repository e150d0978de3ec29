import Directory
import Network

struct FoundStation {
  let entry: DirectoryEntry
  /// Excludes private networks, except a network that the directory itself came from.
  let reach: AddressPolicy

  /// Nil if the directory has no such rank.
  init?(_ rank: Int, in directory: StationDirectory) {
    guard (0..<directory.count).contains(rank) else { return nil }
    entry = directory[rank]
    reach = AddressPolicy(namedBy: .init(directory.source))
  }
}
