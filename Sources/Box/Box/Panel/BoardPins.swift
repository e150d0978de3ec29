import Panel
import PanelLinux
import Settings
import Units

/// The GPIO lines of a board's buttons and knobs, in one request to the kernel.
final class BoardPins {
  enum Change {
    case button(String, isDown: Bool, at: MonotonicTime)
    case click(encoder: String, step: Int)
  }

  private enum Role {
    case button(String)
    case contact(encoder: Int, QuadratureDecoder.Contact)
  }

  private let lines: GpioLines
  private let roles: [Role]
  private var decoders: [(name: String, decoder: QuadratureDecoder)] = []

  static func isNeeded(by board: Board) -> Bool {
    board.buttons.contains { $0.pin != nil } || board.encoders.contains { $0.contacts != nil }
  }

  /// True if this computer has the board's GPIO chip, even if its lines are busy or forbidden.
  static func isPresent(_ board: Board) -> Bool {
    do throws(HardwareError) {
      _ = try BoardPins(board)
      return true
    } catch {
      switch error {
      case .noSuchChip, .noGpio: return false
      default: return true
      }
    }
  }

  init(_ board: Board) throws(HardwareError) {
    var wanted: [(pin: Board.Pin, role: Role)] = []
    for button in board.buttons { if let pin = button.pin { wanted.append((pin, .button(button.name))) } }
    for encoder in board.encoders {
      guard let contacts = encoder.contacts else { continue }
      let number = decoders.count
      decoders.append((encoder.name, QuadratureDecoder(detent: encoder.steps == .full ? .full : .half)))
      wanted += [(contacts.a, .contact(encoder: number, .a)), (contacts.b, .contact(encoder: number, .b))]
    }
    roles = wanted.map(\.role)
    lines = try Self.request(wanted.map(\.pin), board)
  }

  private static func request(_ pins: [Board.Pin], _ board: Board) throws(HardwareError) -> GpioLines {
    var first: HardwareError?
    for chip in board.chips.isEmpty ? [""] : board.chips {
      do throws(HardwareError) {
        return try GpioLines(pins.map { line($0, chip: $0.chip ?? chip) })
      } catch {
        // Reports a missing chip only if no chip is found.
        switch error {
        case .noSuchChip: first = first ?? error
        default: throw error
        }
      }
    }
    throw first ?? .noGpio
  }

  static func line(_ pin: Board.Pin, chip: String) -> GpioLine {
    let pull: GpioLine.Pull =
      switch pin.pull {
      case .up: .up
      case .down: .down
      case .none: .none
      }
    return GpioLine(UInt32(max(0, pin.line)), chip: chip, pull: pull, isActiveLow: pin.isActiveLow)
  }

  var descriptor: Int32 { lines.descriptor }

  func next() throws(HardwareError) -> Change? {
    while let edge = try lines.next() {
      guard roles.indices.contains(edge.line) else { continue }
      switch roles[edge.line] {
      case .button(let name): return .button(name, isDown: edge.isActive, at: edge.time)
      case .contact(let encoder, let contact):
        // A closed contact pulls its line to the active level.
        let step = decoders[encoder].decoder.edge(contact, isHigh: !edge.isActive, at: edge.time)
        if step != 0 { return .click(encoder: decoders[encoder].name, step: step) }
      }
    }
    return nil
  }
}
