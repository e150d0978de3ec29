import CLinux

/// The mapping from an input device's keys and axes to controls of the radio.
public struct KeyMap: Sendable {
  /// The kernel's number of a key or an axis.
  struct Code: Hashable, Sendable {
    var type: UInt16
    var code: UInt16
  }

  // From linux/input-event-codes.h.
  static let sync: UInt16 = 0
  static let key: UInt16 = 1
  static let relative: UInt16 = 2
  static let absolute: UInt16 = 3

  private var controls: [Code: String] = [:]

  /// Maps the kernel's names ("KEY_PLAYPAUSE", "REL_DIAL"), or key numbers, to names of buttons and knobs.
  public init(_ names: [String: String]) throws(HardwareError) {
    for (name, control) in names {
      guard let code = Self.code(name) else { throw .unknownKey(name) }
      controls[code] = control
    }
  }

  func control(_ code: Code) -> String? { controls[code] }

  var codes: [Code] { Array(controls.keys) }

  private static func code(_ name: String) -> Code? {
    if let number = UInt16(name) { return number < 0x300 ? Code(type: key, code: number) : nil }
    var type: Int32 = 0
    let code = bk_input_code(name, &type)
    return code < 0 ? nil : Code(type: UInt16(type), code: UInt16(code))
  }
}
