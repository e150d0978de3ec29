import Directory
import Network

/// A station of the directory, and where its address may lead.
struct FoundStation {
  let entry: DirectoryEntry
  /// Into no network of the owner's, but where the directory itself came from one.
  let reach: Reach

  /// A station of a directory by its rank; nil where it has none.
  init?(_ rank: Int, in directory: StationDirectory) {
    guard (0..<directory.count).contains(rank) else { return nil }
    entry = directory[rank]
    reach = Reach(namedBy: .init(directory.source))
  }
}
