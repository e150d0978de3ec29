import Panel
import PanelLinux
import Testing
import Units

/// A driver and its display, with a clock that only bus transfers and waits advance.
final class DisplayBench {
  let model: BackpackModel
  private var link: DisplayLink
  let columns: Int
  let rows: Int
  /// Times in nanoseconds at which the driver used the bus.
  private(set) var uses: [Int64] = []

  init(
    columns: Int = 20, rows: Int = 4, wiring: BackpackModel.Wiring = .usual, hertz: Int = 100_000, seed: UInt64 = 1,
    believed: Int? = nil, isRead: Bool = true
  ) {
    self.columns = columns
    self.rows = rows
    model = BackpackModel(Hd44780Model(columns: columns, rows: rows, seed: seed), wiring, hertz: hertz)
    link = DisplayLink(model.port(believed: believed, isRead: isRead), columns: columns, rows: rows)
  }

  var display: Hd44780Model { model.display }
  var trouble: HardwareError? { link.trouble }
  var isShowing: Bool { link.isShowing }

  /// A frame with one text per row.
  func frame(_ texts: String...) -> DisplayFrame {
    var frame = DisplayFrame(columns: columns, rows: rows)
    for (row, text) in texts.prefix(rows).enumerated() {
      for (column, byte) in text.utf8.prefix(columns).enumerated() { frame.cells[row * columns + column] = byte }
    }
    return frame
  }

  /// Shows a frame, as a display thread does, for this time.
  func show(_ frame: DisplayFrame, milliseconds: Int64 = 150) {
    let end = model.now + milliseconds * 1_000_000
    for _ in 0..<10_000 {
      let (before, bytes) = (model.now, model.byteCount)
      let next = link.show(frame, now: MonotonicTime(nanoseconds: model.now)).nanoseconds
      if model.byteCount > bytes { uses.append(before) }
      if next > end {
        model.now = max(model.now, end)
        return
      }
      model.now = max(model.now, next)
    }
    Issue.record("The driver asks to be called again and again.")
  }

  /// Shows a frame and checks each moment: every cell is old, new or blank.
  func show(_ frame: DisplayFrame, after old: DisplayFrame) {
    let (before, after) = (old.picture, frame.picture)
    var strange: [String] = []
    display.onTaken = { [unowned self] in
      guard strange.isEmpty else { return }
      for (cell, seen) in display.picture.enumerated()
      where seen != before[cell] && seen != after[cell] && seen != .blank {
        strange.append("cell \(cell) shows \(seen) between \(before[cell]) and \(after[cell])")
      }
    }
    show(frame, milliseconds: 100)
    display.onTaken = {}
    #expect(strange == [])
  }
}
