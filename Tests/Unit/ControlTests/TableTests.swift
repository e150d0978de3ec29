import Foundation
import TestSupport
import Testing

@testable import Control

/// The table of commands: argument counts, permissions and error messages. Expected results were recorded from MPD
/// 0.23.12.
@Suite struct TableTests {
  @Test(
    "Errors have MPD's words",
    arguments: [
      ("foo", "[5@0] {} unknown command \"foo\""),
      ("command_list_end", "[5@0] {} unknown command \"command_list_end\""),
      ("delete", "[2@0] {delete} wrong number of arguments for \"delete\""),
      ("add", "[2@0] {add} too few arguments for \"add\""),
      ("add a b c d", "[2@0] {add} too many arguments for \"add\""),
      ("stop x", "[2@0] {stop} wrong number of arguments for \"stop\""),
      ("update a b", "[2@0] {update} too many arguments for \"update\""),
      ("prio 5", "[2@0] {prio} too few arguments for \"prio\""),
      ("sticker get", "[2@0] {sticker} too few arguments for \"sticker\""),
      ("play x", "[2@0] {play} Integer expected: x"), ("play 1:2", "[2@0] {play} Integer expected: 1:2"),
      ("play 9", "[2@0] {play} Bad song index"), ("play -2", "[2@0] {play} Bad song index"),
      ("play 99999999999999999999", "[2@0] {play} Number too large: 99999999999999999999"),
      ("play \"a\\\"b\"", "[2@0] {play} Integer expected: a\"b"), ("playid 9", "[50@0] {playid} No such song"),
      ("pause 2", "[2@0] {pause} Boolean (0/1) expected: 2"), ("next", "[55@0] {next} Not playing"),
      ("seekcur x", "[2@0] {seekcur} Float expected: x"), ("seekcur 5", "[55@0] {seekcur} Not playing"),
      ("seekid 0 -1", "[2@0] {seekid} Negative value not allowed: -1"), ("seek 9 0", "[2@0] {seek} Bad song index"),
      ("single 2", "[2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot"),
      ("crossfade -1", "[2@0] {crossfade} Number too large: -1"),
      ("setvol 101", "[2@0] {setvol} Volume is 0 to 100"), ("setvol -1", "[2@0] {setvol} Volume is 0 to 100"),
      ("volume 101", "[2@0] {volume} A change of the volume is -100 to 100"),
      ("replay_gain_mode x", "[2@0] {replay_gain_mode} Unrecognized replay gain mode"),
      ("volume x", "[2@0] {volume} Integer expected: x"), ("setvol 1", "[52@0] {setvol} problems setting volume"),
      ("delete 9", "[2@0] {delete} Bad song index"), ("delete x", "[2@0] {delete} Integer or range expected: x"),
      ("playlistinfo 2:1", "[2@0] {playlistinfo} Malformed range: 2:1"),
      ("playlistinfo 9", "[2@0] {playlistinfo} Bad song index"), ("move 2:9 0", "[2@0] {move} Bad song index"),
      ("move 0 9", "[2@0] {move} Number too large: 9"), ("move 0 +0", "[55@0] {move} No current song"),
      ("swap 0 9", "[2@0] {swap} Bad song index"), ("swapid 1 99", "[50@0] {swapid} No such song"),
      ("prio 256 0", "[2@0] {prio} Number too large: 256"), ("playlistid 99", "[50@0] {playlistid} No such song"),
      ("add foo", "[50@0] {add} No database"), ("add bogus://x", "[2@0] {add} Unsupported URI scheme"),
      ("addid http://radio.example/ 9", "[2@0] {addid} Number too large: 9"),
      ("addtagid 1 Bogus x", "[2@0] {addtagid} Unknown tag type: Bogus"),
      ("playlistfind Bogus x", "[2@0] {playlistfind} Unknown filter type"),
      ("playlistfind \"(file == \"", "[2@0] {playlistfind} Quoted string expected"),
      ("enableoutput 9", "[50@0] {enableoutput} No such audio output"),
      ("outputset 0 a b", "[2@0] {outputset} Unsupported attribute"),
      ("binarylimit 1", "[2@0] {binarylimit} Value too small"),
      ("subscribe \"a b\"", "[2@0] {subscribe} invalid channel name"),
      ("unsubscribe b", "[50@0] {unsubscribe} not subscribed to this channel"),
      ("sendmessage zzz x", "[50@0] {sendmessage} nobody is subscribed to this channel"),
      ("idle bogus", "[2@0] {idle} Unrecognized idle event: bogus"),
      ("password x", "[3@0] {password} incorrect password"),
      ("kill", "[4@0] {kill} you don't have permission for \"kill\""), ("lsinfo", "[50@0] {lsinfo} No database"),
      ("find a", "[2@0] {find} Incorrect number of filter arguments"),
      ("list bogus", "[2@0] {list} Unknown tag type: bogus"),
      ("albumart http://a/ 0", "[50@0] {albumart} No file exists"), ("albumart x 0", "[50@0] {albumart} No database"),
      ("albumart x -1", "[2@0] {albumart} Number too large: -1"), ("load x", "[50@0] {load} No such playlist"),
      ("save x", "[5@0] {save} Stored playlists are the presets; radio_preset changes them"),
      ("sticker get song a b", "[5@0] {sticker} sticker database is disabled"),
      ("listneighbors", "[5@0] {listneighbors} No neighbor plugin configured"),
      ("partition foo", "[50@0] {partition} partition does not exist"),
      ("delpartition default", "[5@0] {delpartition} cannot delete the default partition"),
      ("moveoutput nope", "[50@0] {moveoutput} No such output"),
      ("tagtypes bogus", "[2@0] {tagtypes} Unknown sub command"),
      ("tagtypes enable", "[2@0] {tagtypes} Not enough arguments"),
      ("radio_rewind ten", "[2@0] {radio_rewind} Float expected: ten"),
      ("radio_nowplaying now", "[2@0] {radio_nowplaying} begin or end expected: now"),
      ("radio_nowplaying begin", "[55@0] {radio_nowplaying} Not playing"),
      ("radio_live", "[55@0] {radio_live} Not playing"),
      ("radio_keep next", "[2@0] {radio_keep} There is no song next; there are current and previous"),
      ("radio_keep", "[55@0] {radio_keep} Nothing is playing, so there is nothing to record."),
      ("radio_record stop", "[55@0] {radio_record} Nothing is being recorded"),
      ("radio_record begin", "[2@0] {radio_record} There is no begin; there are start PATH and stop"),
      ("radio_record start", "[2@0] {radio_record} too few arguments for \"radio_record\""),
      ("radio_record start a.mp3 twice", "[2@0] {radio_record} There is no twice; there are append, reset and split"),
      (
        "radio_record start ../a.mp3",
        """
        [52@0] {radio_record} ../a.mp3 is no name within the recordings folder; give one without "..", such as \
        "evening.mp3".
        """
      ),
      ("radio_gain 13", "[2@0] {radio_gain} The gain lies between -60 and 12 dB: 13"),
    ] as [(String, String)])
  func refusals(_ line: String, _ expected: String) throws {
    let bench = try Bench()
    bench.add("a", "b", "c")
    #expect(bench.client().ask(line) == "ACK \(expected)\n")
  }

