import Foundation
import Http
import StationSupport
import System
import TestSupport
import Testing

/// Distinguishes a silent name server from a host that does not exist (R4.1, R4.3).
@Suite(
  .serialized, .enabled(if: NameServer.isPermitted, "only root may be a name server, and only where there is a network")
)
struct NameServerTests {
  @Test("A missing host ends the attempts at once")
  func absent() async throws {
    try await Stage.run {
      let server = try NameServer(.absent)
      defer { server.close() }
      let program = try Program(
        ["play", "--output", "null", "http://radio.test:8000/live"], resolver: server.resolver)
      let outcome = try program.waitForEnd(within: 20)
      #expect(outcome.code == 1 && outcome.time < 8)
      #expect(outcome.errors.contains("radio.test does not exist"), "\(outcome.errors)")
    }
  }

  @Test("Name servers that deny all names report that the machine is offline, and are asked again (R4.3)")
  func denied() async throws {
    try await Stage.run {
      let server = try NameServer(.denied)
      defer { server.close() }
      let rig = try FindRig { _ in [] }
      let config = rig.folder.path + "/bakelite.toml"
      let update = ["find", "--update", "--config", config]
      let outcome = try Program(update, resolver: server.resolver).waitForEnd(within: 30)
      #expect(outcome.code == 1 && outcome.errors.contains("This machine is probably offline"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("does not exist"))
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let url = station.url("/live", host: "radio.test")
      let play = try Program(["play", "--output", "null", url], resolver: server.resolver)
      #expect(play.waitForError("This machine is probably offline", within: 20) && play.waitForError("Retry 1 in"))
      server.word.withLock { $0 = .here }
      #expect(play.waitForError("Playing after", within: 20), "\(play.errorsSoFar)")
      play.interrupt()
      #expect(try play.waitForEnd(within: 10).code == 0)
    }
  }

  @Test(
    "Without a default route an unknown name reports that the machine is offline (R4.1)",
    .enabled(if: access("/usr/sbin/ip", X_OK) == 0, "needs ip(8)"))
  func withoutRoute() async throws {
    try await Stage.run {
      let link =
        "ip link add d0 type veth peer name d1 && ip addr add 192.0.2.9/24 dev d0 && "
        + "ip link set d0 up && ip link set d1 up && exec \"$0\" \"$@\""
      let program = try Program(
        ["play", "--output", "null", "http://radio.test:8000/live"],
        by: ["/usr/bin/unshare", "-n", "/bin/sh", "-c", link], environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
      #expect(program.waitForError("This machine is offline and cannot reach radio.test", within: 20))
      program.interrupt()
      #expect(try program.waitForEnd(within: 10).code == 0)
    }
  }

  @Test("A silent name server is retried, and the station plays once it responds")
  func silent() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 40_000)])
      defer { station.close() }
      let server = try NameServer(.nothing)
      defer { server.close() }
      let url = station.url("/live", host: "radio.test")
      let program = try Program(["play", "--output", "null", "--duration", "2", url], resolver: server.resolver)
      #expect(program.waitForError("No name server answers to say where radio.test is", within: 20))
      server.word.withLock { $0 = .here }
      let outcome = try program.waitForEnd(within: 30)
      #expect(outcome.code == 0 && outcome.errors.contains("Playing after"), "\(outcome.errors)")
    }
  }

  @Test("A program ends at once despite a pending name look-up")
  func endsAtOnce() async throws {
    try await Stage.run {
      let server = try NameServer(.nothing, options: "timeout:20 attempts:5")
      defer { server.close() }
      let program = try Program(
        ["play", "--output", "null", "http://radio.test:8000/live"], resolver: server.resolver)
      #expect(program.waitForError("Connecting to"))
      program.interrupt()
      let outcome = try program.waitForEnd(within: 10)
      #expect(outcome.time < 5 && outcome.code == 0, "\(outcome.errors)")
    }
  }

  @Test(
    "The directory's servers come from the name server, only in its domain, and never this machine (G6)")
  func directory() async throws {
    try await Stage.run {
      let server = try NameServer(
        .servedBy(["de9.api.radio-browser.info", "evil.example", "nl9.api.radio-browser.info"]))
      defer { server.close() }
      let rig = try FindRig { _ in [] }
      let program = try Program(
        ["find", "--update", "--config", rig.folder.path + "/bakelite.toml"], resolver: server.resolver)
      let outcome = try program.waitForEnd(within: 30)
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 4 && lines.last == "bakelite: No server sent a station list; there is still no copy.")
      for host in ["de9", "nl9", "all"] {
        #expect(lines.contains { $0.contains("\(host).api.radio-browser.info") }, "\(outcome.errors)")
      }
      #expect(!outcome.errors.contains("evil") && outcome.errors.contains("an address of this machine"))
      #expect(rig.names == ["bakelite.toml"])
    }
  }

  @Test("A box plays and ends in time although no name server resolves its broker (M2)")
  func broker() async throws {
    try await Stage.run {
      let server = try NameServer(.nothing, options: "timeout:20 attempts:5")
      defer { server.close() }
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box("[mqtt]\nserver = \"broker.test\"\n", stations: [("One", station.url())])
      try box.start("null", resolver: server.resolver)
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(try ControlPeer(box.socket).status()["mqtt"] == "connecting")
      let start = monotonicSeconds()
      let outcome = try box.switchOff()
      #expect(outcome.code == 0 && monotonicSeconds() - start < 4, "\(outcome.errors)")
    }
  }

  @Test("Without a name server the fallback chain ends in the tone, and the station plays with one (F4)")
  func tone() async throws {
    try await Stage.run {
      let broadcast = Broadcast(.mp3(70), burst: 2)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let server = try NameServer(.nothing)
      defer { server.close() }
      let other = station.url("/other", host: "other.test")
      let settings = "[continuity]\ntone = true\nfallback_after_s = 2\nfallback = [\"\(other)\"]\n"
      let box = try Box(settings, stations: [("One", station.url("/live", host: "radio.test"))])
      try box.start(resolver: server.resolver)
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("setvol 100") == [] && box.pcmBecomes { $0.toneCount > 0 })
      #expect(station.visits.isEmpty && peer.status()["source"] == "tone")
      server.word.withLock { $0 = .here }
      server.isReplaced()
      let start = box.pcmCount / 4 * 4
      #expect(box.pcmBecomes(from: start) { $0.hasProgramme && $0.toneCount == 0 })
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The box retries at once when the name servers change")
  func box() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 40_000)])
      defer { station.close() }
      let server = try NameServer(.absent)
      defer { server.close() }
      let box = try Box(stations: [("Test FM", station.url("/live", host: "radio.test"))])
      try box.start(resolver: server.resolver)
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      _ = peer.request("play")
      let end = monotonicSeconds() + 20
      while peer.status()["error"]?.contains("does not exist") != true, monotonicSeconds() < end { usleep(20_000) }
      #expect(peer.status()["state"] == "stopped")
      let since = monotonicSeconds()
      server.word.withLock { $0 = .here }
      server.isReplaced()
      while station.visits.isEmpty, monotonicSeconds() - since < 20 { usleep(20_000) }
      #expect(!station.visits.isEmpty && monotonicSeconds() - since < 20, "and not when a minute is over")
      _ = try box.switchOff()
    }
  }
}

