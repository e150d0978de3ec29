import Directory
import DirectorySupport
import Foundation
import TestSupport
import Testing

/// Runs `bakelite find` with a server that responds as radio-browser does.
@Suite struct FindTests {
  @Test("A copy of 8,000 stations is fetched and searched, for people and for programs (G1, G2)")
  func finds() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(8_000))
      let update = try rig.update(within: 120)
      #expect(update.code == 0 && update.output.isEmpty, "\(update.errors)")
      #expect(update.errors.hasPrefix("The directory has 8000 stations, "), "\(update.errors)")
      #expect(update.errors.contains("from \(rig.server.url("").dropLast())"), "\(update.errors)")
      #expect(rig.server.visits.map(\.path) == ["/csv/stations"])
      // One fifth of the limit for 40,000 stations, which `make find-figures` measures.
      #expect(rig.folder.bytes(of: "directory").count <= 1_600_000)

      let lines = try rig.find("jazz", "--limit", "7")
      let fields = lines.outputText.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      #expect(lines.code == 0 && fields.count == 7 && fields.allSatisfy { $0.count == 7 })
      let votes = fields.compactMap { Int($0[5]) }
      #expect(votes.count == 7 && votes == votes.sorted(by: >))

      let json = try rig.find("--country", "DE", "--codec", "aac", "--json")
      let objects = try json.outputText.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.count == 20 && objects.allSatisfy { $0["countryCode"] as? String == "DE" })
      #expect(objects.allSatisfy { ($0["codec"] as? String)?.hasPrefix("AAC") == true && $0["uuid"] is String })
      let first = try #require(objects.first)
      #expect(
        Set(first.keys) == [
          "number", "name", "url", "homepage", "tags", "countryCode", "country", "state", "languages", "codec",
          "bitRate", "votes", "isAlive", "isHls", "uuid",
        ])
      #expect(rig.server.visits.count == 1)
    }
  }

  @Test(
    "Misspelt words, empty results, and a missing, damaged or foreign copy are reported (G1, G2)")
  func reportsProblems() async throws {
    try await Stage.run {
      var station = SampleStation()
      (station.name, station.url, station.uuid) = ("Kitchen FM", "http://a.example/", FindRig.uuid)
      let rig = try FindRig(Array((SampleStation.csvHeader + station.csv).utf8))
      let absent = try rig.find("jazz")
      #expect(absent.code == 1 && absent.errors.contains("bakelite find --update"), "\(absent.errors)")
      #expect(try rig.update().code == 0)
      let near = try rig.find("kitchan")
      #expect(near.code == 0 && near.outputText.contains("Kitchen FM") && near.errors.hasPrefix("No exact match"))
      let none = try rig.find("zzzzzz")
      #expect(none.code == 1 && none.errors.hasPrefix("bakelite: No station of the directory has \"zzzzzz\"; "))
      var bytes = rig.folder.bytes(of: "directory")
      bytes[bytes.count / 2] ^= 1
      for (bytes, words) in [(bytes, "damaged"), (Array("[[station]]\n".utf8), "not a station directory")] {
        rig.folder.write(bytes, to: "directory")
        let search = try rig.find("kitchen")
        #expect(search.code == 1 && search.errors.contains(words), "\(search.errors)")
        let update = try rig.update()
        #expect(update.code == 0 && update.errors.contains("has 1 stations"))
        #expect(update.errors.hasPrefix("bakelite: \(rig.path) is "), "\(update.errors)")
        #expect(update.errors.contains("; the update replaces it after the download.\n"), "\(update.errors)")
        #expect(update.errors.contains(words))
        #expect(try rig.find("kitchen").code == 0)
      }
    }
  }

  @Test("A program killed during a fetch leaves the old copy whole and the lock free (G2)")
  func killed() async throws {
    try await Stage.run {
      let list = SampleStations.csv(8_000)
      let slow: [StationAction] = [
        .head("200 OK", ["Content-Length: \(list.count)"]), .pace(list, perSecond: Double(list.count) / 0.8, burst: 0),
      ]
      let isSlow = Gate()
      let rig = try FindRig { visit in
        visit.path == "/csv/stations"
          ? isSlow.isOpen ? slow : Server.list(list) : StationAction.response("404 Not Found")
      }
      #expect(try rig.update(within: 60).code == 0)
      let old = rig.folder.bytes(of: "directory")
      isSlow.open()
      var random = SystemRandomNumberGenerator()
      var ended = 0
      for _ in 0..<12 {
        let program = try rig.begin("--update", "--mirror", rig.server.url("/"))
        usleep(UInt32.random(in: 20_000...2_500_000, using: &random))
        program.signal(SIGKILL)
        if try program.waitForEnd().code == 0 { ended += 1 }
        let copy = try StationDirectory(path: rig.path)
        #expect(copy.count == (try StationDirectory(path: rig.path)).count && copy.count > 7_900)
        if ended == 0 { #expect(copy.byteCount == old.count) }
      }
      #expect(try rig.update(within: 60).code == 0)
      #expect(rig.names == ["bakelite.toml", "directory"])
    }
  }

  @Test("A first Ctrl-C ends an update and leaves nothing (G2)")
  func interrupted() async throws {
    try await Stage.run {
      let begun = Gate()
      let rig = try FindRig { _ in [.head(), .open(begun), .stall] }
      let program = try rig.begin("--update", "--mirror", rig.server.url("/"))
      #expect(begun.wait(20))
      usleep(200_000)
      program.interrupt()
      let outcome = try program.waitForEnd()
      #expect(outcome.code == 1 && outcome.errors.contains("Ended before the list was there"), "\(outcome.errors)")
      #expect(rig.names == ["bakelite.toml"])
    }
  }

  @Test("The timer's update is silent, and sends nothing before the owner's first or for a young copy (G2, G6)")
  func due() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      func timed(_ days: Int) throws -> Program.Outcome {
        try rig.settings("update_days = \(days)")
        return try rig.find("--update", "--if-due", "--mirror", rig.server.url("/"))
      }
      #expect(try timed(7).errors == "" && rig.server.visits.isEmpty)
      #expect(try rig.update().code == 0)
      #expect(try timed(7).errors == "" && rig.server.visits.count == 1)
      try rig.make(date: Int64(Date().timeIntervalSince1970) - 8 * 86_400)
      #expect(try timed(0).errors == "" && rig.server.visits.count == 1)
      let run = try timed(7)
      #expect(run.code == 0 && run.errors.contains("50 stations") && rig.server.visits.count == 2, "\(run.errors)")
    }
  }

  @Test("An unwritable folder means a personal copy, and the newer of both is searched (G2)")
  func own() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      try rig.settings("", path: rig.folder.path + "/nowhere/directory")
      let cache = rig.folder.path + "/cache"
      let update = try rig.update()
      #expect(update.code == 0)
      #expect(FileManager.default.fileExists(atPath: cache + "/bakelite/directory"))
      #expect(
        update.errors.hasSuffix(
          """
          The update was saved to your own copy, \(cache)/bakelite/directory, because there is no folder \
          \(rig.folder.path)/nowhere.

          """), "\(update.errors)")
      #expect(try rig.find().outputText.split(separator: "\n").count == 20)
    }
  }

  @Test("The timer's update fails without write access or readable settings (G2, G6)")
  func timerFails() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      func timed() throws -> Program.Outcome { try rig.find("--update", "--if-due", "--mirror", rig.server.url("/")) }
      let gone = rig.folder.path + "/nowhere/directory"
      try rig.settings("", path: gone)
      let run = try timed()
      let words = "cannot write to the folder of [directory] path, \(gone)"
      #expect(run.code == 1 && run.errors.contains(words), "\(run.errors)")
      try rig.settings("update_days = 0", path: gone)
      #expect(try timed().errors == "")
      try rig.settings("")
      try rig.make(date: 1)
      rig.folder.write(Array("[directory]\nupdate_days = \"no\"\n".utf8), to: "owner.toml")
      let unsure = try timed()
      #expect(unsure.code == 2 && unsure.errors.contains("owner.toml"), "\(unsure.errors)")
      #expect(rig.server.visits.isEmpty)
    }
  }

  @Test("A request of the radio downloads the first copy, and the radio gets the result (W1, G2)")
  func request() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      let (request, progress) = (rig.folder.path + "/update", rig.folder.path + "/update.progress")
      func timed() throws -> Program.Outcome {
        try rig.find("--update", "--if-due", "--request", request, "--mirror", rig.server.url("/"))
      }
      func report() -> String { (try? String(contentsOfFile: progress, encoding: .utf8)) ?? "" }
      #expect(try timed().errors == "" && rig.server.visits.isEmpty && report() == "", "nothing is requested")
      rig.folder.write([], to: "update")
      try rig.settings("update_days = 0")
      #expect(try timed().code == 0 && rig.server.visits.count == 1 && report() == "ready")
      #expect(rig.names.contains("directory") && !rig.names.contains("update"), "the request is removed")
      rig.folder.write([], to: "update")
      rig.folder.write(Array("[directory]\nupdate_days = \"no\"\n".utf8), to: "owner.toml")
      #expect(try timed().code == 2 && report().hasPrefix("failed The settings have an error"))
      #expect(!rig.names.contains("update"), "systemd would start the service forever")
    }
  }

  @Test("A failed request reports the reason to the radio (W1)")
  func requestFails() async throws {
    try await Stage.run {
      let rig = try FindRig(Array(SampleStation.csvHeader.utf8))
      rig.folder.write([], to: "update")
      let run = try rig.find(
        "--update", "--if-due", "--request", rig.folder.path + "/update", "--mirror", rig.server.url("/"))
      let report = try String(contentsOfFile: rig.folder.path + "/update.progress", encoding: .utf8)
      #expect(run.code == 1 && report.hasPrefix("failed ") && report.hasSuffix("There is still no copy."), "\(report)")
      #expect(report.contains("The list contains no station."))
    }
  }

  @Test("The folder of a radio that never ran is created for its first copy (G2)")
  func firstCopy() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      let state = rig.folder.path + "/state"
      let text = "[directory]\npath = \"\(state)/directory\"\n[state]\npath = \"\(state)\"\n"
      rig.folder.write(Array(text.utf8), to: "bakelite.toml")
      let update = try rig.update()
      #expect(update.code == 0 && !update.errors.contains("your own"), "\(update.errors)")
      #expect(FileManager.default.fileExists(atPath: state + "/directory"))
      let attributes = try FileManager.default.attributesOfItem(atPath: state)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test("A private server without a list is reported once in its own words (G2)")
  func mirror() async throws {
    try await Stage.run {
      let rig = try FindRig(Array(SampleStation.csvHeader.utf8))
      let run = try rig.update()
      #expect(
        run.errors == """
          bakelite: \(rig.server.url("/csv/stations")): The list contains no station.
          bakelite: There is still no copy.

          """)
      let wrong = try rig.find("--update", "--mirror", "ftp://x/")
      #expect(wrong.code == 2 && wrong.errors.contains("ftp") && !wrong.errors.contains("station;"), "\(wrong.errors)")
    }
  }

  @Test(
    "Wrong use gives exit code 2 (G1)",
    arguments: [
      ["--limit", "0"], ["--limit", "1001"], ["--add", "0"], ["--update", "jazz"], ["--if-due"],
      ["--update", "--request", "x"],
      ["--online", "--update"],
      ["--mirror", "ftp://a/", "--update"], ["--mirror", "http://a/"], ["--update", "--play"], ["--json", "--play"],
      ["--output", "null"],
    ])
  func wrongUse(_ arguments: [String]) async throws {
    try await Stage.run {
      let outcome = try Program(["find"] + arguments).waitForEnd()
      #expect(outcome.code == 2 && outcome.errors.hasPrefix("bakelite: "), "\(outcome.errors)")
    }
  }
}
