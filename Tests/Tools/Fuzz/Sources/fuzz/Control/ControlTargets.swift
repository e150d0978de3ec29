import AudioOutput
import Network
import RadioEngine

@testable import Control

/// Any bytes as a line of the control protocol.
final class ControlLines: FuzzTarget {
  static let name = "control-line"
  static let longest = 512
  static let seeds = [
    "ping", "add \"http://a/b c\" +1", #"playlistfind "(Name == \"it\\'s\")""#, "prio 5 0 1:2 3:", "play \"a\"b",
    "p 'x",
    "a \u{1} b\t\tc", "a \u{E9} \"\u{301}\"",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let line = bytes.array
    guard let request = try? ControlRequest(line[...]) else { return }
    expect(!request.name.isEmpty && request.name.utf8.allSatisfy { $0 > 0x2F && $0 < 0x7B }, "a command is a word")
    expect(request.arguments.count <= ControlRequest.mostArguments, "arguments are bounded")
    let quoted = request.arguments.map { argument in
      " \"" + argument.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
    let again = try? ControlRequest(Array((request.name + quoted.joined()).utf8)[...])
    expect(again == request, "what is quoted is read as it was")
    _ = try? SongFilter(request.arguments, isWhole: true)
  }
}

/// Any bytes as what a client sends: lines, lists, and nonsense.
final class Conversations: FuzzTarget {
  static let name = "control"
  static let longest = 8_192
  static let seeds = [
    "ping\nstatus\nadd http://a/\naddid http://b/ 0\nmove 0 1\nplaylistinfo\n",
    "command_list_ok_begin\nping\nfoo\ncommand_list_end\nidle player\nnoidle\n",
    "subscribe a\nsendmessage a b\nreadmessages\nidle\n", "password x\ntagtypes disable Title\ncommands\nclose\n",
    "addid http://a/\nprio 9 0\nswapid 1 1\naddtagid 1 Name x\nplaylistsearch "
      + "\"((Name contains 'X') AND (!(file == 'y')))\"\n",
  ].map { Array($0.utf8) }

  /// One radio for all: nothing of what a client may ask here reaches it.
  private let radio: Radio
  private let commands: RadioCommands

  init() {
    var settings = RadioSettings()
    settings.blockCount = 16
    guard let radio = try? Radio(settings, OutputRequest(.null)) else { fatalError("There is no memory.") }
    self.radio = radio
    commands = RadioCommands(PlayerController(radio), RadioCommands.Facts(version: "1"))
    // What starts the radio, goes by chance or by the clock.
    for name in Self.others { commands.add(ControlCommand(name, "", 0...9, .read, "") { _ in }) }
  }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let most = recipe.pick([1, 2, 100])
    var plan = recipe
    let text = recipe.rest()
    let pieces = plan.pieces(of: text.count)
    let whole = talk(text, in: [0..<text.count], most: .max)
    let cut = talk(text, in: pieces, most: most)
    expect(whole == cut, "what is answered does not depend on how it came")
    expect(whole.last.map { $0 == UInt8(ascii: "\n") } ?? true, "answers are lines")
  }

  private func talk(_ text: [UInt8], in pieces: [Range<Int>], most: Int) -> [UInt8] {
    commands.use(PlayerController(radio))
    commands.player.onChange = { [commands] in commands.note($0) }
    let session = commands.open(isLocal: true)
    defer { commands.close(session) }
    for piece in pieces {
      session.receive(text[piece])
      while session.hasWork { session.work(most) }
      commands.player.settle()
      expect(session.weight < ControlSession.mostOutgoing * 2, "a client takes so much memory at most")
    }
    return session.outgoing
  }

  private static let others = [
    "play", "playid", "pause", "next", "previous", "seek", "seekid", "seekcur", "radio_tune", "shuffle", "stats",
    "radio_status",
  ]
}
