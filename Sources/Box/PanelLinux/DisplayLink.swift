import Panel
import Units

/// A character display that may be there or not: it is found, shown what it should, and found again. One thread's.
///
/// It never waits but for the bus itself, and never throws: a display that does not answer is tried again, after 1 s
/// first and 10 s at most, and then written from scratch.
public struct DisplayLink {
  private static let firstDelay = Duration(milliseconds: 1000)
  private static let lastDelay = Duration(milliseconds: 10_000)
  /// How often a display that has nothing new to show is looked at.
  private static let watch = Duration(milliseconds: 5000)

  /// Why nothing is shown; `nil` while all is well, and before the first try.
  public private(set) var trouble: HardwareError?
  private var display: Hd44780
  /// The next step of the display's beginning; `nil` while it shows frames.
  private var step: Int? = 0
  private var shown: DisplayFrame?
  private var due = MonotonicTime.zero
  /// What the last write takes: it counts from the first moment told after it.
  private var pause: Duration?
  private var delay = firstDelay

  /// A display of 16×2 or 20×4 characters at a port.
  public init(_ port: DisplayPort, columns: Int, rows: Int) {
    precondition((rows == 2 || rows == 4) && (columns == 16 || columns == 20), "a display has 16×2 or 20×4 characters")
    display = Hd44780(port, columns: columns, rows: rows)
  }

  /// Whether the display shows the frame that it was last given.
  public var isShowing: Bool { step == nil }

  /// Brings the display nearer to a frame of its own size; the moment at which to call again, with the same frame or
  /// a newer one. A newer one may come at any moment.
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
