import Foundation
import Rooms
import Settings
import TestSupport
import Testing

@testable import bakelite

@Suite struct DoctorSnapcastTests {
  private typealias Verdict = DoctorFinding.Verdict

  private static let pipe = "/run/bakelite-snapcast/feed"

  private static func well(_ output: Configuration.Audio.Output = .snapcast, text: String? = nil) -> DoctorSnapcast {
    var box = DoctorSnapcast(output: output, settings: Configuration().snapcast)
    let usual = "[stream]\nsource = pipe://\(pipe)?name=Bakelite&mode=read&controlscript=bakelite-control\n"
    box.file = .read(SnapserverSettings(Array((text ?? usual).utf8)))
    box.pipe = .pipe(PipeRights(mode: 0o660, owner: 107, group: 29))
    box.reader = ProcessRights(user: 107, groups: [114, 29])
    box.radioGroup = 29
    (box.hasServer, box.hasClient, box.hasScript, box.isReachable) = (true, true, true, true)
    (box.serverProcess, box.clientProcess) = (700, 701)
    return box
  }

  private func finding(_ subject: String, of box: DoctorSnapcast) -> DoctorFinding? {
    box.findings.first { $0.subject == subject }
  }

  private func expect(
    _ subject: String, of box: DoctorSnapcast, _ verdict: DoctorFinding.Verdict, _ said: String, _ mend: String,
    at place: SourceLocation = #_sourceLocation
  ) {
    let found = finding(subject, of: box)
    #expect(found?.verdict == verdict, "\(String(describing: found))", sourceLocation: place)
    if !said.isEmpty {
      #expect(found?.words.contains(said) == true, "\(String(describing: found))", sourceLocation: place)
    }
    if !mend.isEmpty {
      #expect(found?.mend?.contains(mend) == true, "\(String(describing: found))", sourceLocation: place)
    }
  }

  @Test("A correct set-up is well, and a box with its own card is not checked")
  func well() {
    #expect(Self.well().findings.map(\.subject) == ["pipe", "snapserver", "rooms", "this room"])
    #expect(Self.well().findings.allSatisfy { $0.verdict == .ok && $0.mend == nil })
    #expect(Self.well(.room).findings.map(\.subject) == ["rooms", "this room"])
    #expect(Self.well(.room).findings.allSatisfy { $0.verdict == .ok })
    #expect(Self.well(.alsa).findings == [])
  }

  @Test("The pipe must exist, be a pipe, and be accessible to both programs")
  func pipe() {
    var box = Self.well()
    box.pipe = .absent
    expect("pipe", of: box, .problem, "no pipe \(Self.pipe)", "systemd-tmpfiles --create bakelite-snapcast.conf")
    box.pipe = .other
    expect("pipe", of: box, .problem, "is not a pipe", "sudo rm \(Self.pipe) && ")
    let rights: [(mode: mode_t, owner: uid_t, group: gid_t, said: String)] = [
      (0o660, 107, 29, ""), (0o666, 0, 0, ""), (0o660, 0, 29, ""), (0o640, 107, 29, "may not read and write"),
      (0o620, 107, 29, "may not read and write"), (0o660, 107, 0, "may not read and write"),
      (0o060, 107, 29, "snapserver's user may not read"), (0o662, 0, 0, "may not read and write"),
    ]
    for (mode, owner, group, said) in rights {
      box.pipe = .pipe(PipeRights(mode: mode, owner: owner, group: group))
      expect("pipe", of: box, said.isEmpty ? .ok : .problem, said, "")
    }
    box = Self.well()
    box.reader = nil
    expect("pipe", of: box, .ok, "no program reads it yet", "")
    box.radioGroup = nil
    expect("pipe", of: box, .problem, "in the group audio", "systemd-tmpfiles")
  }

  @Test("A pipe elsewhere is created by hand, whatever its name")
  func otherPipe() {
    var settings = Configuration().snapcast
    settings.pipe = "/srv/a b'; reboot"
    var box = DoctorSnapcast(output: .snapcast, settings: settings)
    box.pipe = .absent
    #expect(finding("pipe", of: box)?.mend?.hasPrefix(#"sudo mkfifo '/srv/a b'\''; reboot'; "#) == true)
  }

  static let files: [(text: String, said: String, mend: String)] = [
    ("[stream]\nsource = pipe:///tmp/snapfifo?name=default\n", "no source that reads", "sudo cp --backup=numbered"),
    ("", "no source that reads", "sudo cp --backup=numbered"),
    ("source = pipe://\(pipe)?name=a&controlscript=x\n", "no source that reads", "sudo cp --backup=numbered"),
    ("[stream]\nsource = file://\(pipe)?name=a&controlscript=x\n", "no source that reads", "sudo cp --backup=numbered"),
    (
      "[stream]\nsource = pipe://\(pipe)?name=a&sampleformat=44100:16:2&controlscript=x\n",
      "sampleformat 44100:16:2; the radio writes 48000:16:2", "sudo nano /etc/snapserver.conf"
    ),
    (
      "[stream]\nsampleformat = 48000:24:2\nsource = pipe://\(pipe)?name=a&controlscript=x\n",
      "sampleformat 48000:24:2",
      "sudo nano"
    ),
    (
      "[stream]\nsource = pipe://\(pipe)?name=a&controlscript=x\nbuffer = 1500\n",
      "is 1500, but [snapcast] buffer_ms is 1000", "buffer_ms = 1500"
    ),
    ("[stream]\nsource = pipe://\(pipe)?name=a&controlscript=x\nbuffer = long\n", "is not a number", "sudo nano"),
    ("[stream]\nsource = pipe://\(pipe)?name=a\n", "no control script", "controlscript=bakelite-control"),
  ]

