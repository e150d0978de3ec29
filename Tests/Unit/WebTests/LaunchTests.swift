import Testing
import Units

@testable import Web

struct LaunchTests {
  @Test("Options decide how the panel is served")
  func options() {
    guard
      case .serve(let options) = WebLaunch([
        "--listen", "127.0.0.1:80", "--listen=[::1]:80", "--password-file=p", "--certificate", "c", "--key", "k",
        "--read-only", "--files", "f", "--socket=s",
      ])
    else { return #expect(Bool(false)) }
    #expect(options.listen.map(\.description) == ["127.0.0.1:80", "[::1]:80"])
    #expect(options.passwordFile == "p" && options.certificate == "c" && options.key == "k" && options.isReadOnly)
    #expect(options.files == "f" && options.socket == "s")
    #expect(WebLaunch([String]()) == .serve(WebOptions()))
    #expect(WebLaunch(["--set-password"]) == .setPassword(Defaults.webPasswordFile))
    #expect(WebLaunch(["--set-password", "--password-file", "p"]) == .setPassword("p"))
    let own = WebOptions(files: "f", socket: "s")
    #expect(WebLaunch(["--service", "--files", "f", "--socket=s"]) == .serveByRadio(own))
    #expect(WebLaunch(["--version"]) == .printText("bakelite-web \(Version.text)"))
  }

  @Test(
    "A wrong option is refused with a sentence",
    arguments: [
      ["--listen"], ["--listen", "radio:80"], ["--listen", "80"], ["--key", "k"], ["--certificate", "c"],
      ["--port", "1"], ["x"], ["--files="], ["--socket", ""], ["--service", "--read-only"],
      ["--set-password", "--read-only"], ["--set-password", "--listen", "127.0.0.1:80"],
      ["--service", "--set-password"], ["--service", "--listen", "127.0.0.1:80"],
    ])
  func refused(_ words: [String]) {
    guard case .refuse(let sentence) = WebLaunch(words) else { return #expect(Bool(false), "\(words)") }
    #expect(!sentence.isEmpty)
  }

  @Test("A new password gets a new hash, which matches only it")
  func hashes() throws {
    let (one, other) = (
      try #require(PasswordHash(of: "correct horse")), try #require(PasswordHash(of: "correct horse"))
    )
    #expect(one != other && one.text.hasPrefix("$y$j7T$"))
    for hash in [one, other] {
      #expect(hash.fits("correct horse") && !hash.fits("correct hors") && !hash.fits("") && !hash.fits("a\0"))
    }
  }
}
