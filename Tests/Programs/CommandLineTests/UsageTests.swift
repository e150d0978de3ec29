import Foundation
import StationSupport
import TestSupport
import Testing

@testable import bakelite

@Suite struct UsageTests {
  static let wrongUses: [([String], String)] = [
    (["play", "--loud", "x"], "--loud"),
    (["play"], "url-or-file"),
    (["sing"], "There is no subcommand bakelite sing; bakelite --help lists the subcommands."),
    (["paly", "x"], "did you mean bakelite play?"), (["help", "prob"], "did you mean bakelite probe?"),
    (["play", "--listen", "foo:1", "x"], "--listen: foo:1 is not an address to listen on"),
    (["play", "--listen", "0.0.0.0:6600", "x"], "0.0.0.0:6600 is reachable by other machines; add --password-file"),
    (["station", "--address", "radio", "x"], "--address is \"radio\", and must be a numeric address"),
    (["play", "--format", "s8/44100/2", "x"], "s16le/44100/2"),
    (["play", "--format", "s16le/44100/3", "x"], "1 or 2 channels"),
    (["play", "--format", "s16le/-1/2", "x"], "a rate"),
    (["play", "--output", "speaker", "x"], "alsa[:DEVICE], snapcast[:PIPE], raw:PATH, wav:PATH or null"),
    (["play", "--output", "raw:", "x"], "raw:PATH"),
    (["play", "--pace", "fast", "x"], "clock or free"),
    (["play", "--gain", "13", "x"], "between -60 and 12 dB"),
    (["play", "--gain", "loud", "x"], "--gain"),
    (["play", "--dither", "yes", "x"], "on or off"),
    (["play", "--drift", "yes", "x"], "on or off"),
    (["play", "--mp3-decoder", "lame", "x"], "mpg123"),
    (["play", "--pause-timeout", "-1", "x"], "--pause-timeout is -1, and must lie between 0 and 1000000000 seconds"),
    (["play", "--start", "-3", "x"], "--start is -3, and must lie between 0 and 1000000000 seconds"),
    (["play", "--duration", "-1", "x"], "--duration is -1, and must lie between 0.001 and 1000000000 seconds"),
    (["play", "--throttle-bypass", "-1", "x"], "--throttle-bypass is -1, and must lie between 0 and 3600 seconds"),
    (["play", "--live-safety", "-0.5", "x"], "--live-safety is -0.5, and must lie between 0 and 3600 seconds"),
    (["play", "--buffer-blocks", "-1", "x"], "--buffer-blocks is -1, and must lie between 16 and 400000"),
    (["play", "--data-timeout", "-1", "x"], "--data-timeout is -1, and must lie between 1 and 3600 seconds"),
    (["play", "--retry", "-1", "x"], "--retry is \"-1\", and must be forever, none or a number"),
    (["station", "--port", "-1", "x"], "'-1' is invalid for '--port"),
    (["station", "--port", "70000", "x"], "0 to 65535"),
    (["station", "--burst", "-1", "x"], "--burst is -1, and must lie between 0 and 16777216 bytes"),
    (["station", "--metaint", "-1", "x"], "--metaint is -1, and must lie between 0 and 16777216 bytes"),
    (["play", "--duration", "0", "x"], "seconds"),
    (["play", "--duration", "nan", "x"], "seconds"),
    (["play", "--buffer-wait", "-5", "x"], "--buffer-wait is -5, and must lie between 0.1 and 3600 seconds"),
    (["play", "--buffer-blocks", "4", "x"], "between 16 and 400000"),
    (["play", "--start-policy", "soon", "x"], "adaptive"),
    (["play", "--type", "xspf", "x"], "raw, pls or m3u"),
    (["play", "--retry", "often", "x"], "forever, none or a number"),
    (["play", "--meta-encoding", "klingon", "x"], "iconv -l"),
    (["play", "--meta-encoding", "iso-2022-cn-ext", "x"], "iconv -l"),
    (["play", "--data-timeout", "0", "x"], "between 1 and 3600"),
    (["play", "--start", "nan", "x"], "--start"),
    (["play", "--xml-meta", "ftp://a/", "x"], "--xml-meta"),
    (["play", "--live365-meta", "http://a b/", "x"], "--live365-meta"),
    (["play", "--station-time-zone", "Europe/Berlin", "x"], "CEST"),
    (["play", "--xml-delay", "3601", "x"], "between -3600 and 3600"),
    (["play", "--header", "NoColon", "x"], "Name: value"),
    (["play", "--live", "--file", "x"], "exclude each other"),
    (["play", "--alternative", "ftp://anna:geheim@b/", "http://a/"], "--alternative number 1: "),
    (["play", "--alternative", "b.example", "--alternative", "http://b.example/", "x"], "number 2 appears twice"),
    (["play", "--alternative", "http://b/", "--alternative", "a", "http://a/"], "number 2 is the address itself"),
    (["play", "--alternative", "http://b/", "http://a/", "http://c/"], "--alternative belongs to one station"),
    (["play", "--user", "justaname", "--output", "null", "x"], "colon"),
    (["play", "--user", "@/no/such/file", "--output", "null", "x"], "/no/such/file"),
    (["play", "--events", "-", "--output", "raw:-", "x"], "standard output"),
    (["play", "--json", "x"], "Unknown option '--json'; use --events - for events as lines of JSON."),
    (["play", "--socket", "/s", "x"], "Unknown option '--socket'; use --control SOCKET"),
    (["play", "--device=hw:0", "x"], "Unknown option '--device'; use --output alsa:DEVICE"),
    (["probe", "--events", "-", "x"], "Unknown option '--events'; use --json"),
    (["stations", "list", "--config", "x"], "Unknown option '--config'; use --stations FILE"),
    (["doctor", "--station", "x"], "Did you mean '--stations'?"),
    (["web", "--port", "8080"], "Unknown option '--port'; use --listen ADDRESS:PORT"),
    (["station", "--listen", "127.0.0.1:1", "x"], "Unknown option '--listen'; use --address and --port"),
    (["probe"], "url-or-file"), (["ctl", "status", "--socket"], "--socket has no path"),
    (["doctor", "--bord", "simulated"], "--board"),
  ]

