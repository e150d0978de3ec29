import CGpiod
import CLinux
import Glibc

/// Requested lines of one chip, released at the end.
final class GpioRequest {
  enum Use { case watch, drive }

  /// Stays open until the lines are released.
  private let chip: GpioChip
  private let api: bk_gpio_api
  private let handle: UnsafeMutableRawPointer

  init(_ chip: GpioChip, _ lines: [bk_gpio_line], _ use: Use, user: String) throws(HardwareError) {
    (api, handle) = try chip.requestLines(lines, use, user: user)
    self.chip = chip
  }

  deinit { api.release(handle) }

  /// The descriptors for poll(2).
  var descriptors: [Int32] {
    var all = [Int32](repeating: -1, count: Int(BK_GPIO_MOST))
    let count = api.descriptors(handle, &all)
    return Array(all.prefix(Int(count)))
  }

  func isActive(_ index: Int) throws(HardwareError) -> Bool {
    try check(api.level(handle, UInt32(index))) > 0
  }

  /// Removes and returns at most `room` pending edges.
  func readEdges(room: Int) throws(HardwareError) -> [bk_gpio_edge] {
    var edges = [bk_gpio_edge](repeating: bk_gpio_edge(), count: room)
    let count = try check(api.take_edges(handle, &edges, UInt32(room)))
    return Array(edges.prefix(Int(count)))
  }

  /// Sets all lines, the first by the lowest bit; returns 0 or errno.
  func set(_ levels: UInt32) -> Int32 { -api.set_levels(handle, levels) }

  private func check(_ result: Int32) throws(HardwareError) -> Int32 {
    if result >= 0 { return result }
    throw result == -ENODEV
      ? .gone("The GPIO chip \(chip.label)") : .failed("The GPIO chip \(chip.label)", errno: -result)
  }
}
