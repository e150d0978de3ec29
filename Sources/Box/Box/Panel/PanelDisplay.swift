import Panel
import PanelLinux
import Settings
import System
import Units

/// The display on a separate thread, because a bus may block. A terminal is drawn on the control thread.
final class PanelDisplay {
  var below: [String] = [] { didSet { if below != oldValue { draw() } } }
  private let worker: Worker<DisplayFrame>?
  private let terminal: TerminalPanel?
  private var drawn: [String] = []
  private var picture: PanelPicture?

  /// Creates the display; nil if the board has no display.
  init?(_ board: Board, terminal: TerminalPanel?, _ clock: Clock) {
    self.terminal = terminal
    guard terminal == nil else {
      worker = nil
      return
    }
    guard let display = board.display, display.kind == .hd44780 else { return nil }
    // The frame is stored until the display responds, because the next frame may follow much later.
    let state = Locked<(connected: ConnectedDisplay?, frame: DisplayFrame?, told: HardwareError?)>((nil, nil, nil))
    worker = Worker.make("display", clock) { frame in
      state.withLock { state in
        if let frame { state.frame = frame }
        if state.connected == nil { state.connected = ConnectedDisplay(display, chips: board.chips) }
        guard state.connected != nil else { return Duration(milliseconds: 5_000) }
        if let frame = state.frame { state.connected?.frame = frame }
        let next = state.connected?.show(clock.now()) ?? .never
        if let trouble = state.connected?.trouble, trouble != state.told { log(.warning, trouble.description) }
        state.told = state.connected?.trouble
        return next == .never ? .forever : max(.zero, next - clock.now())
      }
    }
  }

  func show(_ picture: PanelPicture) {
    if terminal != nil {
      if let old = self.picture {
        TerminalFrame.update(&drawn, from: old, to: picture)
      } else {
        drawn = TerminalFrame.lines(of: picture)
      }
      self.picture = picture
      draw()
    }
    worker?.submit(picture.frame)
  }

  private func draw() { terminal?.draw(drawn + [""] + below) }

  func finish() {
    worker?.finish(within: Duration(milliseconds: 300))
    terminal?.restore()
  }

  /// A display and its next frame. Display thread only.
  private struct ConnectedDisplay: @unchecked Sendable {
    var frame: DisplayFrame
    private var link: DisplayLink

    init?(_ display: Board.Display, chips: [String]) {
      frame = DisplayFrame(columns: display.size.columns, rows: display.size.rows)
      guard let port = Self.port(display, chips) else { return nil }
      link = DisplayLink(port, columns: display.size.columns, rows: display.size.rows)
    }

    private static func port(_ display: Board.Display, _ chips: [String]) -> DisplayPort? {
      switch display.bus {
      case .i2c(let number, let address, let layout):
        let device = I2cDevice(path: "/dev/i2c-\(number)", address: UInt8(truncatingIfNeeded: address))
        return .backpack(device, pins: layout == .usual ? .usual : .dataFirst)
      case .gpio(let select, let enable, let data, let light):
        let pins = [select, enable] + data + (light.map { [$0] } ?? [])
        var problem: HardwareError?
        for chip in chips {
          do throws(HardwareError) {
            return .lines(try GpioOutputs(pins.map { BoardPins.line($0, chip: $0.chip ?? chip) }))
          } catch {
            problem = error
          }
        }
        if let problem { log(.warning, problem.description) }
        return nil
      case .none: return nil
      }
    }

    mutating func show(_ now: MonotonicTime) -> MonotonicTime { link.show(frame, now: now) }

    var trouble: HardwareError? { link.trouble }
  }
}
