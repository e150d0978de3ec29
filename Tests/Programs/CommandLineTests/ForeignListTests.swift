import Foundation
import TestSupport
import Testing

/// `stations import` reads the files of other players (I5).
@Suite struct ForeignListTests {
  private static let count = 100

  private static func url(_ number: Int) -> String { "http://radio\(number).example:8000/live/\(number).mp3" }

  private static func id(_ number: Int) -> String {
    "960cf833-0601-11e8-ae97-" + String(repeating: "0", count: 9) + String(format: "%03x", number)
  }

  private static func json(_ object: Any) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private static let numbers = 0..<count

  /// Each program's file with the same stations, in the form of its documentation.
  private static let files: [(name: String, text: String)] = [
    ("volumio", json(numbers.map { ["service": "webradio", "name": "Sender \($0)", "uri": url($0)] })),
    (
      "moode.json",
      json([
        "schema": "station,name",
        "stations": numbers.map { ["id": "\($0)", "station": url($0), "name": "Sender \($0)", "home_page": "x"] },
      ])
    ),
    (
      "radiotray-ng.json",
      json(
        stride(from: 0, to: count, by: 10).map { first in
          [
            "group": "Group \(first)", "image": "",
            "stations": (first..<first + 10).map { ["name": "Sender \($0)", "url": url($0), "image": ""] },
          ] as [String: Any]
        })
    ),
    (
      "radio-browser.json",
      json(
        numbers.map {
          [
            "name": "Sender \($0)", "url": url($0), "url_resolved": url($0) + "?x", "stationuuid": id($0),
            "homepage": "http://home.example", "bitrate": 128,
          ] as [String: Any]
        })
    ),
    ("yoradio.csv", numbers.map { "Sender \($0)\t\(url($0))\t0\n" }.joined()),
    (
      "karadio.json",
      numbers.map {
        json([
          "Name": "Sender \($0)", "URL": "radio\($0).example", "File": "/live/\($0).mp3", "Port": "8000", "ovol": "0",
        ])
          + "\r\n"
      }.joined()
    ),
    (
      "bookmarks.xml",
      "<?xml version='1.0' encoding='UTF-8'?>\n<bookmarks><group name=\"root\"><group name=\"Jazz\">"
        + numbers.map { "<bookmark name=\"Sender \($0)\" url=\"\(url($0))\"/>" }.joined()
        + "</group></group></bookmarks>"
    ),
    (
      "favourites.xml",
      "<favourites>"
        + numbers.map { "<favourite name=\"Sender \($0)\" thumb=\"\">PlayMedia(&quot;\(url($0))&quot;)</favourite>\n" }
        .joined() + "<favourite name=\"Weather\">ActivateWindow(Weather)</favourite></favourites>"
    ),
    (
      "radiodroid.m3u",
      "#EXTM3U\n"
        + numbers.map { "\n#RADIOBROWSERUUID:\(id($0))\n#EXTINF:-1,Sender \($0)\n\(url($0))\n" }.joined()
    ),
  ]

  @Test("The export of another player is imported whole, with ids where it has them (I5)", arguments: files)
  func imports(_ file: (name: String, text: String)) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      folder.write(Array(file.text.utf8), to: file.name)
      folder.write([], to: "stations.toml")
      let path = folder.path + "/stations.toml"
      let outcome = try Program.run("stations", "import", "\(folder.path)/\(file.name)", "--stations", path)
      #expect(outcome.code == 0 && outcome.errors.contains("Imported \(Self.count) stations."), "\(outcome.errors)")
      let listed = try Program.run("stations", "list", "--json", "--stations", path).outputText
      let objects = try listed.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["name"] as? String } == Self.numbers.map { "Sender \($0)" })
      #expect(objects.map { $0["url"] as? String } == Self.numbers.map(Self.url))
      let text = String(decoding: folder.bytes(of: "stations.toml"), as: UTF8.self)
      let hasIDs = ["radio-browser.json", "radiodroid.m3u"].contains(file.name)
      for number in Self.numbers { #expect(text.contains("\"\(Self.id(number))\"") == hasIDs) }
    }
  }

  @Test(
    "Entries without a usable address are counted; other files are refused (I5)",
    arguments: [
      (
        "a\thttp://a.example/\t0\nb\n\nc\tno address\t0\nd\td.example/x\t0\n",
        "Imported 2 stations. Skipped 2 without a usable address: b, c."
      ),
      (#"[{"name":"A","uri":"http://a.example/"},{"name":"B"}]"#, "Imported 1 station. Skipped 1 without"),
      (#"[{"name":"A","url":"file:///etc/passwd"}]"#, "Skipped 1 that would read a file of this machine: A."),
      (
        #"[{"url":"a.example","file":"/x","name":"n","port":1e300},{"service":"mpd","title":"S","uri":"music/a.mp3"}]"#,
        "Imported 1 station. Skipped 1 without a usable address: S."
      ),
      (#"{"a":1}"#, "has no station with a name and an address"),
      (#"[{"name":"A","#, "is damaged JSON"), ("[]", "has no station with a name and an address"),
      ("a\tb\nc", "is not a station list"),
      ("<favourites><favourite>ActivateWindow(1)</favourite></favourites>", "is not a station list"),
      (String(repeating: "[", count: 200_000), "is damaged JSON"),
    ])
  func counts(_ text: String, _ words: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      folder.write(Array(text.utf8), to: "list")
      folder.write([], to: "stations.toml")
      let outcome = try Program.run(
        "stations", "import", "\(folder.path)/list", "--stations", folder.path + "/stations.toml")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
