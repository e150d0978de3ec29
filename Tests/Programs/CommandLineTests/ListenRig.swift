import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// A terminal with the characters that its user sees, for programs that draw in place.
final class ScreenTerminal {
  let program: FileHandle
  private(set) var columns: Int
  private(set) var rows: Int
  /// All bytes as text.
  private(set) var text = ""
  private let side: Int32
  private var cells: [[Character]] = []
  private var place = (row: 0, column: 0)
  private var rest: [UInt8] = []

  init(_ columns: Int = 80, _ rows: Int = 24) throws {
    (self.columns, self.rows) = (columns, rows)
    var (side, program): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&side, &program, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    (self.side, self.program) = (side, FileHandle(fileDescriptor: program, closeOnDealloc: true))
    erase()
  }

  deinit { close(side) }

  var modes: tcflag_t {
    var settings = termios()
    tcgetattr(program.fileDescriptor, &settings)
    return settings.c_lflag
  }

  var lines: [String] {
    cells.map { row in
      var line = String(row)
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  func press(_ keys: String) { _ = Array(keys.utf8).withUnsafeBytes { write(side, $0.baseAddress, $0.count) } }

  /// Changes the size and notifies the program, as a terminal emulator does. Old characters stay.
  func resize(_ columns: Int, _ rows: Int, of program: Program) {
    (self.columns, self.rows) = (columns, rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(side, UInt(TIOCSWINSZ), &size)
    cells = (0..<rows).map { row in
      (0..<columns).map { cells.indices.contains(row) && $0 < cells[row].count ? cells[row][$0] : " " }
    }
    program.signal(SIGWINCH)
  }

  /// Reads until the screen satisfies a condition. Returns false on a timeout.
  func shows(within seconds: Double = 10, _ isMet: ([String]) -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isMet(lines) {
      let left = deadline - monotonicSeconds()
      var poll = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left * 1_000) + 1) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(side, &bytes, bytes.count)
      guard count > 0 else { return isMet(lines) }
      draw(Array(bytes.prefix(count)))
    }
    return true
  }

  func shows(_ words: String, within seconds: Double = 10) -> Bool {
    shows(within: seconds) { $0.contains { $0.contains(words) } }
  }

  private func erase() { cells = Array(repeating: Array(repeating: " ", count: columns), count: rows) }

  /// Draws text and the sequences that Bakelite sends.
  private func draw(_ bytes: [UInt8]) {
    var all = rest + bytes
    var end = all.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
    // A character or a sequence cut at the end of a read waits for its rest.
    var isCut = all[end] >= 0xC0
    if let escape = all.lastIndex(of: 0x1B),
      !all[escape...].dropFirst(2).contains(where: { (0x40...0x7E).contains($0) })
    {
      (end, isCut) = (escape, true)
    }
    rest = isCut ? Array(all[end...]) : []
    if isCut { all.removeSubrange(end...) }
    let new = String(decoding: all, as: UTF8.self)
    text += new
    var left = new.unicodeScalars[...]
    while let scalar = left.popFirst() {
      guard scalar == "\u{1B}" else {
        put(Character(scalar))
        continue
      }
      let body = left.dropFirst().prefix { !("@"..."~").contains($0) }
      let final = left.dropFirst(1 + body.count).first
      left = left.dropFirst(2 + body.count)
      apply(final.map { Character($0) } ?? " ", String(String.UnicodeScalarView(body)))
    }
  }

  private func apply(_ final: Character, _ body: String) {
    let numbers = body.split(separator: ";").map { Int($0) ?? 1 }
    switch (final, body) {
    case ("H", _): place = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    case ("J", _), ("h", "?1049"), ("l", "?1049"): erase()
    case ("K", _):
      guard cells.indices.contains(place.row) else { return }
      for column in min(place.column, columns)..<columns { cells[place.row][column] = " " }
    default: break
    }
  }

  private func put(_ character: Character) {
    guard cells.indices.contains(place.row), cells[place.row].indices.contains(place.column) else { return }
    cells[place.row][place.column] = character
    place.column += 1
  }
}

/// A user's configuration folder with a list of stations.
struct ListenRig {
  let folder = TemporaryFolder()

  var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data"] }
  /// The files in the user's folder of recordings.
  var recordings: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/bakelite/recordings")) ?? []
  }
  var list: String { String(decoding: folder.bytes(of: "bakelite/stations.toml"), as: UTF8.self) }

  /// A live station with a title from its first byte on.
  static func titled(_ title: String) -> [StationAction] {
    let mixed = Icy.interleave(Clip.mp3(30).bytes, metaint: 4_000, titles: [(0, title)])
    return [.live("icy-metaint: 4000"), .send(mixed), .stall]
  }

  static let three = ["One", "Two", "Three"]

  /// Plays the first of three stations with titles. `work` ends with the key that quits the program.
  static func playFirst(
    _ work: @Sendable @escaping (ScreenTerminal, ScriptedStation, ListenRig) throws -> Void
  ) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig(three.map { ($0, station.url("/\($0)")) }), try ScreenTerminal())
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪1  One    Nina") } })
      try work(terminal, station, rig)
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  /// Writes the list; nil writes no file.
  init(_ stations: [(name: String, url: String)]?) {
    guard let stations else { return }
    mkdir(folder.path + "/bakelite", 0o700)
    write(stations)
  }

  func write(_ stations: [(name: String, url: String)]) {
    let text = stations.map { "[[station]]\nname = \"\($0.name)\"\nurl = \"\($0.url)\"\n" }.joined(separator: "\n")
    folder.write(Array(text.utf8), to: "bakelite/stations.toml")
  }

  func begin(_ arguments: [String] = ["--output", "null"], on terminal: ScreenTerminal) throws -> Program {
    try Program(arguments, environment: environment, terminal: terminal.program)
  }

  func run(_ arguments: String..., with variables: [String: String] = [:]) throws -> Program.Outcome {
    try Program(arguments, environment: environment.merging(variables) { $1 }, directory: folder.path)
      .waitForEnd(within: 20)
  }
}
