import Directory
import Http

struct FoundStation {
  let entry: DirectoryEntry
  /// The networks that the station's address may lead to: no private network except the network of the directory's own
  /// source.
  let reach: AddressPolicy

  /// Reads the station with a rank; nil if the directory has no such rank.
  init?(_ rank: Int, in directory: StationDirectory) {
    guard (0..<directory.count).contains(rank) else { return nil }
    entry = directory[rank]
    reach = AddressPolicy(namedBy: .init(directory.source))
  }
}
