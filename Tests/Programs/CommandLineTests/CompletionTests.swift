import Foundation
import TestSupport
import Testing

@testable import bakelite

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/bin/bash"), "needs bash")) struct CompletionTests {
  private static let script = """
    eval "$("$0" --generate-completion-script bash)"
    COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
    _bakelite "$0" "${COMP_WORDS[$#]}" "${COMP_WORDS[$#-1]}"
    for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
    """

  private func offered(_ words: [String]) throws -> [String] {
    let outcome = try Program(words, by: ["/bin/bash", "-c", Self.script], directory: Repository.root).waitForEnd(
      within: 20)
    return outcome.outputText.split(separator: "\n").map(String.init)
  }

  @Test(
    "Completion offers subcommands, ctl commands and their arguments, boards and values",
    arguments: [
      (["stati"], ["stations", "station"]), (["ctl", "tu"], ["tune", "turn"]), (["ctl", "keep", "p"], ["previous"]),
      (["ctl", "setting", "panel.vol"], ["panel.volume_step"]), (["ctl", "press", "preset_3"], ["preset_3"]),
      (["doctor", "--board", "simul"], ["simulated"]), (["play", "--drift", "o"], ["on", "off"]),
      (["play", "--output", "al"], ["alsa:"]), (["stations", "li"], ["list"]),
      (["ctl", "relo"], ["reload", "relocate"]), (["ctl", "relocate", "ac"], ["accept"]),
      (["ctl", "sleep", "o"], ["off"]), (["ctl", "directory", "u"], ["update"]),
    ])
  func words(_ typed: [String], _ offer: [String]) async throws {
    try await Stage.run {
      let words = try offered(typed)
      #expect(Set(words) == Set(offer))
    }
  }

  @Test("Completion offers station names, also of a running radio, and never executes a name")
  func stations() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let names = ["FIP", "Ö1 Jazz (2)", "$(touch evil)", "`touch evil`", "a\\$(touch evil)", "-x"]
      let list = names.map { "[[station]]\nname = '\($0)'\nurl = \"http://127.0.0.1:9/\"\n" }.joined()
      let path = folder.write(Array(list.utf8), to: "stations.toml")
      let offer = try offered(["stations", "remove", "--stations", path, ""])
      #expect(offer.filter { !$0.hasPrefix("-") } == Array(names[..<2]))
      #expect(!FileManager.default.fileExists(atPath: Repository.root + "/evil"))
      let box = try Box(stations: [("First", "http://127.0.0.1:9/"), ("Second", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      #expect(try offered(["ctl", "--socket", box.socket, "tune", "Sec"]) == ["Second"])
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "Completion offers only words of harmless characters",
    arguments: [
      ("Radio 1", true), ("Ö1", true), ("日本", true), ("R&B = 100%", true), ("a'b", false), ("a\"b", false),
      ("a$b", false), ("a`b", false), ("a\\b", false), ("a\nb", false), ("a;b", false), ("~", false), ("a:b", false),
    ])
  func harmless(_ word: String, _ isOffered: Bool) { #expect(ShellWords.safe([word]).count == (isOffered ? 1 : 0)) }
}
