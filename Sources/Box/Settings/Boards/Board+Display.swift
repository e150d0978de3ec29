extension Board {
  /// A character display.
  public struct Display: Equatable, Sendable {
    /// The controller of a display.
    public enum Kind: String, Sendable, CaseIterable {
      /// An HD44780 or a compatible controller.
      case hd44780
      /// A drawing of a display in a terminal.
      case simulated
    }

    /// Columns and rows of a display.
    public enum Size: String, Sendable, CaseIterable {
      case small = "16x2"
      case large = "20x4"

      /// Characters per row.
      public var columns: Int { self == .small ? 16 : 20 }
      /// Number of rows.
      public var rows: Int { self == .small ? 2 : 4 }
    }

    /// The character ROM of the controller.
    public enum Rom: String, Sendable, CaseIterable {
      /// Japanese characters, the most common ROM.
      case a00 = "A00"
      /// European characters.
      case a02 = "A02"
    }

    /// The wiring between a PCF8574 and the display.
    public enum Layout: String, Sendable, CaseIterable {
      /// P0 RS, P1 RW, P2 E, P3 backlight, P4 … P7 data: nearly every backpack.
      case usual
      /// P0 … P3 data, P4 RS, P5 RW, P6 E, P7 backlight.
      case dataFirst = "data-first"
    }

    /// The connection between computer and display.
    public enum Bus: Equatable, Sendable {
      /// A PCF8574 on `/dev/i2c-NUMBER` at a 7-bit address.
      case i2c(number: Int, address: Int, layout: Layout)
      /// Six lines, or seven with a backlight line; data are D4 … D7.
      case gpio(rs: Pin, enable: Pin, data: [Pin], light: Pin?)
      /// A terminal.
      case none
    }

    /// The controller.
    public var kind = Kind.hd44780
    /// Columns and rows.
    public var size = Size.large
    /// The character ROM.
    public var rom = Rom.a00
    /// The connection to the computer.
    public var bus = Bus.none
    /// The lines of `config.txt` that the bus needs.
    public var overlay: [String] = []
    /// The GPIO lines that the bus uses.
    public var lines: [Int] = []
  }
}
