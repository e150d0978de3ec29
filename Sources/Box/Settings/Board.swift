import PanelWords

/// What a file in `boards/` says of the hardware around a computer: card, pins, buttons, knobs, remotes, display.
public struct Board: Equatable, Sendable {
  /// What it is, in a few words.
  public var title = ""
  /// What it is, in a sentence.
  public var summary = ""
  /// The labels of the GPIO chips that its lines may be of, one for each computer it fits on; the first that is there
  /// counts.
  public var chips: [String] = []
  /// The sound card.
  public var sound = Sound()
  /// The pins that have a name.
  public var pins: [Pin] = []
  /// The buttons, knobs' switches counted.
  public var buttons: [Button] = []
  /// The knobs.
  public var encoders: [Encoder] = []
  /// Input devices of the kernel, and the terminal.
  public var inputs: [Input] = []
  /// The display; nil: none.
  public var display: Display?

  /// A box without a panel.
  public init() {}

  /// `[sound]`: the card.
  public struct Sound: Equatable, Sendable {
    /// The card's id, as `/proc/asound/cards` has it in brackets; empty: whatever card there is.
    public var card = ""
    /// The lines of `config.txt` that bring it up.
    public var overlay: [String] = []
    /// The GPIO lines that it takes.
    public var lines: [Int] = []
    /// Whether it has one speaker, so that both channels are mixed.
    public var isMono = false
  }

  /// What holds a line where nothing else does.
  public enum Pull: String, Sendable, CaseIterable {
    /// The computer's own resistor to 3.3 V.
    case up
    /// The computer's own resistor to ground.
    case down
    /// Nothing, or a resistor of the board.
    case none
  }

  /// A GPIO line with a name.
  public struct Pin: Equatable, Sendable {
    /// What the board calls it.
    public var name: String
    /// The label of its chip; nil: the board's.
    public var chip: String?
    /// The line's number on the chip.
    public var line: Int
    /// What holds it.
    public var pull = Pull.none
    /// Whether low is pressed.
    public var isActiveLow = false
  }

  /// A button and what it is for.
  public struct Button: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// The pin of the same name; nil: it is pressed by an input device.
    public var pin: Pin?
    /// What each gesture does.
    public var actions: [Gesture: PanelAction]
  }

  /// How many changes of a knob's contacts a click has.
  public enum Steps: String, Sendable, CaseIterable {
    /// Four: every contact closes and opens.
    case full
    /// Two.
    case half
  }

  /// A rotary encoder.
  public struct Encoder: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its contacts; nil: it is turned by an input device.
    public var contacts: Contacts?
    /// The button that it is when it is pressed; nil: none.
    public var button: String?
    /// How many changes a click has.
    public var steps = Steps.full
    /// What it does at first.
    public var mode = KnobMode.tune
  }

  /// The two contacts of an encoder; clockwise `a` closes first.
  public struct Contacts: Equatable, Sendable {
    /// The first.
    public var a: Pin
    /// The second.
    public var b: Pin
  }

  /// What a key of an input device stands for.
  public enum KeyTarget: Equatable, Sendable {
    /// A button.
    case button(String)
    /// A click of an encoder, clockwise or not.
    case click(String, isClockwise: Bool)
    /// An axis whose steps are clicks of an encoder.
    case axis(String)
  }

  /// A device of the kernel's input layer, or the terminal.
  public struct Input: Equatable, Sendable {
    /// What the board calls it.
    public var name: String
    /// The device's name or its path below `/dev/input`; "terminal" is the simulated panel's keyboard.
    public var device: String
    /// What its keys stand for, by the kernel's names (`KEY_PLAYPAUSE`, `REL_DIAL`), a terminal's by letters and words.
    public var keys: [String: KeyTarget]
  }
}
