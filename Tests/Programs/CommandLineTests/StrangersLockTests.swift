import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: getuid() == 0 && Repository.tool("setpriv") != nil, "needs root, and setpriv"))
struct StrangersLockTests {
  @Test("Another user's lock file is reported with name, owner and remedy")
  func isTold() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.write([], to: "stations.toml")
      folder.write([], to: ".stations.toml.lock")
      #expect(chmod(folder.path + "/.stations.toml.lock", 0o600) == 0)
      #expect(chmod(folder.path, 0o777) == 0 && chmod(path, 0o666) == 0)
      let outcome = try Program(
        ["stations", "add", "One", "http://127.0.0.1:9/", "--stations", path],
        by: ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]
      ).waitForEnd(within: 20)
      #expect(outcome.code == 1, "\(outcome)")
      let sentence = ".stations.toml.lock next to it belongs to user 0; if no program of that user is changing the file"
      #expect(outcome.errors.contains(sentence) && outcome.errors.contains("remove .stations.toml.lock"), "\(outcome)")
    }
  }
}
