import Directory
import DirectorySupport
import Foundation
import Http
import System
import TestSupport
import Testing
import Units

@testable import DirectoryClient

/// Fetching the copy from good and bad servers.
@Suite struct UpdateTests {
  private static let good = SampleStations.csv(600)

  @Test("A copy is fetched from the first server, gzipped, with the radio's agent (G2, G6)")
  func fetches() async throws {
    try await Stage.run {
      let server = try Server.paths(csv: try StationAction.gzipped(Self.good, type: "text/csv"))
      defer { server.close() }
      let rig = UpdateRig()
      let result = try rig.update([try Server.own(server.url("/"))])
      #expect(result.summary.count == 600 && rig.sentences.isEmpty)
      #expect(rig.progress?.stationCount == 600 && rig.progress?.byteCount == Self.good.count)
      #expect(try StationDirectory(path: rig.path).count == 600)
      #expect(try StationDirectory(path: rig.path).date == result.date)
      #expect(rig.names == ["directory"])
      let visit = try #require(server.visits.first)
      #expect(visit.header("User-Agent") == "Bakelite/test" && visit.header("Accept-Encoding") == "gzip")
      #expect(server.visits.count == 1)
    }
  }

  /// Faults of a server, and the expected words of the report.
  private static let bad: [(String, [StationAction], String)] = [
    (
      "HTML", StationAction.response("200 OK", "<!DOCTYPE html><html><body>Sign in</body></html>", type: "text/html"),
      "a web page"
    ),
    ("500", StationAction.response("500 Internal Server Error", "oops"), "answered 500"),
    (
      "half a file",
      [
        .head("200 OK", ["Content-Length: \(good.count)"]),
        .send(Array(good[..<(good.count / 2)])),
      ], "before the end"
    ),
    ("half a row", Server.list(Array(good[..<(good.count / 2 - 7)])), "ends too early"),
    (
      "no gzip",
      [
        .head("200 OK", ["Content-Encoding: gzip", "Content-Length: 9000"]),
        .send([UInt8](repeating: 0x41, count: 9_000)),
      ], "127.0.0.1"
    ),
    ("nothing", Server.list([]), "nothing"),
    ("only the header", Server.list(Array(SampleStation.csvHeader.utf8)), "no station"),
    ("JSON", StationAction.response("200 OK", "[{\"name\":\"Radio\",\"url\":\"http://a.example/\"}]"), "JSON"),
    ("10 MB without a line's end", Server.list([UInt8](repeating: 0x61, count: 10_000_000)), "something else"),
    ("a redirect in a circle", StationAction.redirect("/csv/stations"), "redirect"),
    ("a reset", [.head("200 OK", ["Content-Length: 90000"]), .send(Array(good[..<5_000])), .reset], "127.0.0.1"),
  ]

  @Test("After a server without a list the next is tried (G2)", arguments: bad.indices)
  func passesOver(_ place: Int) async throws {
    let (name, acts, words) = Self.bad[place]
    try await Stage.run {
      let first = try Server.paths(csv: acts, xml: StationAction.response("404 Not Found"))
      let second = try Server.paths(csv: Server.list(Self.good))
      defer { first.close(); second.close() }
      let rig = UpdateRig()
      try rig.make(700)
      let result = try rig.update([try Server.own(first.url("/")), try Server.own(second.url("/"))])
      #expect(result.summary.count == 600, "\(name)")
      #expect(rig.sentences.first?.contains(words) == true, "\(name): \(rig.sentences)")
      #expect(rig.names == ["directory"])
    }
  }

  @Test("If no server has a list, the copy stays byte for byte (G2)", arguments: bad.indices)
  func stays(_ place: Int) async throws {
    let (name, acts, _) = Self.bad[place]
    try await Stage.run {
      let server = try Server.paths(csv: acts, xml: StationAction.response("404 Not Found"))
      defer { server.close() }
      let rig = UpdateRig()
      try rig.make(500)
      let before = rig.copy
      let dead = try Server.own("http://127.0.0.1:9/")
      #expect(throws: ServerFailure.self) { try rig.update([dead, try Server.own(server.url("/"))]) }
      #expect(rig.copy == before && rig.names == ["directory"], "\(name)")
    }
  }

  @Test("A row of 10 MB is skipped, and the others are stored (G2)")
  func longRow() async throws {
    try await Stage.run {
      var list = Self.good
      list += Array("1,2,".utf8) + [UInt8](repeating: 0x62, count: 10_000_000) + [0x0A]
      var last = SampleStation()
      (last.name, last.url) = ("The Last", "http://last.example/")
      list += Array(last.csv.utf8)
      let server = try Server.paths(csv: Server.list(list))
      defer { server.close() }
      let rig = UpdateRig()
      #expect(try rig.update([try Server.own(server.url("/"))]).summary.count == 601)
    }
  }

  @Test("Data that unpacks to more than twenty times its size is refused (G6)")
  func bomb() async throws {
    try await Stage.run {
      var list = Self.good
      list += [UInt8](repeating: 0x0A, count: 20_000_000)
      let server = try Server.paths(csv: try StationAction.gzipped(list, type: "text/csv"))
      defer { server.close() }
      let rig = UpdateRig()
      #expect(throws: ServerFailure.network(.badAnswer)) { try rig.update([try Server.own(server.url("/"))]) }
      #expect(rig.names == [])
    }
  }

