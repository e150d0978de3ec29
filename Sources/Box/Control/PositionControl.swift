import RadioEngine
import Units

/// Where the listener is in what plays, and how to get elsewhere: time shift, and places of a file. The control
/// thread's.
public final class PositionControl {
  private let engine: any PlaybackEngine
  private var changes: Set<Subsystem> = []
  /// Where a file that was not played yet is to be heard from, in seconds.
  private var wish: Double?

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  /// Goes back by so many seconds, or as far as is held; false while stopped.
  @discardableResult
  public func rewind(by seconds: Double) -> Bool { go { $0.rewind(by: seconds) } }

  /// Goes on by so many seconds, or as far as is held; false while stopped.
  @discardableResult
  public func forward(by seconds: Double) -> Bool { go { $0.forward(by: seconds) } }

  /// Goes to what a live station sends now; false while stopped.
  @discardableResult
  public func live() -> Bool { go { $0.goLive() } }

  /// Goes to the oldest that is held; false while stopped.
  @discardableResult
  public func oldest() -> Bool { go { $0.goOldest() } }

  /// Goes to a moment of `elapsed`'s time; false while stopped.
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

  /// Whether a moment of `elapsed`'s time can be gone to. What its server sends once has none but those that are held;
  /// at a live station the nearest that is held will do.
  func reaches(_ seconds: Double) -> Bool {
    let status = engine.status
    guard engine.state != .stopped, status.facts?.isLive == false, !status.isFileSeekAllowed else { return true }
    return seconds > status.position - status.heldBehind - 1 && seconds < status.position + status.held + 1
  }

  /// Goes to a moment as soon as what was asked for plays.
  func seekOncePlaying(to seconds: Double) { wish = seconds }

  /// Something else is asked for.
  func forgetWish() { wish = nil }

  /// Does what waited for the sound to begin.
  func settle() {
    guard let seconds = wish, engine.state == .playing else { return }
    wish = nil
    seek(to: seconds)
  }

  /// What changed since the last call.
  func takeChanges() -> Set<Subsystem> {
    defer { changes = [] }
    return changes
  }

  private func go(_ work: (any PlaybackEngine) -> Void) -> Bool {
    guard engine.state != .stopped else { return false }
    work(engine)
    changes.insert(.player)
    return true
  }

  /// Where the listener is, in seconds: in a file from its beginning, at a live station from the oldest that is held.
  public var elapsed: Double? { engine.state == .stopped ? nil : engine.status.elapsed }

  /// How long that is in all, in seconds: the file, as far as that is known, or all that is held of a live station.
  public var duration: Double? { engine.state == .stopped ? nil : engine.status.span }
}

extension RadioStatus {
  /// As `PositionControl.elapsed`.
  public var elapsed: Double { isLive ? max(0, position - oldest.seconds) : position }

  /// As `PositionControl.duration`.
  public var span: Double? {
    if let duration { return duration }
    if isLive { return (max(blocks.written, window?.end ?? .zero) - oldest).seconds }
    guard let byteCount = facts?.byteCount, let rate = measuredBitRate, rate.bitsPerSecond > 0 else { return nil }
    return max(position, Double(byteCount) * 8 / Double(rate.bitsPerSecond))
  }

  /// What a listener can go back to: it is held, or an HLS station has it.
  private var oldest: StreamTime { min(blocks.oldest, window?.oldest ?? blocks.oldest) }

  private var isLive: Bool { facts?.isLive == true }
}