  /// Commands permitted by MPD 0.23.12, by permission, beyond those for all clients.
  private static let groups: [(Permission, String)] = [
    (
      .read,
      """
      albumart channels count currentsong decoders find getfingerprint getvol idle list listall listallinfo listfiles \
      listmounts listpartitions listplaylist listplaylistinfo listplaylists lsinfo outputs partition playlist \
      playlistfind playlistid playlistinfo playlistsearch plchanges plchangesposid readcomments readmessages \
      readpicture replay_gain_status search stats status subscribe unsubscribe urlhandlers
      """
    ),
    (.add, "add addid addtagid cleartagid findadd load rangeid searchadd"),
    (
      .player,
      """
      clear clearerror consume crossfade delete deleteid mixrampdb mixrampdelay move moveid next pause play playid \
      previous prio prioid random repeat replay_gain_mode seek seekcur seekid setvol shuffle single stop swap \
      swapid volume
      """
    ),
    (.control, "rescan searchaddpl sendmessage update"),
    (.admin, "config disableoutput enableoutput mount moveoutput outputset toggleoutput unmount"),
  ]

  @Test("Permissions are MPD's", arguments: groups)
  func permissions(_ permission: Permission, _ names: String) throws {
    var access = ControlAccess()
    access.local = permission
    let client = try Bench(access).client()
    let everybody = "binarylimit close commands notcommands password ping tagtypes"
    let own = try Bench().commands.rows.values.filter { $0.name.hasPrefix("radio_") }
    var expected = Set((names + " " + everybody).split(separator: " ").map(String.init))
    expected.formUnion(own.filter { permission.isSuperset(of: $0.permission) }.map(\.name))
    if permission == .control {
      expected.formUnion(Self.groups[2].1.split(separator: " ").map(String.init))
      expected.formUnion(own.filter { $0.permission == .player }.map(\.name))
    }
    #expect(Set(client.values("command", of: "commands")) == expected)
    let others = Set(client.values("command", of: "notcommands"))
    #expect(others.isDisjoint(with: expected) && others.contains("kill"))
  }

