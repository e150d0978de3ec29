import Settings
import Testing
import Units

@testable import Box

@Suite struct LaunchRequestTests {
  @Test("Each option has its value, and the last of several wins")
  func options() {
    var all = LaunchOptions()
    (all.configPath, all.stations, all.board) = ("c", "s", "b")
    (all.boards, all.output) = ("f", "null")
    let words = ["--config", "x", "--stations", "s", "--board", "b", "--boards", "f", "--output", "null"]
    #expect(LaunchRequest(words + ["--config", "c"]) == .start(all))
    let joined = ["--config=c", "--stations=s", "--board=b", "--boards=f", "--output=null"]
    #expect(LaunchRequest(joined) == .start(all))
    (all.configPath, all.output) = ("a=b", "raw:/c=d")
    #expect(LaunchRequest(joined + ["--config=a=b", "--output", "raw:/c=d"]) == .start(all))
    #expect(LaunchRequest([]) == .start(LaunchOptions()))
  }

  @Test(
    "A wrong option is refused by name",
    arguments: [
      (["--colour"], "There is no option \"--colour\"; bakelited --help lists all."),
      (["a.toml"], "There is no option \"a.toml\"; bakelited --help lists all."),
      (["--conifg", "c"], "There is no option \"--conifg\"; did you mean --config?"),
      (["--stattions=s"], "There is no option \"--stattions\"; did you mean --stations?"),
      (["--board"], "--board needs a value; see bakelited --help."),
      (["--config", "c", "--boards"], "--boards needs a value; see bakelited --help."),
      (
        ["--output", "loud"],
        "--output is \"loud\", and must be alsa[:DEVICE], snapcast[:PIPE], raw:PATH, wav:PATH or null."
      ),
    ])
  func refusals(_ words: [String], _ problem: String) {
    #expect(LaunchRequest(words) == .refuse(problem))
  }

  @Test("A text is printed instead of a start, unless an earlier word is wrong")
  func texts() {
    #expect(LaunchRequest(["--config", "c", "--version"]) == .showText("bakelited \(Version.text)"))
    #expect(LaunchRequest(["--version", "--colour"]) == .showText("bakelited \(Version.text)"))
    guard case .showText(let help) = LaunchRequest(["--help"]), LaunchRequest(["-h"]) == .showText(help) else {
      Issue.record("--help tells a text")
      return
    }
    for option in ["--config", "--stations", "--board", "--boards", "--output"] { #expect(help.contains(option + " ")) }
  }

  @Test(
    "The station file is next to the settings, unless named",
    arguments: [
      (nil, nil, "/etc/bakelite/stations.toml"), ("/a/b.toml", nil, "/a/stations.toml"),
      ("b.toml", nil, "stations.toml"),
      ("/b.toml", nil, "/stations.toml"), ("/a/b.toml", "s.toml", "s.toml"),
    ] as [(String?, String?, String)])
  func stations(_ config: String?, _ stations: String?, _ path: String) {
    var launch = LaunchOptions()
    (launch.configPath, launch.stations) = (config, stations)
    #expect(launch.stationsPath == path)
  }

  @Test("Boards are in the usual folders, unless one is named")
  func boards() {
    var launch = LaunchOptions()
    #expect(launch.boardFolders == ["/etc/bakelite/boards", "/usr/share/bakelite/boards"])
    launch.boards = "here"
    #expect(launch.boardFolders == ["here"])
  }
}
