import CLinux
import Foundation
import System

/// A control socket with the test's replies, which records the requests.
final class FakeRadio: Sendable {
  struct State {
    /// The reply to `radio_status`.
    var status = ["state: playing", "audible: 1", "volume: 30", "muted: 0", "version: 0.1.0", "station: One"]
    /// The replies to other commands, by name.
    var answers: [String: [String]] = [
      "currentsong": ["file: http://two/", "Name: Two"],
      "listplaylistinfo": ["file: http://one/", "file: http://two/", "Name: Two"],
    ]
    /// The paths of the files that `radio_recording_open` passes, by name.
    var files: [String: String] = [:]
    /// Names of commands without a reply.
    var silent: Set<String> = []
    /// Delays of the next reply in seconds, by command name.
    var late: [String: Double] = [:]
    /// All received lines except status requests.
    var asked: [String] = []
  }

  let path: String
  private let state = Locked(State())
  private let listener: Int32
  private let sockets = Locked<[Int32: Bool]>([:])
  private static let questions: Set = [
    "radio_status", "currentsong", "listplaylistinfo \"Presets\"", "idle", "radio_events", "radio_relocate",
    "command_list_ok_begin", "command_list_end",
  ]

  init(_ path: String, _ edit: (inout State) -> Void = { _ in }) throws {
    self.path = path
    state.withLock { edit(&$0) }
    unlink(path)
    listener = UnixAddress.socket(SOCK_STREAM)
    let listener = listener
    guard let address = UnixAddress(path), address.with({ bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0
    else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [self] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { return }
        sockets.withLock { $0[socket] = false }
        Thread.detachNewThread { [self] in serve(socket) }
      }
    }
  }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// Removes and returns the lines received so far.
  func takeAsked() -> [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  /// Replaces a status line, and reports a change of the subsystem.
  func change(_ line: String, _ subsystem: String = "player") {
    let key = line.prefix { $0 != ":" }
    set { state in
      state.status.removeAll { $0.hasPrefix("\(key):") }
      state.status.append(line)
    }
    note(subsystem)
  }

  /// Reports a change of a subsystem.
  func note(_ subsystem: String) { tell("changed: \(subsystem)\nOK\n") }

  /// Sends text to all clients that wait for events.
  func tell(_ text: String) {
    for (socket, waits) in sockets.withLock({ $0 }) where waits { Self.send(text, to: socket) }
  }

  /// True if a client waits for events.
  var isHeard: Bool { sockets.withLock { $0.values.contains(true) } }

  /// Disconnects all clients and removes the socket.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    unlink(path)
    for socket in sockets.withLock({ Array($0.keys) }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private static func send(_ text: String, to socket: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func serve(_ socket: Int32) {
    Self.send("OK MPD 0.23.5\n", to: socket)
    var (text, buffer, isList) = ("", [UInt8](repeating: 0, count: 4_096), false)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      while let end = text.firstIndex(of: "\n") {
        let line = String(text[..<end])
        text = String(text[text.index(after: end)...])
        if line == "command_list_ok_begin" {
          isList = true
        } else if line == "command_list_end" {
          isList = false
          Self.send("OK\n", to: socket)
        } else {
          answer(line, socket, isList)
        }
      }
    }
    _ = sockets.withLock { $0.removeValue(forKey: socket) }
    close(socket)
  }

  private func answer(_ line: String, _ socket: Int32, _ isList: Bool) {
    let name = String(line.prefix { $0 != " " })
    if name == "idle" { return sockets.withLock { $0[socket] = true } }
    if let seconds = state.withLock({ $0.late.removeValue(forKey: name) }) { usleep(UInt32(seconds * 1e6)) }
    let text: String? = state.withLock { state in
      if !Self.questions.contains(line) { state.asked.append(line) }
      guard !state.silent.contains(name) else { return nil }
      let lines = name == "radio_status" ? state.status : state.answers[name] ?? []
      if let refusal = lines.first, refusal.hasPrefix("ACK") { return refusal + "\n" }
      return lines.map { $0 + "\n" }.joined() + (isList ? "list_OK\n" : "OK\n")
    }
    guard let text else { return }
    let words = line.split(separator: "\"", omittingEmptySubsequences: false)
    let path = words.count > 1 ? state.withLock { $0.files[String(words[1])] } : nil
    guard name == "radio_recording_open", let path else { return Self.send(text, to: socket) }
    let file = open(path, O_RDONLY)
    _ = bk_send_passing(socket, text, text.utf8.count, file)
    close(file)
  }
}