  @Test("A server with invalid CSV is asked for XML (G2)", arguments: ["404 Not Found", "200 OK"])
  func xml(_ status: String) async throws {
    try await Stage.run {
      let xml = SampleStations.xml(300)
      let server = try Server.paths(csv: StationAction.response(status, "<html></html>"), xml: Server.list(xml))
      defer { server.close() }
      let rig = UpdateRig()
      #expect(try rig.update([try Server.own(server.url("/"))]).summary.count == 300)
      #expect(server.visits.map(\.path) == ["/csv/stations", "/xml/stations"])
    }
  }

  @Test(
    "A silent server is left after ten seconds, before or inside its response (G6)", arguments: [0, 5_000])
  func silence(_ count: Int) async throws {
    try await Stage.run {
      let head = StationAction.head("200 OK", ["Content-Length: \(Self.good.count)"])
      let first = try Server.paths(csv: count == 0 ? [.stall] : [head, .send(Array(Self.good[..<count])), .stall])
      let second = try Server.paths(csv: Server.list(Self.good))
      defer { first.close(); second.close() }
      let rig = UpdateRig()
      let fast = Clock(speed: 4)
      let result = try rig.update([try Server.own(first.url("/")), try Server.own(second.url("/"))], clock: fast)
      #expect(result.summary.count == 600 && rig.sentences.first?.contains("nothing for 10 s") == true)
    }
  }

  @Test("An endlessly slow server is left at its time limit (G6)")
  func drip() async throws {
    try await Stage.run {
      let server = try Server.paths(csv: [.head("200 OK"), .pace(Self.good, perSecond: 2_000, burst: 0)])
      defer { server.close() }
      let visit = ServerVisit(engine: try HttpEngine(), clock: .machine) { false }
      let request = try Server.own(server.url("/")).request("/csv/stations", agent: "")
      #expect(throws: ServerFailure.slow) { try visit.get(request, within: Duration(seconds: 2)) { _ in } }
      #expect(ServerVisit.maxDuration == Duration(seconds: 600))
    }
  }

  @Test("A list with fewer than half the copy's stations is refused with both counts, except from a mirror (G2)")
  func fewer() async throws {
    try await Stage.run {
      let server = try Server.paths(csv: Server.list(Self.good))
      defer { server.close() }
      let rig = UpdateRig()
      try rig.make(1_300)
      let before = rig.copy
      let count = try StationDirectory(path: rig.path).count
      #expect(throws: ServerFailure.fewer(600, than: count)) { try rig.update([try Server.own(server.url("/"))]) }
      #expect(rig.copy == before)
      #expect(rig.sentences.first?.contains("600 stations, fewer than half of the \(count)") == true)
      #expect(try rig.update([try DirectoryServer(mirror: server.url("/"))]).summary.count == 600)
    }
  }

  @Test("A redirect out of the directory's domain is refused, except from a mirror (G6)")
  func redirected() async throws {
    try await Stage.run {
      let other = try Server.paths(csv: Server.list(Self.good))
      let first = try Server.paths(csv: StationAction.redirect(other.url("/csv/stations")))
      defer { first.close(); other.close() }
      let rig = UpdateRig()
      #expect(throws: ServerFailure.network(.badRedirect)) { try rig.update([try Server.own(first.url("/"))]) }
      #expect(rig.sentences.count == 1 && rig.sentences[0].contains("redirects"), "\(rig.sentences)")
      #expect(other.visits.isEmpty && rig.names == [])
      #expect(try rig.update([try DirectoryServer(mirror: first.url("/"))]).summary.count == 600)
    }
  }

  @Test("A server with two invalid lists is reported once (G2)")
  func once() async throws {
    try await Stage.run {
      let server = try Server.paths(
        csv: Server.list(Array(SampleStation.csvHeader.utf8)), xml: Server.list(SampleStations.xml(0)))
      defer { server.close() }
      let rig = UpdateRig()
      #expect(throws: ServerFailure.self) { try rig.update([try Server.own(server.url("/"))]) }
      #expect(rig.sentences == ["\(server.url("/csv/stations")): The list contains no station."])
      #expect(server.visits.count == 2)
    }
  }

  @Test("Of two simultaneous updates the second contacts no server (G2)")
  func busy() async throws {
    try await Stage.run {
      let server = try Server.paths(csv: Server.list(Self.good))
      defer { server.close() }
      let rig = UpdateRig()
      let other = try DirectoryBuilder(path: rig.path)
      #expect(throws: ServerFailure.content(.busy)) { try rig.update([try Server.own(server.url("/"))]) }
      #expect(server.visits.isEmpty)
      withExtendedLifetime(other) {}
    }
  }

  @Test("A cancelled update leaves nothing (G2)")
  func ended() async throws {
    try await Stage.run {
      let server = try Server.paths(csv: [.head(), .stall])
      defer { server.close() }
      let rig = UpdateRig()
      rig.isEnded = true
      #expect(throws: ServerFailure.ended) { try rig.update([try Server.own(server.url("/"))]) }
      #expect(rig.names == [])
    }
  }

  @Test("An unwritable copy is reported before any request (G2)")
  func unwritable() async throws {
    try await Stage.run {
      let update = try DirectoryUpdate(path: "/nonexistent/directory", agent: "", clock: .machine) { false }
      #expect(throws: ServerFailure.content(.unwritable(ENOENT, at: "/nonexistent/directory"))) {
        try update.run {
          Issue.record("no server is asked for")
          return []
        }
      }
    }
  }
}
