/// The commands by name, and their execution. Control thread only.
public final class CommandTable {
  let context: ControlContext
  private(set) var rows: [String: ControlCommand] = [:]

  /// Creates a table. A later row replaces an earlier row with the same name.
  public init(_ rows: [ControlCommand], _ context: ControlContext) {
    self.context = context
    for row in listing + rows { self.rows[row.name] = row }
  }

  /// The commands that list the table itself.
  private var listing: [ControlCommand] {
    [
      ControlCommand("commands", "", 0...0, [], "lists the commands that this client may use") { [unowned self] call in
        list(&call, allowed: true)
      },
      ControlCommand("notcommands", "", 0...0, [], "lists the other commands") { [unowned self] call in
        list(&call, allowed: false)
      },
    ]
  }

  private func list(_ call: inout ControlCall, allowed: Bool) {
    for row in sortedRows where row.isListed && call.client.may(row.permission) == allowed {
      call.answer.add("command", row.name)
    }
  }

  private var sortedRows: [ControlCommand] { rows.values.sorted { $0.name < $1.name } }

  /// Allows commands without a radio, because they do not need it.
  public func allowWithoutRadio(_ names: [String]) { for name in names { rows[name]?.needsRadio = false } }

  /// Refuses commands without a radio. For a box that never has a radio.
  public func refuseWithoutRadio(_ names: [String]) { for name in names { rows[name]?.needsRadio = true } }

  /// The table of commands in Markdown.
  var document: String {
    let lines = sortedRows.map { row in
      let usage = row.usage.isEmpty ? "" : " " + row.usage.map { $0 == "|" ? "\\|" : "\($0)" }.joined()
      return "| `\(row.name)\(usage)` | \(row.permission.name) | \(row.summary) |\n"
    }
    return "| command | needs | does |\n|---|---|---|\n" + lines.joined()
  }

  func run(_ request: ControlRequest, for client: ClientState) throws(ControlRefusal) -> ControlAnswer {
    guard let row = rows[request.name] else {
      throw ControlRefusal(.unknown, "unknown command \"\(request.name)\"")
    }
    guard client.may(row.permission) else {
      throw ControlRefusal(.permission, "you don't have permission for \"\(row.name)\"")
    }
    try row.check(request.arguments.count)
    if let absence = context.absence, row.needsRadio { throw ControlRefusal(.system, absence) }
    var call = ControlCall(request.arguments, client, context)
    try row.work(&call)
    return call.answer
  }
}
