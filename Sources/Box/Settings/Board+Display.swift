extension Board {
  /// A character display.
  public struct Display: Equatable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
      /// Hitachi's controller, and all that take its commands.
      case hd44780
      /// A picture of one in a terminal.
      case simulated
    }

    /// Columns and rows.
    public enum Size: String, Sendable, CaseIterable {
      /// 16 × 2.
      case small = "16x2"
      /// 20 × 4.
      case large = "20x4"

      /// Characters in a row.
      public var columns: Int { self == .small ? 16 : 20 }
      /// Rows.
      public var rows: Int { self == .small ? 2 : 4 }
    }

    /// Which characters it was born with.
    public enum Rom: String, Sendable, CaseIterable {
      /// Japanese, most common.
      case a00 = "A00"
      /// European.
      case a02 = "A02"
    }

    /// Which wire of a PCF8574 goes where.
    public enum Layout: String, Sendable, CaseIterable {
      /// P0 RS, P1 RW, P2 E, P3 light, P4 … P7 data: nearly every backpack.
      case usual
      /// P0 … P3 data, P4 RS, P5 RW, P6 E, P7 light.
      case dataFirst = "data-first"
    }

    /// How it is reached.
    public enum Bus: Equatable, Sendable {
      /// A PCF8574 on `/dev/i2c-NUMBER` at a 7-bit address.
      case i2c(number: Int, address: Int, layout: Layout)
      /// Six lines, or seven where the light has one; data are D4 … D7.
      case gpio(rs: Pin, enable: Pin, data: [Pin], light: Pin?)
      /// No wires.
      case none
    }

    /// What it is.
    public var kind = Kind.hd44780
    /// Columns and rows.
    public var size = Size.large
    /// Which characters it was born with.
    public var rom = Rom.a00
    /// How it is reached.
    public var bus = Bus.none
    /// The lines of `config.txt` that its bus needs.
    public var overlay: [String] = []
    /// The GPIO lines that its bus takes.
    public var lines: [Int] = []
  }
}