  @Test("The server's file must read the pipe in the radio's format", arguments: files)
  func configuration(_ text: String, _ said: String, _ mend: String) {
    expect("snapserver", of: Self.well(text: text), .problem, said, mend)
  }

  @Test("Unknown server settings are not guessed")
  func unknown() {
    var box = Self.well()
    box.overrides = ["--stream.buffer=400"]
    expect("snapserver", of: box, .skipped, "--stream.buffer=400, which override", "")
    box = Self.well()
    box.file = .unreadable(why: "it is no file")
    expect("snapserver", of: box, .skipped, "it is no file", "")
    box.file = .absent
    expect("snapserver", of: box, .problem, "does not exist", "sudo cp --backup=numbered")
    box.hasServer = false
    expect("snapserver", of: box, .problem, "not installed", "sudo apt install snapserver snapclient")
    box = Self.well()
    box.hasScript = false
    expect(
      "snapserver", of: box, .problem, "does not start", "contains /usr/share/snapserver/plug-ins/bakelite-control")
    box = Self.well(text: "[stream]\nsource = pipe://\(Self.pipe)?name=a&controlscript=other\n")
    box.hasScript = false
    expect("snapserver", of: box, .problem, "does not start", "controlscript=bakelite-control")
    box = Self.well(
      text: """
        [stream]
        source = tcp://127.0.0.1?name=Other
        source = pipe://\(Self.pipe)?name=Bakelite&controlscript=x
        """)
    #expect(finding("snapserver", of: box)?.details == ["New rooms play \"Other\", which is the first source."])
  }

  @Test("The server must run and respond, and its script must be allowed")
  func running() {
    var box = Self.well()
    box.isReachable = false
    expect("rooms", of: box, .problem, "does not answer at 127.0.0.1, port 1705", "server = \"127.0.0.1:1705\"")
    box.filePort = 1_805
    expect("rooms", of: box, .problem, "does not answer", "server = \"127.0.0.1:1805\"")
    box.filePort = nil
    expect("rooms", of: box, .problem, "[tcp] in /etc/snapserver.conf is off", "enabled = true")
    box.reader = ProcessRights(user: 107, groups: [114])
    expect("rooms", of: box, .problem, "not in the group audio", "snapserver.service.d /etc/systemd/system")
    box.serverProcess = nil
    expect("rooms", of: box, .problem, "does not run", "systemctl enable --now snapserver")
    var room = Self.well(.room)
    room.isReachable = false
    expect("rooms", of: room, .problem, "does not answer at 127.0.0.1, port 1705", "server = \"HOST:1705\"")
    var settings = Configuration().snapcast
    settings.server = nil
    let nowhere = DoctorSnapcast(output: .room, settings: settings)
    expect("rooms", of: nowhere, .ok, "server is empty", "")
  }

  @Test("A box that is a room needs a running client")
  func client() {
    for output in [Configuration.Audio.Output.snapcast, .room] {
      var box = Self.well(output)
      box.clientProcess = nil
      expect("this room", of: box, .problem, "snapclient does not run", "snapclient.service.d /etc/systemd/system")
      box.hasClient = false
      expect("this room", of: box, output == .room ? .problem : .ok, "not installed", "sudo apt install snapclient")
      #expect(box.isRoom == (output == .room))
    }
  }

  @Test("A command line decides which file the server reads, and its overrides")
  func commandLine() {
    var box = Self.well()
    box.read(words: ["snapserver", "--logging.sink=system", "--server.datadir=/var/lib/snapserver"])
    #expect(box.filePath == "/etc/snapserver.conf" && box.overrides == [])
    box.read(words: ["snapserver", "-c", "/a", "--stream.buffer=400", "--tcp.port=1"])
    #expect(box.filePath == "/a" && box.overrides == ["--stream.buffer=400", "--tcp.port=1"])
    box.read(words: ["snapserver", "--config=/b", "--config"])
    #expect(box.filePath == "/b")
  }

  @Test("The owner of a process is in its status")
  func rights() {
    let status = "Name:\tx\nUid:\t1\t107\t1\t1\nGid:\t2\t114\t2\t2\nGroups:\t29 30 \n"
    #expect(ProcessRights(status: status) == ProcessRights(user: 107, groups: [114, 29, 30]))
    #expect(ProcessRights(status: "") == nil && ProcessRights(status: "Uid:\t1\nGid:\t1\n") == nil)
    #expect(ProcessRights(user: "nobody whom anybody knows") == nil)
  }

  @Test("doctor lists the room, and leaves the card to the client")
  func program() throws {
    let folder = TemporaryFolder()
    folder.write(
      Array("[audio]\noutput = \"snapcast\"\n[snapcast]\npipe = \"\(folder.path)/feed\"\n".utf8), to: "b.toml")
    let report = try Program.run(
      "doctor", "--json", "--config", folder.path + "/b.toml", "--boards", Repository.root + "/boards")
    let lines = report.outputText.split(separator: "\n")
    #expect(lines.contains { $0.contains(#""check":"pipe","verdict":"problem""#) && $0.contains("sudo mkfifo") })
    #expect(
      lines.contains { $0.contains(#""check":"snapserver""#) } && lines.contains { $0.contains(#""check":"rooms""#) })
    #expect(!lines.contains { $0.contains(#""check":"mixer""#) })
  }
}
