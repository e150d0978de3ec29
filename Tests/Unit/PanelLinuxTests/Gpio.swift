import CFakeGpiod
import CGpiod
import Foundation
import PanelLinux
import Testing
import Units

/// Fakes of both supported libgpiod versions, with chips in this process. The state is per thread.
enum FakeLibrary: String, CaseIterable, CustomTestStringConvertible {
  case v1 = "libgpiod 1.6"
  case v2 = "libgpiod 2.x"

  var testDescription: String { rawValue }
  var api: bk_gpio_api { self == .v1 ? fake_gpiod_1() : fake_gpiod_2() }
}

/// A stand-in for /dev with the chips of a Pi 5. The header pins are not on the first chip.
final class FakeMachine {
  let folder: URL
  let library: FakeLibrary

  init(_ library: FakeLibrary) throws {
    self.library = library
    folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-gpio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    fake_gpio_reset()
    add("gpiochip0", "other", 8)
    add("gpiochip10", "late", 4)
    add("gpiochip4", "pinctrl-rp1", 54)
    for offset in 0..<28 as Range<UInt32> { fake_gpio_name_line("gpiochip4", offset, "GPIO\(offset)") }
    fake_gpio_name_line("gpiochip10", 1, "GPIO17")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func add(_ name: String, _ label: String, _ lines: UInt32) {
    fake_gpio_add_chip(name, label, lines)
    _ = FileManager.default.createFile(atPath: folder.appending(path: name).path, contents: nil)
  }

  func watch(_ lines: GpioLine...) throws(HardwareError) -> GpioLines {
    try GpioLines(lines, user: "bakelite", folder: folder.path, through: library.api)
  }

  func drive(_ lines: [GpioLine]) throws(HardwareError) -> GpioOutputs {
    try GpioOutputs(lines, user: "bakelite", folder: folder.path, through: library.api)
  }

  func state(_ offset: UInt32, of chip: String = "gpiochip4") -> fake_gpio_state { fake_gpio_line(chip, offset) }

  /// Sets the level of a line on the Pi's chip.
  func set(_ offset: UInt32, _ isHigh: Bool, at nanoseconds: Int64) {
    fake_gpio_set("gpiochip4", offset, isHigh, nanoseconds)
  }
}

extension GpioLine {
  static func pin(_ offset: UInt32, isActiveLow: Bool = true) -> GpioLine {
    GpioLine(offset, chip: "pinctrl-rp1", isActiveLow: isActiveLow)
  }
}