/// A name server on a loopback address, with a resolv.conf(5) for it.
private final class NameServer: Sendable {
  enum Word {
    case nothing
    case here
    /// Denies all names except the root.
    case absent
    /// Denies all names, as without a connection.
    case denied
    /// The address 127.0.0.1, and hosts for service records (RFC 2782).
    case servedBy([String])
  }

  let word: Locked<Word>
  var resolver: String { folder.path + "/resolv.conf" }

  private let folder = TemporaryFolder()
  private let isOver = Locked(false)
  private let socket: Int32
  private let text: String

  static let isPermitted = geteuid() == 0 && LinkProbe.hasRoute() && access("/usr/bin/unshare", X_OK) == 0

  init(_ word: Word, options: String = "timeout:1 attempts:1") throws {
    self.word = Locked(word)
    let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(53).bigEndian
    let host = UInt32.random(in: 2...250)
    address.sin_addr.s_addr = (UInt32(0x7F00_3500) | host).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    text = "nameserver 127.0.53.\(host)\noptions \(options)\n"
    folder.write(Array(text.utf8), to: "resolv.conf")
    Thread.detachNewThread { [self] in
      while !isOver.withLock({ $0 }), answerNext() {}
      Glibc.close(socket)
    }
  }

  /// Stops the server; its thread retains it until then.
  func close() {
    isOver.withLock { $0 = true }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Rewrites resolv.conf as after a network change. In place, because a bind mount does not show a new file.
  func isReplaced() {
    guard let file = FileHandle(forWritingAtPath: resolver) else { return }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data("# again\n".utf8))
    try? file.close()
  }

  /// Replies to one query (RFC 1035, 4.1). Returns false if the socket is closed.
  private func answerNext() -> Bool {
    var (bytes, peer) = ([UInt8](repeating: 0, count: 512), sockaddr_in())
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { recvfrom(socket, &bytes, bytes.count, 0, $0, &length) }
    }
    guard count > 12 else { return count >= 0 }
    var end = 12
    while end < count, bytes[end] != 0 { end += Int(bytes[end]) + 1 }
    guard end + 5 <= count else { return true }
    let (isAddress, isService) = (bytes[end + 2] == 1, bytes[end + 2] == 33)
    var answer = Array(bytes[..<(end + 5)])
    answer.replaceSubrange(2..<12, with: [0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0])
    switch word.withLock({ $0 }) {
    case .nothing: return true
    case .absent where end == 12: break
    case .absent, .denied: answer[3] = 0x83
    case .here where isAddress, .servedBy where isAddress:
      answer[7] = 1
      answer += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]
    case .servedBy(let hosts) where isService:
      answer[7] = UInt8(hosts.count)
      for host in hosts {
        let labels: [[UInt8]] = host.split(separator: ".").map { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let name: [UInt8] = labels.joined() + [0]
        answer += [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 0, 0, UInt8(name.count + 6), 0, 0, 0, 0, 0x01, 0xBB]
        answer += name
      }
    case .here, .servedBy: break
    }
    withUnsafePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = sendto(socket, answer, answer.count, 0, $0, length) }
    }
    return true
  }
}
