import PanelLinux
import Settings

struct DoctorPanel {
  let board: Board
  let file: String
  var boot: BootConfig?

  /// Returns findings for pins; a nil error means that the pin is free.
  func pins(_ results: [(pin: Board.Pin, error: HardwareError?)]) -> [DoctorFinding] {
    let subject = "pins"
    guard !results.isEmpty else { return [.ok(subject, "The board has no pins.")] }
    let errors = results.compactMap(\.error)
    let free = results.count - errors.count
    switch errors.first {
    case .noGpio:
      let mend = "set board = \"simulated\" in bakelite.toml, or run this on the box"
      return [.missing(subject, "There are no GPIO chips (/dev/gpiochip*) on this machine.", mend: mend)]
    case .noSuchChip(_, let existing):
      let words = "This machine has none of the board's chips (\(board.chips.joined(separator: ", "))); it has: "
      let mend = "name one of them in chips = […] of \(file)"
      return [.missing(subject, words + existing.joined(separator: ", ") + ".", mend: mend)]
    case .forbidden(let path, let group): return [.forbidden(subject, path, group)]
    default: break
    }
    let ours = errors.count { Self.isOurs($0) }
    let problems = results.compactMap { result -> DoctorFinding? in
      guard let error = result.error, !Self.isOurs(error) else { return nil }
      return .problem(
        subject, "Pin \(result.pin.name): \(error.description)",
        mend: "change the line of \(result.pin.name) = { line = \(result.pin.line) … } in \(file)")
    }
    if !problems.isEmpty { return problems }
    return [
      .ok(subject, ours == 0 ? "\(free) lines exist and are free." : "The radio uses its \(results.count) lines.")
    ]
  }

  private static func isOurs(_ error: HardwareError) -> Bool {
    if case .lineBusy(_, _, "bakelite") = error { true } else { false }
  }

  /// Returns the finding for an input device; a nil error means that it opened.
  func input(_ input: Board.Input, _ error: HardwareError?) -> DoctorFinding {
    let subject = "input"
    switch error {
    case nil: return .ok(subject, "\(input.name) exists: \"\(input.device)\".")
    case .forbidden(let path, let group): return .forbidden(subject, path, group)
    case .noSuchInput:
      let mend =
        "write the device's name to device in [inputs.\(input.name)] of \(file); "
        + "cat /proc/bus/input/devices lists the names"
      return .missing(subject, error?.description ?? "", mend: mend)
    case .some(let error):
      return .problem(subject, error.description, mend: "change [inputs.\(input.name)] in \(file)")
    }
  }

  /// Returns the finding for the display. `answering`: addresses at which other devices respond.
  func display(_ error: HardwareError?, answering: [UInt8]) -> DoctorFinding {
    let subject = "display"
    guard let display = board.display else { return .ok(subject, "The board has no display.") }
    guard case .i2c(let number, let address, _) = display.bus else {
      let place = display.kind == .simulated ? "is drawn in a terminal" : "uses GPIO lines, see pins"
      return .ok(subject, "The display \(place).")
    }
    let bus = "/dev/i2c-\(number)"
    switch error {
    case nil: return .ok(subject, "A PCF8574 answers at \(Self.hex(address)) of \(bus).")
    case .gone:
      let load = "echo i2c-dev | sudo tee /etc/modules-load.d/i2c.conf && sudo reboot"
      return .missing(
        subject, "There is no I2C bus \(bus).", mend: BootConfig.mend(boot, display.overlay) ?? load)
    case .noAnswer where !answering.isEmpty:
      let others = answering.map { Self.hex(Int($0)) }.joined(separator: ", ")
      let words = "No device answers at \(Self.hex(address)) of \(bus), but a device answers at \(others)."
      return .missing(subject, words, mend: "write address = \(Self.hex(Int(answering[0]))) in \(file)")
    case .noAnswer:
      let words = "No device answers at \(Self.hex(address)) of \(bus)."
      return .missing(subject, words, mend: "compare its wiring with \(file); i2cdetect -y \(number)")
    case .forbidden(let path, let group): return .forbidden(subject, path, group)
    case .some(let error):
      return .problem(subject, error.description, mend: "sudo dmesg | grep -i i2c")
    }
  }

  private static func hex(_ address: Int) -> String {
    "0x" + (address < 16 ? "0" : "") + String(address, radix: 16)
  }
}

extension DoctorPanel {
  func look() -> [DoctorFinding] {
    let devices = board.inputs.filter { $0.device != "terminal" }
    return pins(board.pins.map { ($0, ask($0)) }) + devices.map { input($0, ask($0)) } + [lookAtDisplay()]
  }

  /// Requests a line for a moment as an input with its pull unchanged, on the board's first existing chip.
  private func ask(_ pin: Board.Pin) -> HardwareError? {
    var first: HardwareError?
    for chip in pin.chip.map({ [$0] }) ?? board.chips {
      do throws(HardwareError) {
        _ = try GpioLines([GpioLine(UInt32(max(0, pin.line)), chip: chip, pull: .asIs)])
        return nil
      } catch .noSuchChip(let chip, let existing) {
        first = first ?? .noSuchChip(chip, existing: existing)
      } catch {
        return error
      }
    }
    return first ?? .noGpio
  }

  private func ask(_ input: Board.Input) -> HardwareError? {
    do throws(HardwareError) {
      let keys = [String: String](uniqueKeysWithValues: input.keys.keys.map { ($0, $0) })
      _ = try EvdevDevice(input.device, keys: try KeyMap(keys))
      return nil
    } catch { return error }
  }

  private func lookAtDisplay() -> DoctorFinding {
    guard case .i2c(let number, let address, _) = board.display?.bus else { return display(nil, answering: []) }
    let bus = "/dev/i2c-\(number)"
    let error = Self.ask(bus, UInt8(truncatingIfNeeded: address))
    guard case .noAnswer = error else { return display(error, answering: []) }
    // The addresses of PCF8574 and PCF8574A; reading them changes nothing.
    let others = (Array(0x20...0x27) + Array(0x38...0x3F)).filter { Self.ask(bus, $0) == nil }
    return display(error, answering: others)
  }

  private static func ask(_ bus: String, _ address: UInt8) -> HardwareError? {
    do throws(HardwareError) {
      _ = try I2cDevice(path: bus, address: address).read()
      return nil
    } catch { return error }
  }
}
