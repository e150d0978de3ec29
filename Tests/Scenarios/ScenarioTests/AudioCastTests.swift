import Foundation
import Glibc
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing

/// Titles by UDP (R6.5).
@Suite struct AudioCastTests {
  @Test("A station with AudioCast gets acknowledged titles by datagram from the stream's own host (R6.5)")
  func titles() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in [.live()] + Broadcast(.long(60), burst: 4).actions(visit) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.externalMetadata.usesAudioCast = true }
      try #require(rig.next("playing") != nil)
      let port = try #require(station.visits[0].header("x-audiocast-udpport").flatMap { Int($0) })
      let (server, stranger) = (try DatagramPeer("127.0.0.1"), try DatagramPeer("127.0.0.2"))
      #expect(stranger.sendTitle(port, 1, "Stranger - Title", expectsAnswer: false) == nil)
      #expect(server.sendTitle(port, 7, "One - Two") == "x-audiocast-ack: 7 \r\n")
      #expect(rig.run(10) { rig.radio.status.title?.track == "Two" })
      #expect(rig.radio.status.title?.artist == "One" && rig.radio.status.title?.url == "http://a.example/")
      // A server repeats a title if its acknowledgement is late.
      #expect(server.sendTitle(port, 7, "One - Two") != nil)
      #expect(server.sendTitle(port, 8, "Three") != nil)
      #expect(rig.run(10) { rig.radio.status.title?.track == "Three" })
      #expect(rig.events("metadataChanged").count == 2)
    }
  }

  @Test("Titles in the stream win, and the port closes")
  func inBand() async throws {
    try await Stage.run {
      let mixed = Icy.interleave(Clip.long(30).bytes, metaint: 2_000, titles: [(at: 0, text: "In - Stream")])
      let station = try ScriptedStation([.live("icy-metaint: 2000"), .pace(mixed, perSecond: 8_000, burst: 32_000)])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.externalMetadata.usesAudioCast = true }
      try #require(rig.next("metadataChanged") != nil)
      let port = try #require(station.visits[0].header("x-audiocast-udpport").flatMap { Int($0) })
      #expect(try DatagramPeer("127.0.0.1").sendTitle(port, 1, "By - UDP", expectsAnswer: false) == nil)
      rig.run(for: 0.5)
      #expect(rig.radio.status.title?.track == "Stream")
    }
  }

  @Test("A station without AudioCast has no port")
  func off() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(.mp3(3)))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      #expect(station.visits[0].header("x-audiocast-udpport") == nil)
    }
  }
}

private final class DatagramPeer {
  private let descriptor: Int32

  init(_ host: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var place = Self.address(host, 0)
    let result = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit { close(descriptor) }

  private static func address(_ host: String, _ port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &place.sin_addr)
    return place
  }

  func sendTitle(_ port: Int, _ number: Int, _ title: String, expectsAnswer: Bool = true) -> String? {
    let text = """
      x-audiocast-udpseqnr: \(number)\r\nx-audiocast-streamtitle: \(title)\r\nx-audiocast-streamurl: \
      http://a.example/\r\n\
      x-audiocast-streamlength: 1000\r\n
      """
    var target = Self.address("127.0.0.1", port)
    let bytes = Array(text.utf8)
    let sent = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard sent == bytes.count else { return nil }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // 600 ms are enough for a radio that polls every 200 ms.
    guard poll(&wanted, 1, expectsAnswer ? 10_000 : 600) > 0 else { return nil }
    var answer = [UInt8](repeating: 0, count: 128)
    let count = recv(descriptor, &answer, answer.count, 0)
    return count > 0 ? String(decoding: answer[..<count], as: UTF8.self) : nil
  }
}
