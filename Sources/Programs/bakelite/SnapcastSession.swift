import Control
import Framing
import Glibc
import Json
import Rooms
import System
import Units

/// A Snapcast server's control script at work: standard input and output towards the server, the control socket towards
/// the radio. It waits for all of them at once (poll(2)), and for none alone.
final class SnapcastSession {
  private let path: String
  private let clock: Clock
  private var script = ControlScript()
  /// What is to be written to the server.
  private var unwritten: [UInt8] = []
  private var requests = LineBuffer(longest: longestRequest)
  /// Whether what comes from the server is the rest of a line that was too long.
  private var isSkipping = false
  private var radio: ControlChannel?
  private var lines = LineBuffer(longest: longestLine)
  private var pause = shortestPause
  /// When the connection began, or is tried again.
  private var since = MonotonicTime.zero
  /// The last thing that was said of the radio, so that it is said once.
  private var said = ""
  private var piece = [UInt8](repeating: 0, count: 16_384)

  private static let longestRequest = 16_384
  /// A radio's lines have titles of 4,080 bytes.
  private static let longestLine = 65_536
  private static let shortestPause = Duration(milliseconds: 250)
  private static let longestPause = Duration(milliseconds: 10_000)
  /// A connection that lasted so long was none of many that fail.
  private static let steady = Duration(milliseconds: 5_000)
  /// What poll(2) finds room for in a pipe is written at once (PIPE_BUF of pipe(7)).
  private static let mostAtOnce = 4_096

  /// A script for the radio at a socket.
  init(socket path: String, clock: Clock) { (self.path, self.clock) = (path, clock) }

  /// Works until standard input ends, or nobody reads standard output any more.
  func run() {
    while true {
      if radio == nil, clock.now() >= since { connect() }
      sendCommands()
      if unwritten.isEmpty { unwritten = Array(script.takeOutput().utf8) }
      let events = wait()
      if events.output & Int16(POLLERR) != 0 { return }
      if events.output & Int16(POLLOUT) != 0, !write() { return }
      if events.radio != 0 { hearRadio() }
      if radio != nil, script.isSilent(at: clock.now()) { lose(ControlConnection.Failure.silent(path).description) }
      if events.input & Int16(POLLIN) != 0 {
        if !hearServer() { return finish() }
      } else if events.input != 0 {
        return
      }
    }
  }

  /// What poll(2) tells of each side.
  private struct Events {
    var input: Int16 = 0
    var output: Int16 = 0
    var radio: Int16 = 0
  }

  /// Waits until something can be done.
  private func wait() -> Events {
    let takes = script.takesRequests && unwritten.count < Self.longestRequest
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

  /// Reads what the server sends; false at its end.
  private func hearServer() -> Bool {
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
      while let line = try requests.next() { if !line.isEmpty { script.hear(request: line.span) } }
    } catch {
      script.hearOverlongRequest()
      requests = LineBuffer(longest: Self.longestRequest)
      isSkipping = rest.last != UInt8(ascii: "\n")
    }
    return true
  }

  /// Writes what there is room for; false where nobody reads it any more.
  private func write() -> Bool {
    let count = Glibc.write(STDOUT_FILENO, unwritten, min(unwritten.count, Self.mostAtOnce))
    guard count >= 0 else { return [EAGAIN, EINTR].contains(errno) }
    unwritten.removeFirst(count)
    return true
  }

  /// Writes what the last requests were answered, as far as it is read at once.
  private func finish() {
    unwritten += script.takeOutput().utf8
    while !unwritten.isEmpty {
      var file = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&file, 1, 0) > 0, file.revents & Int16(POLLOUT) != 0, write() else { return }
    }
  }

  // MARK: The radio

  private func connect() {
    do throws(ControlConnection.Failure) {
      radio = try ControlChannel(path)
      lines = LineBuffer(longest: Self.longestLine)
      since = clock.now()
      script.begin(at: since)
    } catch {
      lose("\(error)")
    }
  }

  /// There is no radio; it is looked for again after a while.
  private func lose(_ reason: String) {
    let now = clock.now()
    if radio != nil, now - since >= Self.steady { (pause, said) = (Self.shortestPause, "") }
    radio = nil
    script.end(reason)
    since = now + pause
    pause = min(Self.longestPause, pause + pause)
    if said != reason { sayError(DisplayText.line(reason)) }
    said = reason
  }

  private func sendCommands() {
    guard let radio else { return }
    if !radio.send(script.takeCommands(at: clock.now())) { hungUp() }
  }

  private func hungUp() { lose(ControlConnection.Failure.hungUp(path).description) }

  private func hearRadio() {
    guard let radio else { return }
    switch radio.read(into: &piece) {
    case .none: return
    case .ended: return hungUp()
    case .bytes(let count): lines.append(piece.span.extracting(0..<count))
    }
    do {
      while let line = try lines.next() {
        try script.hear(radio: String(decoding: line, as: UTF8.self))
      }
    } catch {
      lose("What answers at \(path) is no radio of this version.")
    }
  }
}
