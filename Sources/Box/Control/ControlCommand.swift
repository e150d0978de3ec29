/// A row of the protocol's table: what a command is called, what it takes, who may use it, and what it does.
public struct ControlCommand {
  /// What a command does with a call.
  public typealias Work = (inout ControlCall) throws(ControlRefusal) -> Void

  /// Its name.
  public let name: String
  /// Its arguments as a person reads them: "[START:END]".
  public let usage: String
  /// What it does, in a few words.
  public let summary: String
  /// The fewest and the most arguments.
  let arity: ClosedRange<Int>
  /// What a client needs.
  public let permission: Permission
  /// Whether it is refused where there is no radio: it plays, or sets what plays.
  var needsRadio: Bool
  /// Whether `commands` tells of it; not where all it does is to refuse, because something is off.
  var isTold = true
  /// What it does.
  public let work: Work

  /// A row of the table.
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

  /// So many arguments as one likes.
  static let any = Int(Int16.max)

  /// The same row, of which `commands` does not tell.
  var untold: ControlCommand {
    var row = self
    row.isTold = false
    return row
  }

  /// Refuses a wrong number of arguments in MPD's words.
  func check(_ count: Int) throws(ControlRefusal) {
    guard !arity.contains(count) else { return }
    let complaint = arity.count == 1 ? "wrong number of" : count < arity.lowerBound ? "too few" : "too many"
    throw ControlRefusal(.argument, "\(complaint) arguments for \"\(name)\"")
  }
}
