/// The wiring between a PCF8574's pins (0 to 7) and the display, which differs between boards.
public struct BackpackPins: Hashable, Sendable {
  /// The bits of RS, E and backlight; 0 without such a pin. R/W stays low.
  let registerSelect, enable, light: UInt8
  /// The bits of D4 to D7 for each 4-bit value.
  let nibbles: [UInt8]

  /// P0 is RS, P1 R/W, P2 E, P3 the backlight, P4 to P7 D4 to D7: most boards.
  public static let usual = make(registerSelect: 0, enable: 2, light: 3, data: 4)
  /// P0 to P3 are D4 to D7, P4 RS, P5 R/W, P6 E, P7 the backlight.
  public static let dataFirst = make(registerSelect: 4, enable: 6, light: 7, data: 0)
  /// The order of the lines of a display without a PCF8574: RS, E, D4 to D7, backlight.
  static let lines = make(registerSelect: 0, enable: 1, light: 6, data: 2)

  private static func make(registerSelect: UInt8, enable: UInt8, light: UInt8, data: UInt8) -> BackpackPins {
    BackpackPins(
      registerSelect: 1 << registerSelect, enable: 1 << enable, light: 1 << light, nibbles: (0..<16).map { $0 << data })
  }
}
