import Panel

/// A display with an HD44780 or compatible controller, and its known content. One thread.
///
/// The display is written in 4-bit mode and never read. Address counter, cells and shapes are tracked, so that only
/// changes are written.
struct Hd44780 {
  private static let blank: UInt8 = 0x20

  private var writer: NibbleWriter
  /// The cells in address order, with the instruction that sets the address counter.
  private let places: [(cell: Int, instruction: UInt8)]
  private let columns: Int
  private var cells: [UInt8]
  /// The lines of the eight shapes; 0xFF if unknown, since a line has at most five dots.
  private var shapes: [UInt8]
  private var counter: UInt8?
  private var isOn = false
  private var isReadable = false

  init(_ port: DisplayPort, columns: Int, rows: Int) {
    writer = NibbleWriter(port)
    self.columns = columns
    let cells = 0..<columns * rows
    places = cells.map { ($0, 0x80 | Self.address($0, columns)) }.sorted { $0.1 < $1.1 }
    self.cells = Array(repeating: Self.blank, count: cells.count)
    shapes = Array(repeating: 0xFF, count: 64)
  }

  // MARK: Initialization

  static let resetSteps = 6

  /// Performs a step towards a blank display from any state; returns the time it needs in milliseconds.
  ///
  /// After power on the display needs 40 ms. Then, or after a broken transfer, it may expect eight bits, four bits, or
  /// a second half: three times 3 sets 8-bit mode (HD44780U, "Initializing by Instruction").
  mutating func reset(step: Int) throws(HardwareError) -> Int64 {
    switch step {
    case 0:
      writer.forget()
      try writer.rest()
    case 1, 2, 3:
      try writer.put(nibble: 3)
    case 4:
      try writer.put(nibble: 2)
      // 4-bit mode, two lines; display off; clear.
      for instruction: UInt8 in [0x28, 0x08, 0x01] { try writer.put(instruction, isData: false) }
    default:
      // Increment the address counter, no display shift.
      try writer.put(0x06, isData: false)
      begin()
    }
    try writer.flush()
    if step == Self.resetSteps - 1 { isReadable = try !isEnableHigh() }
    return [50, 7, 7, 1, 4, 0][step]
  }

  private mutating func begin() {
    cells = Array(repeating: Self.blank, count: cells.count)
    shapes = Array(repeating: 0xFF, count: 64)
    counter = nil
    isOn = false
  }

  /// True if the port was reset: a PCF8574 starts with all pins high, and E rests low.
  func hasLostPower() throws(HardwareError) -> Bool { isReadable ? try isEnableHigh() : false }

  private func isEnableHigh() throws(HardwareError) -> Bool {
    guard let read = writer.port.read else { return false }
    return try read() & writer.port.pins.enable != 0
  }

  // MARK: Frames

  /// Writes the changes. At any time, a cell shows its old character, its new one, or a blank.
  mutating func show(_ frame: DisplayFrame) throws(HardwareError) {
    precondition(
      frame.columns == columns && frame.cells.count == cells.count && frame.glyphs.count == shapes.count,
      "the frame is of this display's size, with eight shapes")
    try writer.light(frame.isLit)
    let slots = changedSlots(frame)
    if slots != 0 {
      try write(cells.indices.map { interim($0, frame, slots) })
      for slot in 0..<8 where slots >> slot & 1 == 1 { try write(slot, frame.glyphs) }
    }
    try write(frame.cells)
    if !isOn { try writer.put(0x0C, isData: false) }
    isOn = true
    try writer.flush()
  }

  /// The slots in the frame whose shape differs from the display's, as bits.
  private func changedSlots(_ frame: DisplayFrame) -> UInt8 {
    frame.cells.reduce(0) { slots, code in
      guard let slot = Self.slot(code), slots >> slot & 1 == 0 else { return slots }
      let lines = slot * 8..<slot * 8 + 8
      return lines.allSatisfy { frame.glyphs[$0] & 0x1F == shapes[$0] } ? slots : slots | 1 << slot
    }
  }

  /// Returns the content of a cell while shapes are written, without any changed shape.
  private func interim(_ cell: Int, _ frame: DisplayFrame, _ slots: UInt8) -> UInt8 {
    func isTouched(_ code: UInt8) -> Bool { Self.slot(code).map { slots >> $0 & 1 == 1 } ?? false }
    guard isTouched(cells[cell]) else { return cells[cell] }
    return isTouched(frame.cells[cell]) ? Self.blank : frame.cells[cell]
  }

  /// Writes the lines of a shape from the first to the last change.
  private mutating func write(_ slot: Int, _ glyphs: [UInt8]) throws(HardwareError) {
    let lines = slot * 8..<slot * 8 + 8
    let isOther = { [shapes] line in glyphs[line] & 0x1F != shapes[line] }
    guard let first = lines.first(where: isOther), let last = lines.last(where: isOther) else { return }
    try move(to: 0x40 | UInt8(first))
    for line in first...last {
      try put(glyphs[line] & 0x1F)
      shapes[line] = glyphs[line] & 0x1F
    }
  }

  private mutating func write(_ codes: [UInt8]) throws(HardwareError) {
    for (index, (cell, instruction)) in places.enumerated() where codes[cell] != cells[cell] {
      // Rewriting one cell is shorter than moving the address counter.
      if counter != instruction, index > 0, counter == places[index - 1].instruction {
        try put(cells[places[index - 1].cell])
      }
      try move(to: instruction)
      try put(codes[cell])
      cells[cell] = codes[cell]
    }
  }

  private mutating func move(to instruction: UInt8) throws(HardwareError) {
    if counter == instruction { return }
    try writer.put(instruction, isData: false)
    counter = instruction
  }

  private mutating func put(_ byte: UInt8) throws(HardwareError) {
    try writer.put(byte, isData: true)
    counter = counter.map(Self.successor)
  }

  /// The address counter after a write: from the end of the first line to the second, and back; it wraps within the
  /// shapes.
  private static func successor(_ instruction: UInt8) -> UInt8 {
    switch instruction {
    case 0x7F: 0x40
    case 0x80 | 0x27: 0x80 | 0x40
    case 0x80 | 0x67: 0x80
    default: instruction + 1
    }
  }

  /// Rows 0 and 2 are the display's first line, rows 1 and 3 its second.
  private static func address(_ cell: Int, _ columns: Int) -> UInt8 {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    return UInt8((row & 1) * 0x40 + row / 2 * columns + column)
  }

  /// The shape of a code; codes 0 to 15 show the eight shapes twice.
  private static func slot(_ code: UInt8) -> Int? { code < 16 ? Int(code & 7) : nil }
}
