import Directory
import DirectorySupport
import Foundation
import Network
import TestSupport
import Testing
import Units

@testable import Control

/// Replies from a large directory: bounded, and sent in pieces between other clients' replies.
@Suite struct PieceTests {
  private static let large = Result { try SampleDirectory.make(SampleStations(3_000, seed: 7)) }
  private let directory: StationDirectory
  private let bench: Bench

  init() throws {
    let directory = try Self.large.get()
    self.directory = directory
    bench = try Bench()
    bench.context.browse { .open(directory) }
  }

  @Test(
    "A command returns at most 1,000 stations, most votes first; windows reach the others (G4)",
    arguments: [
      "listall", "listallinfo", "listall Radio", "listfiles Radio/All/All", "lsinfo Radio/All/All", "find base Radio",
      "search any \"\"", "search \"(file != '')\" window 0:2147483646", "find base Radio sort Title", "list file",
    ])
  func bounds(_ command: String) {
    let files = bench.client().values("file", of: command)
    #expect(files.count == 1_000)
    if !command.contains("sort") { #expect(files.first == directory[0].url.unredacted) }
  }

  @Test("Adjacent windows return all stations once, in any order (G4)")
  func windows() {
    let client = bench.client()
    for order in ["", "sort Title", "sort -Title", "sort Artist", "sort -Artist", "sort Genre"] {
      let files = (0..<4).flatMap { part in
        client.values("file", of: "search \"(file != '')\" \(order) window \(part * 1_000):\((part + 1) * 1_000)")
      }
      #expect(files.count == directory.count, "\(order)")
      #expect(Set(files).count == Set((0..<directory.count).map { directory[$0].url.unredacted }).count, "\(order)")
    }
    let titles = (0..<3).flatMap { part in
      client.values("Title", of: "find base Radio sort Title window \(part * 1_000):\((part + 1) * 1_000)")
    }
    let folded = titles.map { FoldedText($0).description }.filter { !$0.isEmpty }
    #expect(folded == folded.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("At most 1,000 tag values are returned, and counts stay right beyond (G4)")
  func values() {
    let client = bench.client()
    #expect(client.values("Title", of: "list title").count == 1_000)
    #expect(client.values("Genre", of: "list genre").count <= 1_000)
    #expect(client.value("songs", of: "count base Radio") == "\(directory.count)")
    #expect(client.value("songs", of: "count \"(file != '')\"") == "\(directory.count)")
    let counts = client.values("songs", of: "count group artist").compactMap { Int($0) }
    #expect(counts.reduce(0, +) == directory.count)
  }

  @Test("A genre over all countries leads to its stations (G4)")
  func genres() {
    let client = bench.client()
    for country in client.values("directory", of: "lsinfo Radio").prefix(12) {
      let genres = client.values("directory", of: "lsinfo \"\(country)\"")
      #expect(genres.first == country + "/All")
      #expect(genres.count <= DirectoryTree.maxGenres + 1)
      for genre in genres.prefix(8) {
        #expect(!client.values("file", of: "lsinfo \"\(genre)\"").isEmpty, "\(genre)")
      }
    }
  }

  @Test("A reply stops growing while its client does not read, and continues then (G4)")
  func stalls() {
    let session = ControlSession(bench.commands, isLocal: true)
    session.client.removeSent(session.client.outgoing.count)
    session.receive(Array("find base Radio\nping\n".utf8))
    session.work()
    #expect(session.isStalled && !session.hasWork && session.isWaiting)
    #expect((ClientState.pieceThreshold..<ClientState.pieceThreshold + 65_536).contains(session.client.outgoing.count))
    var text: [UInt8] = []
    while !session.client.outgoing.isEmpty {
      text += session.client.outgoing.prefix(1_000)
      session.client.removeSent(min(1_000, session.client.outgoing.count))
      session.work(1)
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("file: ") } == 1_000)
    #expect(lines.suffix(2) == ["OK", "OK"])
    #expect(!session.isWaiting)
  }

  @Test("In a list of commands, pieces precede the next command, and a refusal ends the list (G4)")
  func lists() {
    let answer = bench.client().ask(
      "command_list_ok_begin\nfind base Radio window 0:2\ncount base Radio\ncommand_list_end")
    let lines = answer.split(separator: "\n").filter {
      !$0.contains(": ") || $0.hasPrefix("file") || $0.hasPrefix("songs")
    }
    #expect(lines.map { String($0.prefix(5)) } == ["file:", "file:", "list_", "songs", "list_", "OK"])
    let refused = bench.client().ask("command_list_begin\nping\nfind base nope\nping\ncommand_list_end")
    #expect(refused == "ACK [50@1] {find} No such directory\n")
    for number in 0..<StationQueue.maxStations - 1 { bench.add("\(number)") }
    let full = bench.client().ask("command_list_begin\nping\nadd Radio\nping\ncommand_list_end")
    #expect(full == "ACK [51@1] {add} Playlist is too large\n")
  }

  @Test("A long reply does not delay other clients; one that never reads is disconnected (G4)")
  func others() throws {
    let hall = try Hall()
    let directory = directory
    hall.bench.context.browse { .open(directory) }
    hall.server.patience.silence = Duration(milliseconds: 300)
    let (greedy, modest) = (try hall.connect(), try hall.connect())
    for _ in 0..<40 { greedy.send("listallinfo\n") }
    for _ in 0..<20 { hall.turn() }
    #expect(hall.server.memory < 1 << 20)
    modest.send("ping\n")
    #expect(hall.attend { modest.text.hasSuffix("OK\n") })
    #expect(
      hall.attend {
        modest.send("ping\n")
        return greedy.isAloneUnread
      })
    #expect(hall.server.clients.count == 1)
  }

