import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@testable import bakelite

@Suite struct PlayTests {
  @Test("Standard output carries only the PCM")
  func pcm() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let folder = TemporaryFolder()
      folder.write(clip.bytes, to: "song.mp3")
      let outcome = try Program.run(
        "play", "--output", "raw:-", "--format", "s16le/44100/2", "--pace", "free", "song.mp3", directory: folder.path)
      #expect(outcome.code == 0)
      #expect(difference(outcome.output, clip.pcm()) == nil)
      #expect(outcome.errors.contains("Played 0:0") && outcome.errors.contains("File: song.mp3 (MP3, "))
      expectClean(outcome.errors)
    }
  }

  @Test("Standard output carries only the events")
  func events() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let outcome = try Program.run("play", "--output", "null", "--pace", "free", "--events", "-", station.url())
      #expect(outcome.code == 0)
      let names = ["connecting", "buffering", "stationInfo", "playing", "fileComplete", "stopped", "summary"]
      #expect(outcome.events == names)
      #expect(outcome.errors.contains("Connecting to") && outcome.errors.contains("Playing after"))
    }
  }

  @Test("Addresses play in order, and the first failure is the exit code")
  func places() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let station = try ScriptedStation(paths: ["/a": [.file(clip.bytes.count), .send(clip.bytes)]])
      defer { station.close() }
      let outcome = try Program.run(
        "play", "--output", "raw:-", "--pace", "free", station.url("/a"), station.url("/b"), station.url("/a"))
      #expect(outcome.code == 3)
      #expect(difference(outcome.output, clip.pcm() + clip.pcm()) == nil)
    }
  }

  @Test("A failure before the first audio reports only the failure")
  func nothingHeard() async throws {
    try await Stage.run {
      let station = try ScriptedStation(paths: [:])
      defer { station.close() }
      let outcome = try Program.run("play", "--output", "null", station.url("/gone"))
      #expect(outcome.code == 3 && !outcome.errors.contains("Played "), "\(outcome.errors)")
    }
  }

  @Test("A WAV file has a header with its length")
  func wav() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let folder = TemporaryFolder()
      let path = folder.write(clip.bytes, to: "song.mp3")
      let outcome = try Program.run("play", "--output", "wav:\(folder.path)/x.wav", "--pace", "free", path)
      #expect(outcome.code == 0)
      let wav = folder.bytes(of: "x.wav")
      #expect(wav.prefix(4).elementsEqual("RIFF".utf8) && wav.dropFirst(8).prefix(4).elementsEqual("WAVE".utf8))
      let length = wav.dropFirst(40).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(length == wav.count - 44)
      #expect(difference(Array(wav.dropFirst(44)), clip.pcm()) == nil)
    }
  }

  @Test(
    "The input file is not overwritten",
    arguments: ["--output wav:song.wav", "--output raw:./song.wav", "--record song.wav", "--events song.wav"],
    [true, false])
  func overwriting(options: String, isAddress: Bool) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let sound = WavWriter().file(Music(frames: 4_410, rate: 44_100, seed: 3)).bytes
      folder.write(sound, to: "song.wav")
      let words = options.split(separator: " ").map(String.init)
      let outcome = try Program.run(
        "play", words[0], words[1], "--pace", "free", isAddress ? "file://\(folder.path)/song.wav" : "song.wav",
        directory: folder.path)
      #expect(outcome.code == 2 && outcome.errors.contains("song.wav, which is an input"))
      #expect(folder.bytes(of: "song.wav") == sound)
    }
  }

  @Test(
    "An output file stays unchanged without audio, and is truncated with audio",
    arguments: [("nosuch.mp3", "0"), ("empty.mp3", "0"), ("song.mp3", "100"), ("song.mp3", "0")])
  func keepsOutput(place: String, start: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let (clip, old) = (Clip.mp3(1), [UInt8](repeating: 7, count: 1_000_000))
      folder.write(old, to: "old.raw")
      folder.write(clip.bytes, to: "song.mp3")
      folder.write([], to: "empty.mp3")
      let outcome = try Program.run(
        "play", "--output", "raw:old.raw", "--pace", "free", "--start", start, place, directory: folder.path)
      let isHeard = place == "song.mp3" && start == "0"
      #expect((outcome.code == 0) == isHeard && folder.bytes(of: "old.raw") == (isHeard ? clip.pcm() : old))
    }
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var name: String
    var acts: [StationAction]
    var code: Int32
    var event: String
    var words: String
    var testDescription: String { name }
  }

  static let failures = [
    Failure(
      name: "404", acts: StationAction.response("404 Not Found"), code: 3, event: "missingContent",
      words: "nothing at"),
    Failure(
      name: "403", acts: StationAction.response("403 No"), code: 3, event: "httpError",
      words: "does not allow you to listen"),
    Failure(name: "401", acts: StationAction.response("401 No"), code: 3, event: "httpError", words: "--user"),
    Failure(
      name: "HTML", acts: StationAction.response("200 OK", "<html><body></body></html>", type: "text/html"), code: 1,
      event: "badContent", words: "a web page, not a station"),
    Failure(
      name: "HLS in xHE-AAC",
      acts: StationAction.response(
        "200 OK", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=48000,CODECS=\"mp4a.40.42\"\na.m3u8\n", type: "audio/mpegurl"),
      code: 1, event: "badContent", words: "sound in xHE-AAC, which Bakelite cannot play yet"),
    Failure(
      name: "empty playlist", acts: StationAction.response("200 OK", "[playlist]\n", type: "audio/x-scpls"), code: 1,
      event: "urlNotFound", words: "has no playable station"),
    Failure(
      name: "redirect elsewhere", acts: StationAction.redirect("rtsp://127.0.0.1/x"), code: 1, event: "badContent",
      words: "rtsp"),
  ]

  @Test("An unplayable station gives a sentence, an event and a code", arguments: failures)
  func fails(failure: Failure) async throws {
    try await Stage.run {
      let station = try ScriptedStation(failure.acts)
      defer { station.close() }
      let address = station.url("/x").replacingOccurrences(of: "//", with: "//anna:secret@")
      let outcome = try Program.run("play", "--output", "null", "--events", "-", address)
      #expect(outcome.code == failure.code)
      #expect(outcome.events.contains(failure.event))
      #expect(outcome.events.suffix(2) == ["stopped", "summary"])
      #expect(outcome.errors.contains("bakelite: ") && outcome.errors.contains(failure.words), "\(outcome.errors)")
      expectClean(outcome.errors)
      expectClean(outcome.outputText)
    }
  }

  @Test(
    "An address that leads nowhere is reported at once",
    arguments: [
      ("/no/such/song.mp3", "There is no file /no/such/song.mp3"), ("/usr", "has no audio files"),
      ("http://", "is not an address"), ("http://exa mple/", "is not an address"), ("ftp://127.0.0.1/x", "ftp"),
      ("http://anna:secret@:80/", "is not an address"), ("\u{1B}[31m\u{7}.mp3", "/[31m.mp3; check the path."),
      ("\u{1B}[31m\u{7}.example/x", "is not an address"), ("nofile.mp3", "/nofile.mp3; check the path."),
      ("\(Repository.root)/Tests/nofile", "There is no file"), ("./nofile", "There is no file /"),
    ])
  func nowhere(address: String, words: String) async throws {
    try await Stage.run {
      let outcome = try Program.run("play", "--output", "null", "--events", "-", address)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      expectClean(outcome.errors)
      expectClean(outcome.outputText)
    }
  }

  @Test("A password is sent and never shown", arguments: ["option", "file", "environment", "address"])
  func password(way: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? StationAction.response("200 OK", "/x\n", type: "audio/x-mpegurl") : [.live(), .send(clip.bytes)]
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let file = folder.write(Array("anna:secret\n".utf8), to: "user")
      var (address, options, environment) = (station.url("/l"), [String](), [String: String]())
      switch way {
      case "option": options = ["--user", "anna:secret"]
      case "file": options = ["--user", "@" + file]
      case "environment": environment = ["BAKELITE_USER": "anna:secret"]
      default: address = address.replacingOccurrences(of: "//", with: "//anna:secret@")
      }
      let arguments = ["play", "--output", "null", "--pace", "free", "--retry", "none", "--events", "-"]
      let outcome = try Program(arguments + options + [address], environment: environment).waitForEnd()
      let expected = "Basic " + Data("anna:secret".utf8).base64EncodedString()
      #expect(station.visits.map { $0.header("Authorization") } == [expected, expected])
      #expect(outcome.events.contains("playing"))
      expectClean(outcome.errors)
      expectClean(outcome.outputText)
    }
  }

  @Test("Terminal sequences from a station do not reach the terminal")
  func escapeSequences() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let nasty = "\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}Evil - \u{8}\r\nSong\u{1B}[2J"
      let mixed = Icy.interleave(clip.bytes, metaint: 4_000, titles: [(at: 0, text: nasty)])
      let head = "ICY 200 OK\r\nicy-name: \u{1B}[31mX\u{202E}\u{9B}1m\r\nicy-genre: \u{7}\r\nicy-metaint: 4000\r\n\r\n"
      let station = try ScriptedStation([.text(head), .send(mixed)])
      defer { station.close() }
      let outcome = try Program.run(
        "play", "--output", "null", "--pace", "free", "--retry", "none", "--events", "-", station.url())
      #expect(outcome.errors.contains("Song"))
      #expect(outcome.events.contains("metadataChanged"))
      expectClean(outcome.errors)
      expectClean(outcome.outputText)
    }
  }

  @Test("--duration ends a live station with code 0")
  func duration() async throws {
    try await Stage.run {
      let clip = Clip.mp3(5)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let outcome = try Program.run(
        "play", "--output", "raw:-", "--pace", "free", "--duration", "2.5", station.url())
      #expect(outcome.code == 0)
      #expect(difference(outcome.output, Array(clip.pcm().prefix(110_250 * 4))) == nil)
    }
  }

  @Test(
    "A reader that leaves ends the program without a signal",
    arguments: [("raw:-", "standard output"), ("raw:/dev/stdout", "/dev/stdout"), ("wav:/dev/fd/1", "/dev/fd/1")])
  func brokenPipe(_ output: String, _ name: String) async throws {
    try await Stage.run {
      let program = try Program(
        ["play", "--output", output, "--pace", "free", Repository.root + "/config/demo/bakelite-demo.mp3"])
      program.closeOutput()
      let outcome = try program.waitForEnd(within: 10)
      #expect(outcome.code == 1)
      let sentence = "bakelite: Could not write to \(name): the program that read it ended.\n"
      #expect(outcome.errors.contains(sentence))
      #expect(outcome.errors.components(separatedBy: "Could not write").count == 2, "\(outcome.errors)")
      expectClean(outcome.errors)
    }
  }

  @Test("A folder of very short files plays without a gap and without a lost frame", arguments: ["wav", "flac"])
  func shortFiles(_ ending: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      var sound: [UInt8] = []
      // 13,230 frames have 0.3 s, 441 frames 10 ms.
      let lengths = [Int](repeating: 13_230, count: 10) + [Int](repeating: 441, count: 40)
      for (place, frames) in lengths.enumerated() {
        let music = Music(frames: frames, rate: 44_100, seed: UInt64(place + 1))
        let file = ending == "wav" ? WavWriter().file(music).bytes : EncodedMusic(music, .flac()).flac()
        sound += WavWriter().file(music).pcm
        folder.write(file, to: "\(place).\(ending)")
      }
      for pace in ["free", "clock"] {
        let outcome = try Program.run(
          "play", "--output", "raw:-", "--format", "s24le/44100/2", "--pace", pace, folder.path)
        #expect(outcome.code == 0 && outcome.errors.contains(" 0 underruns"), "\(outcome.errors.suffix(500))")
        #expect(outcome.output.count == sound.count && difference(outcome.output, sound) == nil)
      }
    }
  }

  @Test("A folder plays its audio files in natural order, without hidden files, subfolders and other files")
  func folder() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let names = ["10 b.mp3", "2 a.MP3", "1 z.mp3", ".0.mp3", "cover.jpg", "list.m3u"]
      for name in names { folder.write(ToneMp3.hum(40), to: name) }
      for name in ["sub", "0.mp3"] {
        try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: false)
      }
      folder.write(ToneMp3.hum(40), to: "sub/3.mp3")
      let outcome = try Program.run("play", "--output", "null", "--pace", "free", "--events", "-", folder.path)
      let played = outcome.outputText.split(separator: "\n").filter { $0.contains("\"event\":\"stationInfo\"") }
      var files: [Substring] = []
      for file in played.compactMap({ $0.firstMatch(of: /"url":"[^"]*\/([^"]*)"/)?.1 }) where file != files.last {
        files.append(file)
      }
      #expect(outcome.code == 0 && files == ["1%20z.mp3", "2%20a.MP3", "10%20b.mp3"], "\(outcome.outputText)")
      let own = folder.path + "/1 z.mp3"
      let refused = try Program.run("play", "--output", "wav:\(own)", folder.path)
      #expect(refused.code == 2 && refused.errors.contains("--output would overwrite \(own)"), "\(refused.errors)")
      let empty = try Program.run("play", "--output", "null", folder.path + "/0.mp3/")
      let sentence = "bakelite: The folder \(folder.path)/0.mp3/ has no audio files; its subfolders are not read.\n"
      #expect((empty.code, empty.errors) == (1, sentence))
    }
  }

  @Test("A file without ranges is reported once, and probe recognises it as a file")
  func finiteFile() async throws {
    try await Stage.run {
      let clip = Clip.mp3(30)
      let head = StationAction.head("200 OK", ["Content-Type: audio/mpeg", "Content-Length: \(clip.bytes.count)"])
      let station = try ScriptedStation { visit in
        visit.path == "/slow"
          ? [head, .pace(clip.bytes, perSecond: clip.byteRate, burst: 0)] : [head, .send(clip.bytes)]
      }
      defer { station.close() }
      let played = try Program.run("play", "--output", "null", "--pace", "free", station.url("/song.mp3"))
      #expect(played.code == 0)
      #expect(played.errors.split(separator: "\n").count { $0.contains("song.mp3 (MP3") } == 1, "\(played.errors)")
      for (path, isLive) in [("/song.mp3", false), ("/slow", true)] {
        let probed = try Program.run("probe", "--json", station.url(path))
        let object = try JSONSerialization.jsonObject(with: Data(probed.output)) as? [String: Any]
        #expect(object?["live"] as? Bool == isLive && object?["seekable"] as? Bool == false)
        #expect(object?["kind"] as? String == (isLive ? "live station" : "file"))
        #expect(((object?["duration"] as? Double).map { abs($0 - 30) < 1 } ?? false) == !isLive)
      }
      #expect(try Program.run("probe", station.url("/song.mp3")).outputText.contains("probably a file"))
    }
  }

  @Test("probe lists the variants of an HLS station, and the chosen one")
  func probeVariants() async throws {
    try await Stage.run {
      let station = try SegmentedStation(.mp3(60), aired: 8) { visit, _, _ in
        guard visit.path == "/master.m3u8" else { return nil }
        let text = """
          #EXTM3U
          #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.34"
          low/live.m3u8
          #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.34"
          live.m3u8
          """
        return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      let outcome = try Program.run("probe", station.server.url("/master.m3u8"))
      #expect(outcome.code == 0, "\(outcome.errors)")
      for row in [
        "Container           packed", "Target duration     4 s", "Window              24 s",
        "Variants            128 kbit/s mp4a.40.34 (played)", "                    64 kbit/s mp4a.40.34",
      ] {
        #expect(outcome.outputText.contains(row), "\(outcome.outputText)")
      }
      let json = try Program.run("probe", "--json", "--max-bitrate", "64", station.server.url("/master.m3u8"))
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect(object?["variant"] as? String == "64 kbit/s mp4a.40.34" && object?["targetDuration"] as? Int == 4)
      #expect(object?["variants"] as? [String] == ["64 kbit/s mp4a.40.34", "128 kbit/s mp4a.40.34"])
    }
  }

  @Test("probe describes an address")
  func probe() async throws {
    try await Stage.run {
      let clip = Clip.mp3(4)
      let station = try ScriptedStation([.live("icy-br: 128", "icy-genre: Jazz"), .send(clip.bytes), .stall])
      defer { station.close() }
      let text = try Program.run("probe", station.url())
      #expect(text.code == 0)
      for word in ["live station", "Test FM", "Jazz", "MP3", "44100 Hz", "128000 bit/s"] {
        #expect(text.outputText.contains(word), "\(text.outputText)")
      }
      let json = try Program.run("probe", "--json", station.url())
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect(object?["codec"] as? String == "MP3")
      #expect(object?["live"] as? Bool == true)
      #expect(object?["variants"] as? [String] == [] && object?["container"] as? String == nil)
      let refusal = try ScriptedStation(StationAction.response("404 Not Found"))
      defer { refusal.close() }
      #expect(try Program.run("probe", refusal.url()).code == 3)
      // `probe` reports a missing server without retries.
      let closed = try ScriptedStation([])
      let url = closed.url()
      closed.close()
      let began = ContinuousClock.now
      #expect(try Program.run("probe", url).code == 1)
      #expect(ContinuousClock.now - began < .seconds(10))
    }
  }
}
