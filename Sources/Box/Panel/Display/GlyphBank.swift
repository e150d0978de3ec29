/// Assigns the display's eight custom characters to the shapes of a frame.
///
/// A slot visible in the last frame retains its shape, or stays unused for one frame. So a driver that compares two
/// frames never draws a new shape under a cell with the old one. A shape without a slot shows its `spare`.
public struct GlyphBank: Sendable {
  private struct Slot {
    var shape: UInt64?
    /// True if the last frame shows the shape.
    var isVisible = false
    /// True if the next frame shows the shape.
    var isWanted = false
    /// Number of frames since the slot was visible, with a maximum.
    var age = Int.max
  }

  private var slots = Array(repeating: Slot(), count: 8)

  /// True if a shape without a slot in this frame would get one in the next.
  public private(set) var isWaiting = false

  /// Creates an empty bank.
  public init() {}

  /// The eight shapes in the format of `DisplayFrame`; an unused shape stays until its slot is needed.
  public var lines: [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(8 * slots.count)
    for slot in slots {
      for line in 0..<8 { lines.append(UInt8(truncatingIfNeeded: (slot.shape ?? 0) >> UInt64(56 - 8 * line))) }
    }
    return lines
  }

  /// Starts a frame with these shapes, most important first.
  public mutating func share(_ shapes: [UInt64]) {
    var wanted = WantedShapes()
    for shape in shapes { wanted.append(shape) }
    share(wanted)
  }

  mutating func share(_ shapes: WantedShapes) {
    let wanted = shapes.all
    for index in slots.indices {
      slots[index].isWanted = slots[index].shape.map { wanted.contains($0) } ?? false
    }
    isWaiting = false
    for shape in wanted where !slots.contains(where: { $0.isWanted && $0.shape == shape }) {
      guard let index = oldestFreeSlot else {
        isWaiting = true
        continue
      }
      slots[index].shape = shape
      slots[index].isWanted = true
    }
    for index in slots.indices {
      slots[index].isVisible = slots[index].isWanted
      slots[index].age = slots[index].isVisible ? 0 : max(slots[index].age, slots[index].age &+ 1)
    }
  }

  /// The first eight different shapes of a frame, most important first.
  struct WantedShapes {
    private(set) var all: [UInt64] = []

    init() { all.reserveCapacity(8) }

    mutating func append(_ shape: UInt64) {
      if all.count < 8, !all.contains(shape) { all.append(shape) }
    }
  }

  /// Returns the custom character of a shape in this frame; nil for a shape without a slot.
  public func slot(of shape: UInt64) -> UInt8? {
    slots.firstIndex { $0.isVisible && $0.shape == shape }.map { UInt8(truncatingIfNeeded: $0) }
  }

  private var oldestFreeSlot: Int? {
    var oldest: Int?
    for (index, slot) in slots.enumerated() where !slot.isVisible && !slot.isWanted {
      if oldest.map({ slots[$0].age < slot.age }) ?? true { oldest = index }
    }
    return oldest
  }
}