  @Test(
    "The radio's own commands need the right to read, play or write to the disk (D13)",
    arguments: [
      (.read, "radio_status radio_events radio_episodes radio_recordings radio_recording_open"),
      (
        .player,
        "radio_episode radio_forward radio_gain radio_live radio_nowplaying radio_oldest radio_resume radio_rewind "
          + "radio_select radio_source radio_suspend radio_tune radio_recording_play"
      ),
      (.control, "radio_keep radio_record radio_recording_delete radio_recording_rename"),
    ] as [(Permission, String)])
  func ownPermissions(_ permission: Permission, _ names: String) throws {
    for name in names.split(separator: " ") {
      for other in [Permission.read, .player, .control] {
        var access = ControlAccess()
        access.local = other
        let isPermitted = try Bench(access).client().values("command", of: "commands").contains(String(name))
        #expect(isPermitted == (other == permission || (permission == .player && other == .control)), "\(name)")
      }
    }
  }

  @Test func aPasswordPermitsAndAWrongOneLeavesAsItWas() throws {
    var access = ControlAccess()
    access.passwords = [("look", .read), ("drive", .all)]
    let bench = try Bench(access)
    let remote = bench.client(isLocal: false)
    #expect(remote.ask("status") == "ACK [4@0] {status} you don't have permission for \"status\"\n")
    #expect(remote.ask("password look") == "OK\n")
    #expect(remote.ask("status").hasSuffix("OK\n"))
    #expect(remote.ask("clear") == "ACK [4@0] {clear} you don't have permission for \"clear\"\n")
    #expect(remote.ask("password driv") == "ACK [3@0] {password} incorrect password\n")
    #expect(remote.ask("password \"\"") == "ACK [3@0] {password} incorrect password\n")
    #expect(remote.ask("status").hasSuffix("OK\n"))
    #expect(remote.ask("password drive") == "OK\n" && remote.ask("clear") == "OK\n")
    #expect(remote.ask("config").hasPrefix("ACK [4@0]"))
    #expect(bench.client().ask("clear") == "OK\n")
  }

  @Test func whoGuessesPasswordsIsLetGo() throws {
    let client = try Bench(ControlAccess(password: "x")).client(isLocal: false)
    for _ in 0..<4 { _ = client.ask("password y") }
    #expect(!client.session.client.isLeaving)
    #expect(client.ask("password y") == "ACK [3@0] {password} incorrect password\n" && client.session.client.isLeaving)
  }

  @Test func theOwnerAddsCommands() throws {
    let bench = try Bench()
    #expect(bench.client().ask("radio_lamp") == "ACK [5@0] {} unknown command \"radio_lamp\"\n")
    let lamp = ControlCommand("radio_lamp", "[on|off]", 0...1, .control, "lights a lamp") { call in
      call.answer.add("path", call[0] ?? "on")
    }
    let commands = CommandTable(RadioCommands.rows(.init(version: "1")) + [lamp], bench.context)
    let client = Client(ControlSession(commands, isLocal: true), bench)
    #expect(client.ask("radio_lamp off") == "path: off\nOK\n")
    #expect(client.values("command", of: "commands").contains("radio_lamp"))
    bench.context.addStatus { $0.add("lamp", "on") }
    #expect(client.value("lamp", of: "radio_status") == "on")
  }

  @Test("The decoders cover every format that the radio plays")
  func decoders() throws {
    let client = try Bench().client()
    #expect(client.values("plugin", of: "decoders") == ["mad", "faad", "vorbis", "opus", "flac", "wav", "aiff"])
    #expect(
      client.values("suffix", of: "decoders")
        == ["mp3", "mp2", "aac", "ogg", "oga", "opus", "flac", "wav", "aif", "aiff", "aifc"])
    let types = client.values("mime_type", of: "decoders")
    #expect(types.contains("audio/mpeg") && types.contains("audio/ogg") && types.contains("audio/flac"))
  }

  @Test func withoutASoundCardNothingIsChanged() throws {
    let bench = try Bench()
    let client = bench.client()
    bench.context.use(bench.player, absence: "The sound card is missing.")
    #expect(client.ask("play") == "ACK [52@0] {play} The sound card is missing.\n")
    #expect(client.ask("add http://a/").hasPrefix("ACK [52@0]") && client.ask("status").hasSuffix("OK\n"))
    bench.context.use(bench.player)
    #expect(client.ask("add http://a/") == "OK\n")
  }

  @Test("config/CONTROL.md contains the table; BAKELITE_WRITE=1 writes it")
  func document() throws {
    let file = URL(fileURLWithPath: Repository.root + "/config/CONTROL.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.firstRange(of: "| command | needs | does |"))
    let rest = text[start.lowerBound...]
    let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.index(before: rest.endIndex)
    let table = try Bench().commands.document
    if ProcessInfo.processInfo.environment["BAKELITE_WRITE"] == "1" {
      try text.replacingCharacters(in: start.lowerBound...end, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(rest[...end] == table)
    }
  }
}
