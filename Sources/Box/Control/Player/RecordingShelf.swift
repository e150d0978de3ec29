import Recordings
import Settings
import System
import Units

/// The recordings folder for clients and for the panel. Jobs run on at most four threads, because a disk may be slow. A
/// client has one running job; other clients' jobs start before its next job. Control thread only.
public final class RecordingShelf {
  /// A job that waits or runs, or has ended. A waiting job does not start without an owner.
  public final class Job<Value: Sendable>: Sendable {
    private let end = Locked<Result<Value, RecordingError>?>(nil)

    /// The result; nil until the job has ended.
    public func result() throws(ControlRefusal) -> Value? {
      switch end.withLock({ $0 }) {
      case nil: return nil
      case .success(let value)?: return value
      case .failure(let error)?: throw ControlRefusal(error == .notListed ? .notFound : .system, error.description)
      }
    }

    fileprivate func finish(_ result: Result<Value, RecordingError>) { end.withLock { $0 = result } }
  }

  /// The folder.
  public let folder: RecordingFolder
  /// Raised when a job has ended.
  public let finished = SharedWakeFlag()

  private let queue = Locked(ShelfQueue())

  /// Creates the view of a folder, which may be missing.
  public init(_ path: String) { folder = RecordingFolder(path) }

  /// Starts a job of the panel, or appends it to the queue. Refuses it if too many jobs wait.
  public func begin<Value: Sendable>(
    _ work: @escaping @Sendable (RecordingFolder) throws(RecordingError) -> Value
  ) throws(ControlRefusal) -> Job<Value> {
    try begin(.panel, work)
  }

  /// Starts a job, or appends it to the queue. Refuses it if too many jobs of the client, or of all clients, wait.
  func begin<Value: Sendable>(
    for client: ClientState, _ work: @escaping @Sendable (RecordingFolder) throws(RecordingError) -> Value
  ) throws(ControlRefusal) -> Job<Value> {
    try begin(ShelfQueue.Client(client), work)
  }

  private func begin<Value: Sendable>(
    _ client: ShelfQueue.Client, _ work: @escaping @Sendable (RecordingFolder) throws(RecordingError) -> Value
  ) throws(ControlRefusal) -> Job<Value> {
    let job = Job<Value>()
    let (folder, finished, queue) = (folder, finished, queue)
    let ticket = ShelfQueue.Ticket(client, job) { [weak job] in
      guard let job else { return }
      do throws(RecordingError) { job.finish(.success(try work(folder))) } catch { job.finish(.failure(error)) }
    }
    guard let needsThread = queue.withLock({ $0.append(ticket) }) else { throw Self.busy }
    guard needsThread else { return job }
    let isStarted = OwnedThread.detach("shelf") {
      while let next = queue.withLock({ $0.next() }) {
        next.run()
        queue.withLock { $0.end(next) }
        finished.flag.raise()
      }
    }
    guard isStarted else {
      queue.withLock { $0.endThread() }
      throw Self.busy
    }
    return job
  }

  static let busy = ControlRefusal(.system, "The disk of the recordings is busy; try again.")
}

extension RecordingSettings {
  /// Creates the settings of a settings file.
  public init(_ settings: Configuration.Recording) {
    self.init()
    folder = settings.path
    floor = settings.floorMebibytes << 20
    limit = settings.maxGigabytes > 0 ? .bytes(Int(settings.maxGigabytes * 1e9)) : .tenthOfDisk
    margin = StreamTime(seconds: settings.margin)
  }
}
