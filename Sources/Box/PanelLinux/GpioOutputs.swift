import CGpiod

/// Output lines of one chip. One thread; the deinitializer releases them.
public final class GpioOutputs {
  private let request: GpioRequest
  private let inverted: UInt32

  /// Requests at most 32 lines and sets them low. Only the number, the chip and the active level of each are used.
  package init(
    _ lines: [GpioLine], user: String = "bakelite", folder: String = "/dev",
    through api: bk_gpio_api = bk_gpio_library()
  ) throws(HardwareError) {
    precondition(!lines.isEmpty && lines.count <= Int(BK_GPIO_MOST), "a request has 1 to 32 lines")
    let chips = try GpioChips(folder: folder, api)
    let chip = try chips.find(lines[0])
    for line in lines {
      let other = try chips.find(line)
      guard other === chip else { throw .notOneChip(chip.label, other.label) }
    }
    request = try GpioRequest(chip, lines.map(\.request), .drive, user: user)
    inverted = lines.enumerated().reduce(0) { $0 | ($1.element.isActiveLow ? 1 << UInt32($1.offset) : 0) }
  }

  /// Sets all lines at once, the first by the lowest bit; returns 0 or errno.
  func set(_ levels: UInt32) -> Int32 { request.set(levels ^ inverted) }
}
