import Glibc
import System

/// The reason why a part of the panel cannot be used.
public enum HardwareError: Error, Equatable, Sendable, CustomStringConvertible {
  case noGpio
  case noSuchChip(String, existing: [String])
  case noSuchOffset(UInt32, chip: String, count: Int)
  /// Another program, or the kernel, uses the line.
  case lineBusy(String, chip: String, user: String)
  /// Lines that must change together are on two chips.
  case notOneChip(String, String)
  case noSuchInput(String, existing: [String])
  /// The name is not a known key of linux/input-event-codes.h.
  case unknownKey(String)
  case forbidden(path: String, group: String)
  case gone(String)
  case noAnswer(bus: String, address: UInt8)
  /// A kernel driver uses the address.
  case addressBusy(bus: String, address: UInt8)
  case noTerminal
  /// Another system error.
  case failed(String, errno: Int32)

  /// One sentence: event, object and remedy, without control characters.
  public var description: String {
    String(
      String.UnicodeScalarView(sentence.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    )
  }

  private var sentence: String {
    switch self {
    case .noGpio:
      "There are no GPIO chips (/dev/gpiochip*) on this machine; choose the board \"simulated\", or no board."
    case .noSuchChip(let chip, let existing):
      "There is no GPIO chip \"\(chip)\"; there are: \(Self.list(existing)). Name one of them in the board file."
    case .noSuchOffset(let offset, let chip, let count):
      "The GPIO chip \(chip) has the lines 0 to \(count - 1), not \(offset); change it in the board file."
    case .lineBusy(let line, let chip, let user):
      "GPIO line \(line) of \(chip) is used by '\(user)'; choose another pin in the board file."
    case .notOneChip(let chip, let other):
      "The display's GPIO lines are on two chips, \(chip) and \(other); choose lines of one in the board file."
    case .noSuchInput(let name, let existing):
      "There is no input device \"\(name)\"; there are: \(Self.list(existing)). Name one of them in the board file."
    case .unknownKey(let name):
      "\"\(name)\" is no key or axis that Bakelite knows; evtest shows what a device sends. A number does too."
    case .forbidden(let path, let group):
      "\(path) cannot be opened by this user; add the user to the group \"\(group)\"."
    case .gone(let what):
      "\(what) is gone; check its plug and its wiring."
    case .noAnswer(let bus, let address):
      "Nothing answers at address \(Self.hex(address)) of \(bus); check the wiring, or find it with i2cdetect."
    case .addressBusy(let bus, let address):
      "A kernel driver has address \(Self.hex(address)) of \(bus); remove its overlay from config.txt."
    case .noTerminal:
      "The panel needs a terminal, but the output is not a terminal; run it without a pipe."
    case .failed(let what, let errno):
      "\(what) failed: \(errnoText(errno)); check its wiring and its driver."
    }
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

  private static func hex(_ address: UInt8) -> String {
    "0x\(address < 16 ? "0" : "")\(String(address, radix: 16, uppercase: true))"
  }
}
