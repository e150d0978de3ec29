import Recordings
import System

/// The recordings folder for clients and for the panel. Each job runs on a thread of its own, because a disk may be
/// slow. Control thread only.
public final class RecordingShelf {
  /// A job that runs, or has ended.
  public final class Job<Value: Sendable>: Sendable {
    fileprivate let end = Locked<Result<Value, RecordingError>?>(nil)

    /// The result; nil while the job runs.
    public func result() throws(ControlRefusal) -> Value? {
      switch end.withLock({ $0 }) {
      case nil: return nil
      case .success(let value)?: return value
      case .failure(let error)?: throw ControlRefusal(error == .notListed ? .notFound : .system, error.description)
      }
    }
  }

  /// The folder.
  public let folder: RecordingFolder
  /// Raised when a job has ended.
  public let finished = SharedWakeFlag()

  private let jobCount = Locked(0)
  private static let maxJobCount = 4

  /// Creates the view of a folder, which may be missing.
  public init(_ path: String) { folder = RecordingFolder(path) }

  /// Starts a job. Refuses it while too many jobs wait for their disk.
  public func begin<Value: Sendable>(
    _ work: @escaping @Sendable (RecordingFolder) throws(RecordingError) -> Value
  ) throws(ControlRefusal) -> Job<Value> {
    let isFree = jobCount.withLock { count in
      guard count < Self.maxJobCount else { return false }
      count += 1
      return true
    }
    guard isFree else { throw Self.busy }
    let job = Job<Value>()
    let (folder, finished, jobCount) = (folder, finished, jobCount)
    let isStarted = OwnedThread.detach("shelf") {
      let end: Result<Value, RecordingError>
      do throws(RecordingError) { end = .success(try work(folder)) } catch { end = .failure(error) }
      job.end.withLock { $0 = end }
      jobCount.withLock { $0 -= 1 }
      finished.flag.raise()
    }
    guard isStarted else {
      jobCount.withLock { $0 -= 1 }
      throw Self.busy
    }
    return job
  }

  static let busy = ControlRefusal(.system, "The disk of the recordings is busy; try again.")
}
