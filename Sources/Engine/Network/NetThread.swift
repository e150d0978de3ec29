import Blocks
import System
import Units

/// The thread that talks to the network, as the control thread handles it. Its end stops the thread.
public final class NetThread: Sendable {
  private let loop: NetLoop
  private let thread: Locked<OwnedThread?>

  /// Starts the thread, for which time goes by `clock`. It raises the flag `packets` when packets came for a reader
  /// that waits, and `notified` when it put a notice into its ring. What packets need to be decoded goes into `setups`.
  /// `hold` says how far it may run ahead of the sound.
  public init(
    _ ring: UnsafePointer<BlockRing>, _ notices: UnsafePointer<EventRing>, _ board: UnsafePointer<StatusBoard>,
    setups: SetupTable = SetupTable(), hold: HoldRule = HoldRule(), packets: SharedWakeFlag, notified: SharedWakeFlag,
    clock: Clock
  ) throws(ThreadError) {
    let loop = NetLoop(
      NetLoop.Means(
        ring: ring, notices: notices, board: board, setups: setups, hold: hold, clock: clock, packets: packets,
        notified: notified))
    self.loop = loop
    thread = Locked(try OwnedThread("net") { loop.run() })
  }

  deinit { quit() }

  /// Begins the programme `epoch`.
  public func tune(_ request: StationRequest, epoch: UInt32) { loop.post { $0.tune(request, epoch: epoch) } }

  /// Goes to the place of a file where `request` starts, as the programme `epoch`: what is held is forgotten. `number`
  /// says how many files of the programme came before it.
  public func seek(_ request: StationRequest, number: Int, epoch: UInt32) {
    loop.post { $0.seek(FileSeek(request: request, number: number, epoch: epoch)) }
  }

  /// Says which file follows in the same programme when the last one is whole; nil: none. It is told as `followed`
  /// with its token when it does, and does not where it is no file or cannot be had. The programme does not end before
  /// this was said of its last file.
  public func follow(_ request: StationRequest?, token: Int) {
    loop.post { $0.follow(Follow(request: request, token: token)) }
  }

  /// The list that was opened last.
  public var list: FileList? { loop.list }

  /// Ends the connection.
  public func stop() { loop.post { $0.post(.stop) } }

  /// Closes a live station's connection, or ends the tries to get one, and keeps all that is held; a file's download
  /// goes on. Safe to call twice; ended by `resume`, `tune` and `stop`.
  public func rest() { loop.post { $0.post(.rest) } }

  /// Connects a station that rests at once, and joins what comes to what is held (R4.2). Safe to call twice, and
  /// without effect where none rests.
  public func resume() { loop.post { $0.post(.resume) } }

  /// Makes the connections anew, at once, since the machine slept and nobody tells that they are dead: a live station
  /// is joined to what is held, a file goes on where it broke.
  public func renew() { loop.post { $0.renew() } }

  /// Begins or ends asking for titles beside the stream (`StationRequest.externalMetadata`), until another programme
  /// begins.
  public func nowPlaying(_ isWanted: Bool) { loop.post { $0.nowPlaying(isWanted) } }

  /// Changes the request of what was tuned to, until another programme begins: a data timeout counts at once, an agent
  /// from the next connection on.
  package func adjust(_ change: RequestChange) { loop.post { $0.adjust(change) } }

  /// Says how far a download may run ahead of the sound from now on.
  public func use(_ hold: HoldRule) { loop.post { $0.use(hold) } }

  /// Ends the thread; safe to call twice.
  public func quit() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    loop.post { $0.quits = true }
    thread.join()
  }
}
