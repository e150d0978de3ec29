import CGpiod
import CLinux
import Glibc

/// Lines of one chip that are ours, given back at its end.
final class GpioRequest {
  /// What the lines are for.
  enum Use { case watch, drive }

  let chip: GpioChip
  private let handle: UnsafeMutableRawPointer

  init(_ chip: GpioChip, _ lines: [bk_gpio_line], _ use: Use, user: String) throws(HardwareError) {
    let make = use == .watch ? chip.api.watch : chip.api.drive
    guard let handle = make(chip.handle, lines, UInt32(lines.count), user) else {
      throw Self.refusal(bk_errno(), chip, lines)
    }
    self.chip = chip
    self.handle = handle
  }

  deinit { chip.api.release(handle) }

  /// What to wait for.
  var descriptors: [Int32] {
    var all = [Int32](repeating: -1, count: Int(BK_GPIO_MOST))
    let count = chip.api.descriptors(handle, &all)
    return Array(all.prefix(Int(count)))
  }

  /// Whether a line is active now.
  func isActive(_ index: Int) throws(HardwareError) -> Bool {
    try check(chip.api.level(handle, UInt32(index))) > 0
  }

  /// Takes the edges that are there, `room` at most.
  func takeEdges(room: Int) throws(HardwareError) -> [bk_gpio_edge] {
    var edges = [bk_gpio_edge](repeating: bk_gpio_edge(), count: room)
    let count = try check(chip.api.take_edges(handle, &edges, UInt32(room)))
    return Array(edges.prefix(Int(count)))
  }

  /// Sets all lines, the first by the lowest bit: 0, or errno.
  func set(_ levels: UInt32) -> Int32 { -chip.api.set_levels(handle, levels) }

  private func check(_ result: Int32) throws(HardwareError) -> Int32 {
    if result >= 0 { return result }
    throw result == -ENODEV
      ? .gone("The GPIO chip \(chip.label)") : .failed("The GPIO chip \(chip.label)", errno: -result)
  }

  private static func refusal(_ error: Int32, _ chip: GpioChip, _ lines: [bk_gpio_line]) -> HardwareError {
    if error == EBUSY,
      let (line, user) = lines.lazy.compactMap({ line in chip.user(of: line.offset).map { (line, $0) } }).first
    {
      return .lineBusy("\(line.offset)", chip: chip.label, user: user)
    }
    let numbers = lines.map { "\($0.offset)" }.joined(separator: ", ")
    return .failed("Taking GPIO lines \(numbers) of \(chip.label)", errno: error)
  }
}
