import Settings

final class ConfigurationReading: FuzzTarget {
  static let name = "configuration"
  static let seeds = [
    "board = \"simulated\"\ntimezone = \"Europe/Berlin\"\n[audio]\nperiod_ms = 20\nvolume = \"software\"\nmono = true\n"
      + "[buffer]\nwait_live = 0.5\nstart = \"fixed\"\n",
    "[control]\nsocket = '/run/x'\nlisten = \"[::1]:6600\"\npassword_file = \"/p\"\n[panel]\n"
      + "scroll_ms = 0x80\n[state]\npath = \"/\\u00e9\"",
    "audio = { device = \"\"\"a\nb\"\"\", period_ms = 1_0, buffer_ms = 1e2 }\nbord = 1979-05-27T07:32:00Z\n",
    "a.b.c = [[], [{x = 1}, 2], nan, -inf]\n[[d]]\n[d.e]\n[[[",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = SettingsCheck.bytes(bytes)
    do throws(SettingsErrors) {
      let read = try Configuration(text, file: "x")
      expect((5...500).contains(read.audio.periodMilliseconds), "a period has its measure")
      expect(read.audio.bufferMilliseconds >= 2 * read.audio.periodMilliseconds, "a card holds two periods")
      expect((0.1...3_600).contains(read.buffer.waitLive), "a wait time has its measure")
      expect(
        read.control.listen.allSatisfy(\.isLoopback) || !read.control.passwordFile.isEmpty, "others need a password")
    } catch { SettingsCheck.check(error.all, text) }
  }
}

/// Reads any bytes as `stations.toml` and edits the file.
final class StationsReading: FuzzTarget {
  static let name = "stations"
  static let seeds = [
    "\0\0\0# head\n\n# a\n[[station]]\nname = \"A\"\nurl = \"http://a/\"\n# end\n\n[[station]]\nname = \"B\"  # b\n"
      + "url = \"https://u:p@b:80/?c\"\ngain = -3\n",
    "\u{1}\u{2}\u{3}[[station]]\r\nname = '''\nA'''\r\nurl = \"icy://[::1]:8000\"\r\n"
      + "headers = [\r\n\"A: b\", # c\r\n]\r\nlive = true\r\n",
    "\u{2}\u{1}\u{1}[[station]]\nname = \"A\"\nurl = \"http://a/\"\noops\n[[station]]\nname = \"A\"\n"
      + "url = \"file:///b\"\nmax_bitrate = 96\nmeta_encoding = \"koi8-r\"\nuser = \"@/c\"\n",
    "\u{1}\0\u{9}station = [{name = \"A\", url = \"http://a/\"},\n{name = \"B\"}]\n", "\0\0\0",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let (deed, first, second) = (recipe.number(0...3), recipe.number(0...9), recipe.number(0...9))
    let text = recipe.rest()
    let list = StationList.read(text, file: "x")
    SettingsCheck.check(list.problems, text)
    expect(list.entries.map(\.number) == list.entries.map(\.number).sorted(), "stations keep their order")
    expect(Set(list.entries.map(\.station.name)).count == list.entries.count, "no name is taken twice")
    for entry in list.entries {
      let again = StationList.read(Array(entry.station.toml.utf8), file: "x")
      expect(again.entries.map(\.station) == [entry.station], "a station is written as it is read")
    }
    guard var file = try? StationFile(text, file: "x") else { return }
    expect(file.bytes == text || file.bytes == text + [0x0A], "what is not changed stays as it is")
    let before = file
    let new = StationSettings(name: "New", url: "http://new.example/")
    switch deed {
    case 0: if (try? file.insert([new], at: first)) != nil { Self.check(inserted: file, before, first) }
    case 1: if (try? file.remove(first)) != nil { expect(file.count == before.count - 1, "one is gone") }
    case 2: if (try? file.move(first, to: second)) != nil { Self.check(moved: file, before, (first, second)) }
    default: expect((try? file.insert([new, new])) == nil, "no name is added twice")
    }
  }

  private static func check(inserted file: StationFile, _ before: StationFile, _ number: Int) {
    expect(file.list.entries.contains { $0.number == number && $0.station.name == "New" }, "it is where it was put")
    var back = file
    expect(
      (try? back.remove(number)) != nil && back.list.entries.map(\.station) == before.list.entries.map(\.station),
      "what was added can be removed, and the others are as they were")
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  private static func check(moved file: StationFile, _ before: StationFile, _ move: (from: Int, to: Int)) {
    var back = file
    expect((try? back.move(move.to, to: move.from)) != nil, "what was moved can be moved back")
    // Lines that belong to no station may move past a station, but must not be lost.
    expect(
      back.bytes == before.bytes || before.bytes.last != 0x0A || !before.list.problems.isEmpty, "and is then as it was")
    expect(back.list.entries.map(\.station) == before.list.entries.map(\.station), "in the order that it had")
    expect(
      before.bytes.last != 0x0A || lines(back.bytes) == lines(before.bytes), "and no line is lost")
  }
}

final class BoardReadingTarget: FuzzTarget {
  static let name = "board"
  static let seeds = [
    "title = \"x\"\nchips = [\"c\"]\n[sound]\nlines = [18]\n[pins]\na = { line = 17 }\nb = { line = 27 }\n"
      + "[buttons]\na = { press = \"stop\" }\nb = { long = \"live\" }\n",
    "title = \"x\"\n[encoders]\nk = { mode = \"volume\", steps = \"half\" }\n[inputs.r]\ndevice = \"terminal\"\n"
      + "keys = { up = \"k+\", \"-\" = \"k-\" }\n[display]\nkind = \"simulated\"\nsize = \"16x2\"\n",
    "[display]\nkind = \"hd44780\"\nsize = \"20x4\"\nbus = \"i2c\"\naddress = 0x27\n"
      + "layout = \"data-first\"\nrom = \"A02\"\n",
    "chips = [\"c\"]\n[pins]\nr = { line = 1 }\n[display]\nkind = \"hd44780\"\nbus = \"gpio\"\nrs = \"r\"\ne = \"r\"\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = SettingsCheck.bytes(bytes)
    do throws(SettingsErrors) {
      let board = try Board(text, file: "x")
      let lines = board.pins.filter { $0.chip == nil }.map(\.line) + board.sound.lines + (board.display?.lines ?? [])
      expect(Set(lines).count == lines.count, "no two things are on one line")
    } catch { SettingsCheck.check(error.all, text) }
  }
}

/// Invariants of all error lists.
private enum SettingsCheck {
  static func bytes(_ span: Span<UInt8>) -> [UInt8] { span.withUnsafeBufferPointer { Array($0) } }

  static func check(_ errors: [SettingsError], _ text: [UInt8]) {
    expect(errors.count <= 101, "no more errors are told than anybody reads")
    // libtomlplusplus accepts other line ends besides "\n".
    let lines = text.count + 1
    for error in errors {
      expect(error.line.map { (1...lines).contains($0) } ?? true, "an error stands in the file")
      expect(error.description.utf8.count < 4_000, "an error is a sentence")
      expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "and can be shown")
    }
    let places = errors.map { $0.line ?? 0 }
    expect(places == places.sorted(), "errors come in order of line")
  }
}
