import Control
import Framing
import Glibc
import Json
import Rooms
import System
import Units

/// The control script of a Snapcast server. Connects the server at standard input and output with the radio's control
/// socket. Waits for all three in one poll(2), never for a single one.
final class SnapcastSession {
  private let path: String
  private let clock: Clock
  private var script = ControlScript()
  private var unwritten: [UInt8] = []
  private var requests = LineBuffer(longest: maxRequestLength)
  /// True while the rest of an overlong line is skipped.
  private var isSkipping = false
  private var radio: ControlChannel?
  private var lines = LineBuffer(longest: maxLineLength)
  private var pause = minPause
  /// The time of the connection, or of the next attempt.
  private var since = MonotonicTime.zero
  private var said = ""
  private var piece = [UInt8](repeating: 0, count: 16_384)

  private static let maxRequestLength = 16_384
  /// Maximum bytes in a radio's line. A title has up to 4,080 bytes.
  private static let maxLineLength = 65_536
  private static let minPause = Duration(milliseconds: 250)
  private static let maxPause = Duration(milliseconds: 10_000)
  /// Duration of a connection that resets the back-off.
  private static let steady = Duration(milliseconds: 5_000)
  /// Bytes that a pipe accepts without blocking if poll(2) reports it writable (PIPE_BUF of pipe(7)).
  private static let maxAtOnce = 4_096

  init(socket path: String, clock: Clock) { (self.path, self.clock) = (path, clock) }

  /// Runs until standard input or output is closed.
  func run() {
    while true {
      if radio == nil, clock.now() >= since { connect() }
      sendCommands()
      if unwritten.isEmpty { unwritten = Array(script.removeOutput().utf8) }
      let events = wait()
      if events.output & Int16(POLLERR) != 0 { return }
      if events.output & Int16(POLLOUT) != 0, !write() { return }
      if events.radio != 0 { readRadio() }
      if radio != nil, script.isSilent(at: clock.now()) { lose(ControlConnection.Failure.silent(path).description) }
      if events.input & Int16(POLLIN) != 0 {
        if !readServer() { return finish() }
      } else if events.input != 0 {
        return
      }
    }
  }

  private struct Events {
    var input: Int16 = 0
    var output: Int16 = 0
    var radio: Int16 = 0
  }

  private func wait() -> Events {
    let takes = script.acceptsRequests && unwritten.count < Self.maxRequestLength
    var files = [
      pollfd(fd: STDIN_FILENO, events: takes ? Int16(POLLIN) : 0, revents: 0),
      pollfd(fd: STDOUT_FILENO, events: unwritten.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
      pollfd(
        fd: radio?.descriptor ?? -1, events: Int16(POLLIN) | (radio?.isSending == true ? Int16(POLLOUT) : 0),
        revents: 0),
    ]
    let due = radio == nil ? since : script.due
    let timeout = due == .never ? -1 : clock.realMilliseconds((due - clock.now()).milliseconds)
    guard poll(&files, nfds_t(files.count), timeout) > 0 else { return Events() }
    return Events(input: files[0].revents, output: files[1].revents, radio: files[2].revents)
  }

  // MARK: The server

  /// Reads from the server; returns false at its end.
  private func readServer() -> Bool {
    let count = read(STDIN_FILENO, &piece, piece.count)
    if count < 0 { return [EAGAIN, EINTR].contains(errno) }
    guard count > 0 else { return false }
    var rest = piece[..<count]
    if isSkipping {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return true }
      rest = rest[(end + 1)...]
      isSkipping = false
    }
    requests.append(rest.span)
    do throws(LineBuffer.Overlong) {
      while let line = try requests.next() { if !line.isEmpty { script.process(request: line.span) } }
    } catch {
      script.refuseOverlongRequest()
      requests = LineBuffer(longest: Self.maxRequestLength)
      isSkipping = rest.last != UInt8(ascii: "\n")
    }
    return true
  }

  /// Writes pending bytes; returns false if the reader is gone.
  private func write() -> Bool {
    let count = Glibc.write(STDOUT_FILENO, unwritten, min(unwritten.count, Self.maxAtOnce))
    guard count >= 0 else { return [EAGAIN, EINTR].contains(errno) }
    unwritten.removeFirst(count)
    return true
  }

  /// Writes the last responses as far as the pipe accepts them without blocking.
  private func finish() {
    unwritten += script.removeOutput().utf8
    while !unwritten.isEmpty {
      var file = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&file, 1, 0) > 0, file.revents & Int16(POLLOUT) != 0, write() else { return }
    }
  }

  // MARK: The radio

  private func connect() {
    do throws(ControlConnection.Failure) {
      radio = try ControlChannel(path)
      lines = LineBuffer(longest: Self.maxLineLength)
      since = clock.now()
      script.begin(at: since)
    } catch {
      lose("\(error)")
    }
  }

  /// Handles a lost radio, and schedules the next attempt.
  private func lose(_ reason: String) {
    let now = clock.now()
    if radio != nil, now - since >= Self.steady { (pause, said) = (Self.minPause, "") }
    radio = nil
    script.end(reason)
    since = now + pause
    pause = min(Self.maxPause, pause + pause)
    if said != reason { printError(DisplayText.line(reason)) }
    said = reason
  }

  private func sendCommands() {
    guard let radio else { return }
    if !radio.send(script.removeCommands(at: clock.now())) { hungUp() }
  }

  private func hungUp() { lose(ControlConnection.Failure.hungUp(path).description) }

  private func readRadio() {
    guard let radio else { return }
    switch radio.read(into: &piece) {
    case .none: return
    case .ended: return hungUp()
    case .bytes(let count): lines.append(piece.span.extracting(0..<count))
    }
    do {
      while let line = try lines.next() {
        try script.process(radio: String(decoding: line, as: UTF8.self))
      }
    } catch {
      lose("The program at \(path) is not a radio of this version.")
    }
  }
}
