import Panel
import Units

/// A character display that may be disconnected and reconnected. One thread.
///
/// Waits only for the bus and never throws: a display that does not respond is retried after 1 s, later every 10 s at
/// most, and then written completely.
public struct DisplayLink {
  private static let firstDelay = Duration(milliseconds: 1000)
  private static let lastDelay = Duration(milliseconds: 10_000)
  /// Interval of checks while nothing new is shown.
  private static let watch = Duration(milliseconds: 5000)

  /// The reason for a missing display; nil if all is well, and before the first attempt.
  public private(set) var trouble: HardwareError?
  private var display: Hd44780
  /// The next step of the initialization; nil while frames are shown.
  private var step: Int? = 0
  private var shown: DisplayFrame?
  private var due = MonotonicTime.zero
  /// The time that the last write needs, counted from the next call.
  private var pause: Duration?
  private var delay = firstDelay

  /// Creates a display of 16×2 or 20×4 characters at a port.
  public init(_ port: DisplayPort, columns: Int, rows: Int) {
    precondition((rows == 2 || rows == 4) && (columns == 16 || columns == 20), "a display has 16×2 or 20×4 characters")
    display = Hd44780(port, columns: columns, rows: rows)
  }

  /// True if the display shows the last frame.
  public var isShowing: Bool { step == nil }

  /// Writes the next part of a frame; returns the time of the next call, with the same or a newer frame. A newer frame
  /// may be shown at any time.
  public mutating func show(_ frame: DisplayFrame, now: MonotonicTime) -> MonotonicTime {
    if let pause {
      due = now + pause
      self.pause = nil
    }
    guard now >= due || (step == nil && frame != shown) else { return due }
    do throws(HardwareError) {
      due = try advance(frame, now)
    } catch {
      trouble = error
      begin()
      due = now + delay
      delay = min(delay + delay, Self.lastDelay)
    }
    return due
  }

  private mutating func advance(_ frame: DisplayFrame, _ now: MonotonicTime) throws(HardwareError) -> MonotonicTime {
    if let step {
      pause = Duration(milliseconds: try display.reset(step: step))
      self.step = step + 1 < Hd44780.resetSteps ? step + 1 : nil
      return now
    }
    if try display.hasLostPower() { throw .gone("The display's power") }
    try display.show(frame)
    shown = frame
    trouble = nil
    delay = Self.firstDelay
    return now + Self.watch
  }

  private mutating func begin() {
    step = 0
    shown = nil
    pause = nil
  }
}
