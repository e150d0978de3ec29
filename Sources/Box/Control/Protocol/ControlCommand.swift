/// A row of the protocol's command table: name, arguments, permission and action.
public struct ControlCommand {
  /// The action of a command.
  public typealias Work = (inout ControlCall) throws(ControlRefusal) -> Void

  /// The command's name.
  public let name: String
  /// The arguments for display, such as "[START:END]".
  public let usage: String
  /// A short description of the effect.
  public let summary: String
  let arity: ClosedRange<Int>
  /// The permission that a client needs.
  public let permission: Permission
  /// True if the command is refused while there is no radio.
  var needsRadio: Bool
  /// True if `commands` and `notcommands` list the command. False for a command that always refuses, because its
  /// feature is missing.
  var isListed = true
  /// Executes the command.
  public let work: Work

  /// Creates a row of the table.
  public init(
    _ name: String, _ usage: String = "", _ arity: ClosedRange<Int> = 0...0, _ permission: Permission,
    _ summary: String, _ work: @escaping Work
  ) {
    self.name = name
    self.usage = usage
    self.arity = arity
    self.permission = permission
    self.summary = summary
    needsRadio = !permission.isDisjoint(with: [.add, .player, .control])
    self.work = work
  }

  static let any = Int(Int16.max)

  var unlisted: ControlCommand {
    var row = self
    row.isListed = false
    return row
  }

  var withoutRadio: ControlCommand {
    var row = self
    row.needsRadio = false
    return row
  }

  func check(_ count: Int) throws(ControlRefusal) {
    guard !arity.contains(count) else { return }
    let complaint = arity.count == 1 ? "wrong number of" : count < arity.lowerBound ? "too few" : "too many"
    throw ControlRefusal(.argument, "\(complaint) arguments for \"\(name)\"")
  }
}
