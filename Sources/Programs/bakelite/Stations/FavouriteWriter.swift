import CLinux
import Network
import System

/// Adds stations to the user's own list on a separate thread: the disk may be slow, or another program may have the
/// file's lock. One thread uses this class.
final class FavouriteWriter {
  private let result = Handover<String>()
  private var isWriting = false

  /// Maximum wait for the last station in milliseconds; longer than the wait for a lock.
  private static let patience: Int32 = 3_000

  /// Readable after `add`, once the result is available.
  var descriptor: Int32 { result.descriptor }

  /// Starts to add a station. Returns a sentence if that is impossible now.
  func add(_ request: StationRequest, name: String) -> String? {
    guard !isWriting else { return "Another station is being added; try again." }
    let result = result
    isWriting = OwnedThread.detach("favourite") { result.put(Favourite.add(request, name: name)) }
    return isWriting ? nil : "The machine has no thread left for your list of stations; try again."
  }

  /// Returns a sentence with the result once; nil without a new result.
  func report() -> String? {
    guard let sentence = result.remove() else { return nil }
    isWriting = false
    return sentence
  }

  /// Waits for the result at most 3 s, because the end of the program ends the write. Returns nil without a result.
  func finish() -> String? {
    guard isWriting else { return nil }
    _ = bk_wait_readable(descriptor, Self.patience)
    return report()
  }
}
