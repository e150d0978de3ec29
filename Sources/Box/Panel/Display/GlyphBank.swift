/// Assigns the display's eight custom characters to the shapes of a frame.
///
/// A slot visible in the last frame retains its shape, or stays unused for one frame. So a driver that compares two
/// frames never draws a new shape under a cell with the old one. A shape without a slot shows its `spare`.
public struct GlyphBank: Sendable {
  private struct Slot {
    var shape: UInt64?
    var isVisible = false
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
    slots.flatMap { slot in (0..<8).map { UInt8(truncatingIfNeeded: (slot.shape ?? 0) >> UInt64(56 - 8 * $0)) } }
  }

  /// Starts a frame with these shapes, most important first; returns their slots.
  public mutating func share(_ shapes: [UInt64]) -> [UInt64: UInt8] {
    var wanted: [UInt64] = []
    for shape in shapes where wanted.count < slots.count && !wanted.contains(shape) { wanted.append(shape) }
    var places: [UInt64: UInt8] = [:]
    for (index, slot) in slots.enumerated() {
      if let shape = slot.shape, wanted.contains(shape) { places[shape] = UInt8(truncatingIfNeeded: index) }
    }
    isWaiting = false
    for shape in wanted where places[shape] == nil {
      let free = slots.indices.filter { index in
        !slots[index].isVisible && !places.values.contains(UInt8(truncatingIfNeeded: index))
      }
      guard let index = free.max(by: { slots[$0].age < slots[$1].age }) else {
        isWaiting = true
        continue
      }
      slots[index].shape = shape
      places[shape] = UInt8(truncatingIfNeeded: index)
    }
    for index in slots.indices {
      slots[index].isVisible = places.values.contains(UInt8(truncatingIfNeeded: index))
      slots[index].age = slots[index].isVisible ? 0 : max(slots[index].age, slots[index].age &+ 1)
    }
    return places
  }
}
