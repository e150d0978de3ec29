/// The waiting jobs of a `RecordingShelf`, and the decision which job starts next. A value.
struct ShelfQueue {
  /// The owner of jobs: the panel, a connection of the Unix socket, or all TCP connections from an address group.
  enum Client: Hashable {
    case panel
    case local(Int)
    case remote(String)

    init(_ client: ClientState) {
      self = client.address.map { .remote($0) } ?? .local(client.number)
    }
  }

  struct Ticket: Sendable {
    let client: Client
    let run: @Sendable () -> Void
    private weak var job: (any AnyObject & Sendable)?

    init(_ client: Client, _ job: any AnyObject & Sendable, _ run: @escaping @Sendable () -> Void) {
      (self.client, self.job, self.run) = (client, job, run)
    }

    /// False after the client has left, or no longer waits.
    var isWanted: Bool { job != nil }
  }

  static let maxThreadCount = 4
  static let maxWaitingCount = 64
  static let maxWaitingPerClient = 4

  private var waiting: [Ticket] = []
  private var running: Set<Client> = []
  private var threadCount = 0

  /// Appends a job. Returns true if the caller must start a thread, and nil if too many jobs wait.
  mutating func append(_ ticket: Ticket) -> Bool? {
    waiting.removeAll { !$0.isWanted }
    let own = waiting.count { $0.client == ticket.client }
    guard waiting.count < Self.maxWaitingCount, own < Self.maxWaitingPerClient else { return nil }
    waiting.append(ticket)
    guard threadCount < Self.maxThreadCount, own == 0, !running.contains(ticket.client) else { return false }
    threadCount += 1
    return true
  }

  /// Removes the oldest job whose client has no running job. Without such a job, returns nil and ends the thread.
  mutating func next() -> Ticket? {
    waiting.removeAll { !$0.isWanted }
    guard let index = waiting.firstIndex(where: { !running.contains($0.client) }) else {
      threadCount -= 1
      return nil
    }
    let ticket = waiting.remove(at: index)
    running.insert(ticket.client)
    return ticket
  }

  mutating func end(_ ticket: Ticket) { running.remove(ticket.client) }

  mutating func endThread() { threadCount -= 1 }
}
