import Blocks
import System
import Units

/// The net thread, as seen by the control thread. `deinit` stops the thread.
public final class NetThread: Sendable {
  private let loop: NetLoop
  private let thread: Locked<OwnedThread?>

  /// Starts the thread. Raises `packets` when packets arrive for a waiting reader, and `notified` for a new link.
  ///
  /// `hold` limits how far a download runs ahead of playback.
  public init(
    _ memory: NetMemory, hold: HoldRule = HoldRule(), packets: SharedWakeFlag, notified: SharedWakeFlag, clock: Clock
  ) throws(ThreadError) {
    let loop = NetLoop(memory, hold, packets: packets, notified: notified, clock: clock)
    self.loop = loop
    thread = Locked(try OwnedThread("net") { loop.run() })
  }

  deinit { quit() }

  /// Starts the programme `epoch`.
  public func tune(_ request: StationRequest, epoch: UInt32) { loop.post { $0.tune(request, epoch: epoch) } }

  /// Seeks in a file to the `start` of `request`, as the programme `epoch`, and drops the buffered audio.
  ///
  /// `number`: the number of files before that file in the programme.
  public func seek(_ request: StationRequest, number: Int, epoch: UInt32) {
    loop.post { $0.seek(FileSeek(request: request, number: number, epoch: epoch)) }
  }

  /// Sets the file to play after the last file, in the same programme; nil to end the programme.
  ///
  /// `NetNotice.followed` reports the start of the file with `token`. A request that fails or is not a file is not
  /// reported. The programme ends only after this method was called for its last file.
  public func follow(_ request: StationRequest?, token: Int) {
    loop.post { $0.follow(Follow(request: request, token: token)) }
  }

  /// Closes the connections; the buffered audio stays.
  public func stop() { loop.post { $0.post(.stop) } }

  /// Closes a live station's connection or ends its retries; the buffered audio stays. A file's download continues.
  ///
  /// Safe to call twice. Ended by `resume`, `tune` and `stop`.
  public func rest() { loop.post { $0.post(.rest) } }

  /// Reconnects a resting station at once and joins its packets to the buffered ones (R4.2). Otherwise without effect.
  public func resume() { loop.post { $0.post(.resume) } }

  /// Replaces the connections at once. Call after the machine slept, since dead connections are not detected at once.
  ///
  /// A live station is joined to the buffered packets; a file continues at its last byte.
  public func renew() { loop.post { $0.renew() } }

  /// Removes and returns the times of day in responses by HTTPS, at most the last 16.
  package func removeServerTimes() -> [ServerTime] { loop.removeServerTimes() }

  /// Starts or stops requests for external titles (`StationRequest.externalMetadata`), until another programme starts.
  public func nowPlaying(_ isWanted: Bool) { loop.post { $0.nowPlaying(isWanted) } }

  /// Changes the request of the current programme. A data timeout applies at once, a user agent to the next connection.
  package func adjust(_ change: RequestChange) { loop.post { $0.adjust(change) } }

  /// Sets the stations to receive in advance.
  public func prefetch(_ rule: PrefetchRule) { loop.post { $0.prefetch(rule) } }

  /// Sets how far a download runs ahead of playback.
  public func use(_ hold: HoldRule) { loop.post { $0.use(hold) } }

  /// Sets the rule for a second connection to a live station, also the heard one. Without effect without memory
  /// for a second connection.
  public func use(_ rule: SecondSourceRule) { loop.post { $0.use(rule) } }

  /// Stops the thread and waits for its end. Safe to call twice.
  public func quit() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    loop.post { $0.quits = true }
    thread.join()
  }
}
