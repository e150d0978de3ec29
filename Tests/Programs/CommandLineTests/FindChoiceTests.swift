import DirectorySupport
import Foundation
import StationSupport
import TestSupport
import Testing

@Suite struct FindChoiceTests {
  private func rig(_ station: ScriptedStation, names: [String] = ["Kitchen FM"]) throws -> FindRig {
    let rows = names.enumerated().map { place, name in
      var row = SampleStation()
      (row.name, row.votes) = (name, 100 - place)
      row.url = station.url("/live\(place)?key=secret")
      row.uuid = String(FindRig.uuid.dropLast()) + "\(place)"
      return row.csv
    }
    let rig = try FindRig(Array((SampleStation.csvHeader + rows.joined()).utf8))
    #expect(try rig.update().code == 0)
    return rig
  }

  @Test("--add stores a station as a preset with its id, once per address (G1)")
  func adds() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(1)))
      defer { station.close() }
      let rig = try rig(station, names: ["Kitchen FM", "Kitchen FM", "Other"])
      let list = rig.folder.write([], to: "stations.toml")
      let first = try rig.find("kitchen", "--add", "1", "--stations", list)
      #expect(first.code == 0 && first.errors == "\"Kitchen FM\" is station 1 of \(list).\n", "\(first.errors)")
      let again = try rig.find("kitchen", "--add", "1", "--stations", list)
      #expect(again.code == 1 && again.errors.contains("already station 1"), "\(again.errors)")
      #expect(
        try rig.find("kitchen", "--add", "2", "--stations", list).errors.contains("\"Kitchen FM (2)\" is station 2"))
      let far = try rig.find("kitchen", "--add", "3", "--stations", list)
      #expect(far.code == 1 && far.errors.contains("There is no station 3 in the list; it has 2."), "\(far.errors)")
      #expect(
        String(decoding: rig.folder.bytes(of: "stations.toml"), as: UTF8.self).hasPrefix(
          """
          [[station]]
          name = "Kitchen FM"
          url = "\(station.url("/live0?key=secret"))"
          directory_id = "\(FindRig.uuid.dropLast())0"
          """))
    }
  }

  @Test("A preset's station at another address is not stored again, and the remedy is named (G1)")
  func sameStation() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(1)))
      defer { station.close() }
      let rig = try rig(station)
      let old = """
        [[station]]
        name = "Mine"
        url = "http://old.example/"
        directory_id = "\(FindRig.uuid.dropLast().uppercased())0"
        """
      let list = rig.folder.write(Array(old.utf8), to: "stations.toml")
      let run = try rig.find("kitchen", "--add", "1", "--stations", list)
      #expect(run.code == 1 && run.errors.contains("already preset 1, \"Mine\""), "\(run.errors)")
      #expect(run.errors.hasSuffix("bakelite stations remove 1 --stations \(list)\n"), "\(run.errors)")
      let (owner, socket) = (rig.folder.path + "/owner.toml", rig.folder.path + "/a socket")
      let named = try rig.find(
        "kitchen", "--add", "1", "--stations", list, "--owner", owner, "--socket", socket)
      let options = "--stations \(list) --owner \(owner) --socket '\(socket)'"
      #expect(named.errors.hasSuffix("bakelite stations remove 1 \(options)\n"), "\(named.errors)")
      #expect(rig.folder.bytes(of: "stations.toml") == Array(old.utf8))
    }
  }

  @Test("The directory is not notified of a private server's station (G6)")
  func privateCopy() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.file(Clip.mp3(1).bytes))
      defer { station.close() }
      let rig = try rig(station)
      try rig.settings("count_clicks = true")
      let run = try rig.find("kitchen", "--play", "--output", "null", within: 30)
      #expect(run.code == 0, "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: rig.folder.path + "/cache/bakelite/clicks"))
    }
  }

  @Test("--play plays the first station, and notifies the directory once a day if allowed (G6)")
  func plays() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let station = try ScriptedStation(StationAction.file(clip.bytes))
      defer { station.close() }
      let rig = try rig(station)
      func clicks() -> Int { rig.server.visits.count { $0.path.hasPrefix("/xml/url/") } }
      func play(_ options: String...) throws -> Program.Outcome {
        try rig.begin(["kitchen", "--play", "--output", "null"] + options).waitForEnd(within: 30)
      }
      let run = try play()
      #expect(run.code == 0 && run.errors.contains("Playing \"Kitchen FM\" here.") && !run.errors.contains("secret"))
      #expect(station.visits.contains { $0.path == "/live0?key=secret" } && clicks() == 0)
      try rig.settings("count_clicks = true")
      // `--online` sends requests and the click to this server instead of radio-browser.
      #expect(try play("--online", "--mirror", rig.server.url("/")).code == 0)
      #expect(clicks() == 1)
      #expect(rig.server.visits.last { $0.path.hasPrefix("/xml") }?.path == "/xml/url/\(FindRig.uuid.dropLast())0")
      #expect(try play("--online", "--mirror", rig.server.url("/")).code == 0)
      #expect(clicks() == 1)
    }
  }

  @Test("--play tunes the running radio (G1)")
  func tunes() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(5)))
      defer { station.close() }
      let rig = try rig(station)
      let box = try Box(stations: [("First", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      let run = try rig.find("kitchen", "--play", "--socket", box.socket)
      #expect(run.code == 0 && run.errors == "The radio plays \"Kitchen FM\".\n", "\(run.errors)")
      let deadline = Date().addingTimeInterval(10)
      while !station.visits.contains(where: { $0.path == "/live0?key=secret" }), Date() < deadline { usleep(20_000) }
      #expect(station.visits.contains { $0.path == "/live0?key=secret" })
      #expect(try box.switchOff().code == 0)
      let gone = try rig.find("kitchen", "--play", "--socket", box.socket)
      #expect(gone.code == 1 && gone.errors.contains("No radio answers"), "\(gone.errors)")
    }
  }

  @Test("--online queries the servers, and leaves the copy alone (G1)")
  func online() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(1)))
      defer { station.close() }
      let rig = try rig(station)
      let before = rig.folder.bytes(of: "directory")
      let run = try rig.find("jazz", "--country", "DE", "--online", "--mirror", rig.server.url("/api"), "--limit", "3")
      #expect(run.code == 1, "the server has nothing below /api")
      let good = try rig.find("jazz", "--country", "DE", "--online", "--mirror", rig.server.url("/"), "--limit", "3")
      #expect(good.code == 0 && good.outputText.hasPrefix("1\tKitchen FM\t"), "\(good.errors)")
      let asked = rig.server.visits.map(\.path).filter { $0.contains("search") }
      let query = "/csv/stations/search?name=jazz&countrycode=DE&limit=3&hidebroken=true&order=votes&reverse=true"
      #expect(asked == ["/api" + query, query])
      #expect(rig.folder.bytes(of: "directory") == before)
    }
  }
}
