import CLinux
import Foundation
import TestSupport
import Testing
import Units

@testable import Control

/// The commands for the recordings folder (T4).
@Suite struct ShelfCommandTests {
  private let temporary = TemporaryFolder()

  /// Frames of MP3 with 128 kbit/s at 44,100 Hz, 26.1 ms each.
  private static let frames = (0..<400).flatMap { _ in
    [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
  }

  private func hall(_ access: ControlAccess = ControlAccess(), listen: String = "") throws -> Hall {
    let bench = try Bench(access)
    bench.context.use(recordings: temporary.path)
    let path = temporary.path + "/.socket"
    var places = ControlServer.Places(socket: path)
    places.listen = try ListenAddress.list(listen)
    return try Hall(bench, places, at: path)
  }

  private func ask(_ hall: Hall, _ peer: Peer, _ command: String) -> String {
    let before = peer.text.utf8.count
    peer.send(command + "\n")
    var answer = ""
    #expect(
      hall.attend {
        answer = String(decoding: peer.text.utf8.dropFirst(before), as: UTF8.self)
        return answer.hasSuffix("OK\n") || answer.hasPrefix("ACK") && answer.hasSuffix("\n")
      }, "\(command)")
    return answer
  }

  private func write(_ name: String, _ bytes: [UInt8] = Self.frames, age: Double = 0) throws {
    let path = temporary.write(bytes, to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000 - age)], ofItemAtPath: path)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  @Test("Recordings are listed in windows, newest first")
  func lists() throws {
    for number in 0..<120 { try write("\(number).mp3", [], age: Double(number)) }
    try write("song \"x\".mp3", age: -1)
    let hall = try hall()
    let peer = try hall.connect()
    let first = ask(hall, peer, "radio_recordings 0:2")
    #expect(
      first == """
        recording: song "x".mp3
        bytes: 166800
        modified: 1970-01-12T13:46:41Z
        duration: 10.449
        growing: 0
        recording: 0.mp3
        bytes: 0
        modified: 1970-01-12T13:46:40Z
        growing: 0
        OK

        """)
    let all = ask(hall, peer, "radio_recordings")
    #expect(all.split(separator: "\n").count { $0.hasPrefix("recording: ") } == 121)
    #expect(ask(hall, peer, "radio_recordings 119:").split(separator: "\n").first == "recording: 118.mp3")
    #expect(ask(hall, peer, "radio_recordings 200:300") == "OK\n")
    #expect(ask(hall, peer, "radio_recordings x").hasPrefix("ACK [2@0]"))
  }

  @Test("A missing folder has no recordings; a radio without a folder refuses")
  func missing() throws {
    let bench = try Bench()
    #expect(bench.client().ask("radio_recordings").hasPrefix("ACK [50@0] {radio_recordings}"))
    try FileManager.default.removeItem(atPath: temporary.path)
    bench.context.use(recordings: temporary.path)
    let path = NSTemporaryDirectory() + "/bk-\(UUID().uuidString.prefix(8))"
    let hall = try Hall(bench, ControlServer.Places(socket: path), at: path)
    #expect(ask(hall, try hall.connect(), "radio_recordings") == "OK\n")
  }

  @Test("A recording is deleted; other names are refused")
  func deletes() throws {
    try write("a.mp3")
    try write("b.txt")
    let hall = try hall()
    let peer = try hall.connect()
    for name in ["../a.mp3", "b.txt", "/etc/passwd", "c.mp3"] {
      #expect(ask(hall, peer, "radio_recording_delete \(name)").hasPrefix("ACK [50@0] {radio_recording_delete}"))
    }
    #expect(ask(hall, peer, "radio_recording_delete a.mp3") == "OK\n" && names == ["b.txt"])
  }

  @Test("A recording gets another name; a path, a taken name and another file are refused")
  func renames() throws {
    try write("a.mp3")
    try write("b.mp3")
    try write("c.txt")
    let hall = try hall()
    let peer = try hall.connect()
    for line in ["../a.mp3 d", "c.txt d", "none.mp3 d"] {
      #expect(ask(hall, peer, "radio_recording_rename \(line)").hasPrefix("ACK [50@0] {radio_recording_rename}"))
    }
    for name in ["b", "../d", "/d", "..", "\"\""] {
      #expect(ask(hall, peer, "radio_recording_rename a.mp3 \(name)").hasPrefix("ACK [52@0] {radio_recording_rename}"))
    }
    #expect(names == ["a.mp3", "b.mp3", "c.txt"])
    #expect(ask(hall, peer, "radio_recording_rename a.mp3 \"d: e\"") == "recording: d_ e.mp3\nOK\n")
    #expect(names == ["b.mp3", "c.txt", "d_ e.mp3"])
  }

  @Test("A recording plays as a file, and the addresses of other files are refused")
  func plays() throws {
    try write("Björk - Jóga.mp3")
    try write("secret.txt")
    let hall = try hall()
    let peer = try hall.connect()
    #expect(ask(hall, peer, "radio_recording_play ../secret.txt").hasPrefix("ACK [50@0]"))
    #expect(ask(hall, peer, "radio_recording_play \"Björk - Jóga.mp3\"") == "OK\n")
    let refusal = "ACK [52@0] {radio_recording_rename} The radio plays this recording; stop the radio first.\n"
    #expect(ask(hall, peer, "radio_recording_rename \"Björk - Jóga.mp3\" new") == refusal)
    let station = try #require(hall.bench.player.current)
    #expect(station.name == "Björk - Jóga" && station.request.url.unredacted.hasPrefix("file:///"))
    #expect(hall.bench.run { hall.bench.radio.status.isFileSeekAllowed })
    let other = station.request.url.unredacted.replacing("Bj%C3%B6rk%20-%20J%C3%B3ga.mp3", with: "secret.txt")
    #expect(ask(hall, peer, "radio_tune \"\(other)\"").hasPrefix("ACK [50@0]"))
    #expect(ask(hall, peer, "add \"\(other)\"").hasPrefix("ACK"))
  }

  @Test("A file is passed over the Unix socket with its own reply only")
  func passes() throws {
    try write("a.mp3", Array("contents of a".utf8))
    try write("b.mp3", Array("contents of b".utf8))
    let hall = try hall()
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(socket) }
    #expect(withUnixAddress(hall.path) { Glibc.connect(socket, $0, $1) } == 0)
    let line =
      "radio_status\nradio_recording_open a.mp3\nradio_recording_open b.mp3\nradio_recording_open ../c.mp3\nping\n"
    #expect(send(socket, line, line.utf8.count, 0) == line.utf8.count)
    var (text, files, buffer) = ("", [String](), [UInt8](repeating: 0, count: 4_096))
    let isDone = hall.attend {
      var number: Int32 = -1
      let count = bk_receive_passed(socket, &buffer, buffer.count, &number)
      if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
      if number >= 0 {
        let handle = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        files.append(String(decoding: handle.readDataToEndOfFile(), as: UTF8.self))
        #expect(text.hasSuffix("OK\n") && fcntl(number, F_GETFL) & O_ACCMODE == O_RDONLY)
      }
      return text.hasSuffix("use a name from the list.\nOK\n")
    }
    #expect(isDone && files == ["contents of a", "contents of b"], "\(text)")
  }

  @Test("A client that floods a slow disk delays no other client")
  func flood() throws {
    try write("a.mp3")
    let hall = try hall()
    let (shelf, disk, peer) = (try #require(hall.bench.context.recordings), SlowDisk(), try hall.connect())
    let flooder = hall.bench.context.clients.add(isLocal: false, address: "192.0.2.1")
    let first = try shelf.begin(for: flooder) { _ in disk.read() }
    #expect(hall.attend { disk.readingCount == 1 })
    let others = try (0..<4).map { _ in try shelf.begin(for: flooder) { _ in disk.read() } }
    #expect(throws: RecordingShelf.busy) { _ = try shelf.begin(for: flooder) { _ in disk.read() } }
    #expect(ask(hall, peer, "radio_recordings").hasPrefix("recording: a.mp3"))
    #expect(ask(hall, peer, "radio_recording_delete a.mp3") == "OK\n" && names.isEmpty)
    #expect(disk.readingCount == 1)
    disk.free(5)
    #expect(hall.attend { ([first] + others).allSatisfy { (try? $0.result()) != nil } } && disk.count == 5)
  }

  @Test("A list waits while four other clients read a slow disk, and is served when a client is done")
  func queues() throws {
    try write("a.mp3")
    let hall = try hall()
    let (shelf, disk, peer) = (try #require(hall.bench.context.recordings), SlowDisk(), try hall.connect())
    let clients = (1...6).map { hall.bench.context.clients.add(isLocal: false, address: "192.0.2.\($0)") }
    let running = try clients[..<4].map { try shelf.begin(for: $0) { _ in disk.read() } }
    // The owner of this job no longer waits.
    _ = try shelf.begin(for: clients[4]) { _ in disk.read() }
    #expect(hall.attend { disk.readingCount == 4 })
    peer.send("radio_recordings\n")
    hall.turn()
    disk.free(1)
    #expect(hall.attend { peer.text.hasSuffix("growing: 0\nOK\n") }, "\(peer.text)")
    disk.free(3)
    #expect(hall.attend { disk.count == 4 } && running.count == 4)
    let last = try shelf.begin(for: clients[5]) { _ in 6 }
    #expect(hall.attend { (try? last.result()) == 6 } && disk.count == 4)
  }

  @Test("A client by TCP receives no file")
  func rights() throws {
    try write("a.mp3")
    let hall = try hall(listen: "127.0.0.1:0")
    let peer = try Peer(port: try #require(hall.server.ports.first))
    #expect(hall.attend { peer.text.hasSuffix("\n") })
    #expect(ask(hall, peer, "radio_recording_open a.mp3").hasPrefix("ACK [4@0]"))
  }
}