  @Test(
    "A word without scheme and file is a path if no such host exists",
    arguments: [
      ("nofile.mp3", true), ("nofile.aif", true), ("nofile.aiff", true), ("nofile.aifc", true), ("./nofile", true),
      ("/no/such", true), ("No File.AAC", true), ("nofile", true),
      ("list.m3u8", true), ("/tmp", true), ("radio.example", false), ("radio.example/live.mp3", false),
      ("radio.example:8000/live.mp3", false), ("localhost", false), ("localhost/live.mp3", false),
      ("raspberrypi:8000", false), ("raspberrypi/live.mp3", false), ("http://a/b.mp3", false), ("[::1]", false),
      ("nas?token=x", false), ("stream.example?key=x&name=live.mp3", false), ("name:word@nas", false),
      ("name@radio.mp3", false), ("Tests/live?token=x", false),
    ])
  func paths(place: String, isPath: Bool) { #expect(StationOptionGroup.looksLikePath(place) == isPath) }

  @Test("An address is not a path, even if a folder has its name")
  func folderLikeAddress() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.response("404 Not Found") }
      defer { station.close() }
      let folder = TemporaryFolder()
      let (address, parts) = (station.url("/live"), station.url().split(separator: "/"))
      for name in ["http:", "http:/\(parts[1])"] { mkdir("\(folder.path)/\(name)", 0o700) }
      folder.write(Clip.mp3(1).bytes, to: "http:/\(parts[1])/live")
      let outcome = try Program.run("play", "--output", "null", address, directory: folder.path)
      #expect(outcome.code == 3 && !outcome.errors.contains("file:"), "\(outcome.errors)")
    }
  }

  @Test("A value below zero is accepted")
  func quieter() async throws {
    try await Stage.run {
      let run = try Program.run("play", "--gain", "-6", "--output", "null", "--pace", "free", "/no/such/file.mp3")
      #expect(run.code != 2 && run.errors.contains("/no/such/file.mp3"))
    }
  }

  @Test("Wrong use gives exit code 2 and the allowed values", arguments: wrongUses)
  func wrongUse(arguments: [String], words: String) async throws {
    try await Stage.run {
      let outcome = try Program(arguments).waitForEnd(within: 10)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.errors.hasPrefix("bakelite: ") && !outcome.errors.contains("Error: "), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
      expectClean(outcome.errors)
    }
  }

  @Test(
    "A value refused at run time gives one sentence, without another command's usage",
    arguments: [
      ["play", "--user", "justaname", "--output", "null", "x"],
      ["play", "--user", "@/no/such", "--output", "null", "x"],
      ["probe", "--user", "@/dev/null", "http://127.0.0.1:9/"],
      ["play", "--listen", "0.0.0.0:0", "--password-file", "/no/such", "--output", "null", "x"],
    ])
  func oneSentence(arguments: [String]) async throws {
    try await Stage.run {
      let outcome = try Program(arguments).waitForEnd(within: 10)
      #expect(outcome.code == 2 && outcome.errors.hasPrefix("bakelite: --"), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
  }

  @Test(
    "Help and version go to standard output",
    arguments: [
      (["--help"], "SUBCOMMANDS"), (["play", "--help"], "--output"), (["help", "probe"], "url-or-file"),
      (["doctor", "--help"], "4 missing hardware"), (["ctl", "--help"], "keep [current|previous]"),
      (["ctl", "--help"], "record start PATH"),
      (["station", "--help"], "--burst"), (["--version"], "bakelite "),
    ])
  func help(arguments: [String], words: String) async throws {
    try await Stage.run {
      let outcome = try Program(arguments).waitForEnd(within: 10)
      #expect(outcome.code == 0)
      #expect(outcome.outputText.contains(words))
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test("A missing sound device gives exit code 4 and the existing ones")
  func noDevice() async throws {
    try await Stage.run {
      let outcome = try Program.run("play", "--output", "alsa:nosuch", "http://127.0.0.1:9/")
      #expect(outcome.code == 4)
      #expect(outcome.errors.contains("There is no sound device \"nosuch\""))
      #expect(outcome.errors.contains("--output"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("PCM is not written to a terminal", arguments: ["raw:-", "wav:-", "raw:/dev/stdout"])
  func terminalSink(output: String) async throws {
    try await Stage.run {
      let terminal = try Terminal()
      let outcome = try Program(
        ["play", "--output", output, "--pace", "free", Repository.root + "/config/demo/bakelite-demo.mp3"],
        terminal: terminal.program
      ).waitForEnd(within: 10)
      let place = output == "raw:/dev/stdout" ? "/dev/stdout" : "standard output"
      let sentence = "Audio is not written to \(place), a terminal; redirect it to a file or another"
      #expect((outcome.code, outcome.errors) == (2, "bakelite: \(sentence) program.\n"))
    }
  }

  @Test("A failed write of the output is reported")
  func fullOutput() async throws {
    try await Stage.run {
      let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full"]
      for command in [["stations", "list"], ["stations", "export"]] {
        let words = command + ["--stations", Repository.root + "/config/stations.toml"]
        let outcome = try Program(words, by: shell).waitForEnd(within: 10)
        #expect(outcome.code == 1)
        #expect(outcome.errors == "bakelite: Could not write to standard output: No space left on device.\n")
      }
    }
  }

  @Test("A reader that has ended, such as head, ends the program silently by SIGPIPE")
  func endedReader() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let copy = try FindRig([])
      try copy.make(date: Int64(Date().timeIntervalSince1970))
      for words in [
        ["stations", "list", "--stations", Repository.root + "/config/stations.toml"],
        ["stations", "export", "--stations", Repository.root + "/config/stations.toml"],
        ["ctl", "--socket", box.socket, "status"], ["ctl", "--socket", box.socket, "events"],
        ["find", "--config", copy.folder.path + "/bakelite.toml"],
      ] {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let program = try Program(words, terminal: pipe.fileHandleForWriting)
        // The box has events, because it retries its station.
        let outcome = try program.waitForEnd(within: 10)
        #expect(outcome.code == SIGPIPE && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An unwritable path is reported", arguments: ["raw:/no/such/pcm", "wav:/", "raw:/dev/full"])
  func noPlace(output: String) async throws {
    try await Stage.run {
      let outcome = try Program.run(
        "play", "--output", output, "--pace", "free", Repository.root + "/config/demo/bakelite-demo.mp3")
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("Could not write to \(output.dropFirst(4))"))
      expectClean(outcome.errors)
    }
  }
}

/// Expects a text without control characters, secrets and internal names.
func expectClean(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let isClean = text.unicodeScalars.allSatisfy { scalar in
    scalar == "\n" || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x202E)
  }
  #expect(isClean, "control characters in: \(text.debugDescription)", sourceLocation: sourceLocation)
  // The name of an option may contain the word.
  let text = text.replacing("--with-secrets", with: "")
  for word in ["Fatal error", "secret", "Swift/", ".swift:", "Optional("] {
    #expect(!text.contains(word), "\(word) in: \(text)", sourceLocation: sourceLocation)
  }
}
