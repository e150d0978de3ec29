import RadioEngine
import Units

/// The listener's position, and seeking: time shift, and positions in a file. Control thread only.
public final class PositionControl {
  private let engine: any PlaybackEngine
  private var changes: Set<Subsystem> = []
  /// The position in seconds requested for a file that does not play yet.
  private var wish: Double?

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  /// Goes back by seconds, limited to the buffer; false while stopped.
  @discardableResult
  public func rewind(by seconds: Double) -> Bool { go { $0.rewind(by: seconds) } }

  /// Goes forward by seconds, limited to the buffer; false while stopped.
  @discardableResult
  public func forward(by seconds: Double) -> Bool { go { $0.forward(by: seconds) } }

  /// Goes to live; false while stopped.
  @discardableResult
  public func live() -> Bool { go { $0.goLive() } }

  /// Goes to the oldest buffered audio; false while stopped.
  @discardableResult
  public func oldest() -> Bool { go { $0.goOldest() } }

  /// Goes to a time in seconds, counted as in `elapsed`. Returns false while stopped.
  @discardableResult
  public func seek(to seconds: Double) -> Bool {
    guard seconds.isFinite else { return false }
    let status = engine.status
    return go { engine in
      if status.facts?.isLive == false {
        engine.seek(to: seconds)
      } else {
        engine.forward(by: seconds - status.elapsed)
      }
    }
  }

  /// Returns true if a time can be reached, counted as in `elapsed`. A server may send audio only once; then only
  /// buffered times count. A live station uses the nearest buffered time.
  func reaches(_ seconds: Double) -> Bool {
    let status = engine.status
    guard engine.state != .stopped, status.facts?.isLive == false, !status.isFileSeekAllowed else { return true }
    return seconds > status.position - status.heldBehind - 1 && seconds < status.position + status.held + 1
  }

  func seekOncePlaying(to seconds: Double) { wish = seconds }

  func forgetWish() { wish = nil }

  func settle() {
    guard let seconds = wish, engine.state == .playing else { return }
    wish = nil
    seek(to: seconds)
  }

  func removeChanges() -> Set<Subsystem> {
    defer { changes = [] }
    return changes
  }

  private func go(_ work: (any PlaybackEngine) -> Void) -> Bool {
    guard engine.state != .stopped else { return false }
    work(engine)
    changes.insert(.player)
    return true
  }

  /// The position in seconds: in a file from its beginning, at a live station from the oldest buffered audio.
  public var elapsed: Double? { engine.state == .stopped ? nil : engine.status.elapsed }

  /// The length of a file in seconds, if known; at a live station the buffered time.
  public var duration: Double? { engine.state == .stopped ? nil : engine.status.span }
}

extension RadioStatus {
  /// Equals `PositionControl.elapsed`.
  public var elapsed: Double { isLive ? max(0, position - oldest.seconds) : position }

  /// Equals `PositionControl.duration`.
  public var span: Double? {
    if let duration { return duration }
    if isLive { return (max(blocks.written, window?.end ?? .zero) - oldest).seconds }
    guard let byteCount = facts?.byteCount, let rate = measuredBitRate, rate.bitsPerSecond > 0 else { return nil }
    return max(position, Double(byteCount) * 8 / Double(rate.bitsPerSecond))
  }

  /// True if the listener can go back or forward.
  public var seeks: Bool { isFileSeekAllowed || isRewindAllowed || isFastForwardAllowed }

  /// The oldest reachable time, in the buffer or in an HLS window.
  private var oldest: StreamTime { min(blocks.oldest, window?.oldest ?? blocks.oldest) }

  private var isLive: Bool { facts?.isLive == true }
}
