import Directory
import DirectorySupport
import Foundation
import Network
import System
import TestSupport
import Testing
import Units

@testable import DirectoryClient

/// Requests other than the list.
@Suite struct ClickTests {
  private static let uuid = "960e57c5-0601-11e8-ae97-52543be04c81"

  @Test("A click is one request for the station's id, and failures are silent (G6)")
  func click() async throws {
    try await Stage.run {
      let server = try ScriptedStation { _ in StationAction.response("500 Internal Server Error") }
      let other = try ScriptedStation { _ in StationAction.response("200 OK") }
      defer { server.close(); other.close() }
      let uuid = try #require(StationUuid(Self.uuid))
      let click = StationClick(uuid, agent: "Bakelite/test", clock: .machine)
      click.send(to: [try Server.own(server.url("/")), try Server.own(other.url("/"))]) { false }
      #expect(server.visits.map(\.path) == ["/xml/url/\(Self.uuid)"] && other.visits.isEmpty)
      #expect(server.visits.first?.header("User-Agent") == "Bakelite/test")
      click.send(to: []) { false }
      click.send(to: [try Server.own("http://127.0.0.1:9/")]) { false }
    }
  }

  @Test("A click to a silent server ends after some seconds, or on request (G6)")
  func silent() async throws {
    try await Stage.run {
      let server = try ScriptedStation([.stall])
      defer { server.close() }
      let uuid = try #require(StationUuid(Self.uuid))
      let start = Clock.machine.now()
      StationClick(uuid, agent: "", clock: Clock(speed: 10)).send(to: [try Server.own(server.url("/"))]) { false }
      StationClick(uuid, agent: "", clock: .machine).send(to: [try Server.own(server.url("/"))]) { true }
      #expect((Clock.machine.now() - start).seconds < 4)
    }
  }

  @Test("The directory is notified of a station once a day, whatever the log contains (G6)")
  func once() throws {
    let folder = TemporaryFolder()
    let log = ClickLog(path: folder.path + "/clicks")
    let (first, second) = (
      try #require(StationUuid(Self.uuid)), try #require(StationUuid("00000000-0000-0000-0000-000000000001"))
    )
    let now: Int64 = 1_800_000_000
    #expect(
      log.recordClick(first, at: now) && !log.recordClick(first, at: now) && !log.recordClick(first, at: now + 86_399))
    #expect(log.recordClick(second, at: now + 1) && !log.recordClick(first, at: now - 3_600))
    #expect(log.recordClick(first, at: now + 86_400))
    #expect(ClickLog(path: "/nonexistent/clicks").recordClick(first, at: now) == false)
    for junk in [
      "\0\0\0", "\(Self.uuid) 9223372036854775807\n", "\(Self.uuid)\n\n \n", Self.uuid + " -9223372036854775808\n",
    ] {
      folder.write(Array(junk.utf8), to: "clicks")
      #expect(log.recordClick(first, at: now), "\(junk)")
      #expect(String(decoding: folder.bytes(of: "clicks"), as: UTF8.self) == "\(Self.uuid) \(now)\n")
    }
    for number in 1...700 {
      let digits = String(number, radix: 16)
      let text = String(repeating: "0", count: 32 - digits.count) + digits
      #expect(log.recordClick(try #require(StationUuid(text)), at: now))
    }
    #expect(folder.bytes(of: "clicks").count < 32_768)
  }

  @Test("An online search returns stations, and tries the next server after a failure (G1)")
  func online() async throws {
    try await Stage.run {
      let list = SampleStations.csv(30)
      let first = try ScriptedStation { _ in StationAction.response("503 Service Unavailable") }
      let second = try ScriptedStation { _ in Server.list(list) }
      defer { first.close(); second.close() }
      let search = try OnlineSearch(agent: "Bakelite/test", clock: .machine) { false }
      let servers = try [first, second].map { try Server.own($0.url("/")) }
      let query = DirectoryQuery("jazz & blues", country: "DE")
      #expect(try search.run(query, limit: 7, from: servers).count == 7)
      #expect(
        second.visits.map(\.path) == [
          "/csv/stations/search?name=jazz%20%26%20blues&countrycode=DE&limit=7&hidebroken=true&order=votes&reverse=true"
        ])
      let none = try ScriptedStation { _ in Server.list(Array(SampleStation.csvHeader.utf8)) }
      defer { none.close() }
      #expect(try search.run(query, limit: 7, from: [try Server.own(none.url("/"))]).isEmpty)
      #expect(throws: ServerFailure.status(503)) { try search.run(query, limit: 7, from: [servers[0]]) }
    }
  }
}
