import Foundation
import TestSupport
import Testing

/// A running `play` is asked and told over its control socket (D13).
@Suite struct ControlTests {
  @Test("status, time shift, tune and events go through the socket")
  func socket() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation { visit in
        [.live("icy-br: 128"), .send(visit.path == "/b" ? Clip.mp3(4).bytes : clip.bytes), .stall]
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      let program = try Program(["play", "--output", "null", "--control", path, station.url("/a"), station.url("/b")])
      #expect(program.says("Playing after"))
      let events = try ControlPeer(path)
      let peer = try ControlPeer(path)
      #expect(events.ask("radio_events") == [])
      let status = peer.status()
      #expect((status["state"], status["codec"], status["told_bitrate"]) == ("playing", "MP3", "128"))
      #expect((status["station"], status["network"]) == ("Test FM", "connected"))
      #expect(peer.ask("pause") == [] && peer.status()["state"] == "paused")
      #expect(events.hears("\"event\":\"paused\",\"reason\":\"user\""))
      #expect(peer.waits("held") { $0 > 15 })
      #expect(peer.ask("radio_forward 10") == [])
      #expect(events.hears("seekDone"))
      let position = Double(peer.status()["position"] ?? "") ?? 0
      #expect(position > 9.9 && position < 13)
      #expect(peer.ask("radio_rewind ten")?.first?.hasPrefix("ACK [2@0]") == true)
      #expect(peer.ask("radio_dance")?.first?.hasPrefix("ACK [5@0]") == true)
      #expect(peer.ask("radio_tune /etc/passwd")?.first?.hasPrefix("ACK [50@0]") == true)
      #expect(peer.ask("radio_tune 2") == [])
      #expect(events.hears("\"event\":\"playing\""))
      #expect(station.visits.last?.path == "/b")
      #expect(peer.ask("stop") == [] && events.hears("\"event\":\"stopped\",\"reason\":\"user\""))
      #expect(peer.status()["network"] == "off")
      #expect(peer.ask("play") == [] && events.hears("\"event\":\"playing\""))
      program.interrupt()
      #expect(try program.end(within: 5).code == 0)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}

/// A client of the control socket.
private final class ControlPeer {
  private let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  private var text = ""

  init(_ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, hears("OK MPD 0.23") else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Sends a command; the lines of its answer, without the last where that is OK. Nil when none comes.
  func ask(_ command: String) -> [String]? {
    text = ""
    _ = send(descriptor, command + "\n", command.utf8.count + 1, Int32(MSG_NOSIGNAL))
    guard hears({ $0.hasSuffix("OK\n") || $0.hasPrefix("ACK") && $0.hasSuffix("\n") }) else { return nil }
    return text.split(separator: "\n").map { String($0) }.filter { $0 != "OK" }
  }

  func status() -> [String: String] {
    let pairs = (ask("radio_status") ?? []).compactMap { line -> (String, String)? in
      line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
    }
    return Dictionary(pairs) { $1 }
  }

  /// Asks until a figure is as it should be.
  func waits(_ key: String, until isSo: (Double) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if let figure = status()[key].flatMap({ Double($0) }), isSo(figure) { return true }
      _ = poll(nil, 0, 20)
    }
    return false
  }

  /// Waits for a word in what comes.
  func hears(_ word: String) -> Bool { hears { $0.contains(word) } }

  private func hears(_ isDone: (String) -> Bool) -> Bool {
    let end = monotonicSeconds() + 5
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while !isDone(text) {
      var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard monotonicSeconds() < end, poll(&one, 1, 100) >= 0 else { return false }
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { return false }
      if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
    }
    return true
  }
}
