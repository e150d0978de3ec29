import PanelWords

/// The hardware around a computer, read from a file in `boards/`: card, pins, buttons, knobs, remotes, display.
public struct Board: Equatable, Sendable {
  /// A title of a few words.
  public var title = ""
  /// A description of one sentence.
  public var summary = ""
  /// The labels of the GPIO chips, one for each computer that the board fits. The radio uses the first chip that
  /// exists.
  public var chips: [String] = []
  /// The sound card.
  public var sound = Sound()
  /// The named pins.
  public var pins: [Pin] = []
  /// The buttons, including the switches of knobs.
  public var buttons: [Button] = []
  /// The rotary encoders.
  public var encoders: [Encoder] = []
  /// The input devices: kernel devices and the terminal.
  public var inputs: [Input] = []
  /// The display; nil if the board has no display.
  public var display: Display?

  /// Creates a box without a panel.
  public init() {}

  /// `[sound]`: the sound card.
  public struct Sound: Equatable, Sendable {
    /// The card's id, as in brackets in `/proc/asound/cards`; empty for any card.
    public var card = ""
    /// The lines of `config.txt` that enable the card.
    public var overlay: [String] = []
    /// The GPIO lines that the card uses.
    public var lines: [Int] = []
    /// True if the card drives only one speaker. Both channels are then mixed.
    public var isMono = false
  }

  /// The pull resistor of a line.
  public enum Pull: String, Sendable, CaseIterable {
    /// The computer's own resistor to 3.3 V.
    case up
    /// The computer's own resistor to ground.
    case down
    /// No resistor, or a resistor on the board.
    case none
  }

  /// A GPIO line with a name.
  public struct Pin: Equatable, Sendable {
    /// The name in the board file.
    public var name: String
    /// The label of the chip; nil for the board's chip.
    public var chip: String?
    /// The line number on the chip.
    public var line: Int
    /// The pull resistor.
    public var pull = Pull.none
    /// True if a low level means pressed.
    public var isActiveLow = false
  }

  /// A button and its actions.
  public struct Button: Equatable, Sendable {
    /// The name of the button.
    public var name: String
    /// The pin with the same name; nil if an input device presses the button.
    public var pin: Pin?
    /// The action of each gesture.
    public var actions: [Gesture: PanelAction]
  }

  /// The number of contact changes per detent.
  public enum Steps: String, Sendable, CaseIterable {
    /// Four changes: both contacts close and open.
    case full
    /// Two changes.
    case half
  }

  /// A rotary encoder.
  public struct Encoder: Equatable, Sendable {
    /// The name of the encoder.
    public var name: String
    /// The contacts; nil if an input device turns the encoder.
    public var contacts: Contacts?
    /// The button of the encoder's switch; nil without a switch.
    public var button: String?
    /// The number of contact changes per detent.
    public var steps = Steps.full
    /// The mode at start.
    public var mode = KnobMode.tune
  }

  /// The two contacts of an encoder. Clockwise, `a` closes first.
  public struct Contacts: Equatable, Sendable {
    /// The first contact.
    public var a: Pin
    /// The second contact.
    public var b: Pin
  }

  /// The target of an input device's key.
  public enum KeyTarget: Equatable, Sendable {
    case button(String)
    /// One detent of the encoder with a name, clockwise or counter-clockwise.
    case click(String, isClockwise: Bool)
    /// The detents of the encoder with a name. Each step of the axis is one detent.
    case axis(String)
  }

  /// A device of the kernel's input layer, or the terminal.
  public struct Input: Equatable, Sendable {
    /// The name in the board file.
    public var name: String
    /// The device's name or its path below `/dev/input`; "terminal" for the keyboard of the simulated panel.
    public var device: String
    /// The target of each key. Keys are kernel names (`KEY_PLAYPAUSE`, `REL_DIAL`); in a terminal, characters or words
    /// such as "up".
    public var keys: [String: KeyTarget]
  }
}
