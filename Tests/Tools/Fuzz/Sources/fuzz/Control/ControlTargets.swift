import AudioOutput
import Directory
import Glibc
import Network
import RadioEngine

@testable import Control

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
    expect(request.arguments.count <= ControlRequest.maxArguments, "arguments are bounded")
    let quoted = request.arguments.map { argument in
      " \"" + argument.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
    let again = try? ControlRequest(Array((request.name + quoted.joined()).utf8)[...])
    expect(again == request, "what is quoted is read as it was")
    _ = try? SongFilter(request.arguments, isWhole: true)
  }
}

/// Sends any bytes as a client of the control protocol.
final class Conversations: FuzzTarget {
  static let name = "control"
  static let longest = 8_192
  static let seeds = [
    "ping\nstatus\nadd http://a/\naddid http://b/ 0\nmove 0 1\nplaylistinfo\n",
    "command_list_ok_begin\nping\nfoo\ncommand_list_end\nidle player\nnoidle\n",
    "subscribe a\nsendmessage a b\nreadmessages\nidle\n", "password x\ntagtypes disable Title\ncommands\nclose\n",
    "addid http://a/\nprio 9 0\nswapid 1 1\naddtagid 1 Name x\nplaylistsearch "
      + "\"((Name contains 'X') AND (!(file == 'y')))\"\n",
    "lsinfo\nlsinfo Radio/Germany\nlistallinfo Radio/Germany/Jazz\nadd Radio/All/Pop 0\nlistfiles Radio/../x\n",
    "search any \"jazz b\" sort -Title window 0:2\nlist title genre Jazz group artist\ncount group genre\n",
    "findadd \"((base 'Radio/Germany') AND (genre == 'Jazz'))\" position 0\nradio_find kitchn window 1:9\nstats\n",
    "addid http://a.example/\nlsinfo Radio/Germany/Jazz\naddid http://a.example/\nplaylistinfo\nupdate\n",
  ].map { Array($0.utf8) }

  /// A radio for all runs: the allowed commands do not change it.
  private let radio: Radio
  private let context: ControlContext
  private let commands: CommandTable
  /// Two copies of a directory. A change of the copy clears the names shown to clients earlier.
  private let directories: [StationDirectory]
  private var number = 0

  init() {
    var settings = RadioSettings()
    settings.blockCount = 16
    guard let radio = try? Radio(settings, OutputRequest(.null)) else { fatalError("There is no memory.") }
    self.radio = radio
    context = ControlContext(PlayerController(radio))
    // Replaces commands that start the radio or depend on chance or time.
    let others = Self.others.map { ControlCommand($0, "", 0...9, .read, "") { _ in } }
    commands = CommandTable(RadioCommands.rows(.init(version: "1")) + others, context)
    directories = ["one", "two"].map { Self.directory(from: $0) }
  }

  private static func directory(from source: String) -> StationDirectory {
    let path = "/tmp/fuzz-directory-\(getpid())"
    defer { unlink(path) }
    do {
      let (reader, builder) = (DirectoryListReader(), try DirectoryBuilder(path: path))
      let add = { (entry: DirectoryEntry) throws(DirectoryError) in try builder.append(entry) }
      try reader.append(Array(list.utf8).span, each: add)
      try reader.finish(each: add)
      _ = try builder.finish(date: 1_700_000_000, source: source)
      return try StationDirectory(path: path)
    } catch { fatalError("The directory cannot be made: \(error)") }
  }

  private static let list = """
    name,url,tags,country,countrycode,votes,lastcheckok
    Kitchen FM,http://a.example/,"jazz,pop",Germany,DE,9,1
    Café Müller,http://b.example/?x=1,"jazz,rock/pop",Germany,DE,8,1
    Paris,https://c.example:8000/live,news,France,FR,7,1
    Радио,http://d.example/r,,The Russian Federation,RU,6,0
    Nowhere,http://e.example/,pop,,,5,1

    """

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
    context.use(PlayerController(radio))
    context.player.onChange = { [context] in context.clients.notify($0) }
    number += 1
    let directory = directories[number % 2]
    context.browse { .open(directory) }
    // Names of stations come from earlier browsing.
    _ = context.directory.state
    var answers: [UInt8] = []
    let session = ControlSession(commands, isLocal: true)
    defer { session.close() }
    for piece in pieces {
      session.receive(text[piece])
      while session.hasWork {
        session.work(most)
        expect(session.weight < ClientState.maxOutgoing * 2, "a client takes so much memory at most")
        answers += session.client.outgoing
        session.client.removeSent(session.client.outgoing.count)
      }
      context.player.settle()
      expect(session.weight < ClientState.maxOutgoing * 2, "a client takes so much memory at most")
    }
    return answers + session.client.outgoing
  }

  private static let others = [
    "play", "playid", "pause", "next", "previous", "seek", "seekid", "seekcur", "radio_tune", "shuffle", "stats",
    "radio_status", "radio_suspend", "radio_resume",
  ]
}