  /// Sends a line from a new client.
  private func ask(_ line: String, _ commands: CommandTable) -> ControlSession {
    let session = ControlSession(commands, isLocal: true)
    session.client.removeSent(session.client.outgoing.count)
    session.receive(Array((line + "\n").utf8))
    session.work()
    return session
  }

  private func told(_ session: ControlSession) -> String { String(decoding: session.client.outgoing, as: UTF8.self) }

  @Test("A reply waits while the copy is opened (G4)")
  func opening() throws {
    var state = DirectoryState.opening
    bench.context.browse { state }
    let sessions = ["count base Radio\nping", "lsinfo x", "add x"].map { ask($0, bench.commands) }
    for session in sessions { #expect(session.client.outgoing.isEmpty && session.isWaiting && !session.hasWork) }
    state = .open(directory)
    for session in sessions { session.work() }
    #expect(told(sessions[0]) == "songs: \(directory.count)\nplaytime: 0\nOK\nOK\n")
    #expect(told(sessions[1]) == "ACK [50@0] {lsinfo} No such directory\n")
    #expect(told(sessions[2]) == "ACK [50@0] {add} No such directory\n")
  }

  @Test("A copy not open after ten seconds counts as missing (G4)")
  func patience() throws {
    let context = ControlContext(bench.player, clock: TestClock(speed: 1_000).clock)
    let commands = CommandTable(RadioCommands.rows(.init(version: "1")), context)
    context.browse { .opening }
    let late = ask("command_list_begin\nping\nfind any x\ncommand_list_end", commands)
    let other = ask("stats\nping", commands)
    for session in [late, other] {
      let end = monotonicSeconds() + 5
      while session.isWaiting, monotonicSeconds() < end { session.work() }
    }
    #expect(told(other).hasSuffix("OK\nOK\n") && !told(other).contains("songs"))
    #expect(told(late) == "ACK [50@1] {find} No database\n")
  }

  @Test("Waiting clients are notified of a new copy (G4)")
  func change() throws {
    let (client, watcher) = (bench.client(), bench.client())
    _ = client.ask("stats")
    #expect(watcher.ask("idle database") == "")
    let other = try SampleDirectory.make(SampleDirectory.few)
    bench.context.browse { .open(other) }
    #expect(client.value("songs", of: "stats") == "10")
    #expect(watcher.heard == "changed: database\nOK\n")
  }
}
