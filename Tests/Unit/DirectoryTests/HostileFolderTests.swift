import Directory
import DirectorySupport
import Foundation
import Testing

/// A folder in which a link redirects another user's update.
struct HostileFolderTests {
  private let folder: TemporaryFolder
  private let place: TemporaryFolder
  private let victim: String
  private let secret = Data("root:x:0:0\n".utf8)

  init() throws {
    (folder, place) = (try TemporaryFolder(), try TemporaryFolder())
    victim = place.url.appending(path: "passwd").path
    try secret.write(to: URL(filePath: victim))
  }

  private func update() throws {
    let builder = try DirectoryBuilder(path: folder.path)
    try builder.append(.made("A"))
    _ = try builder.finish(date: 1, source: "")
  }

  private func isUnharmed() throws -> Bool {
    var status = stat()
    let bytes = try Data(contentsOf: URL(filePath: victim))
    return stat(victim, &status) == 0 && status.st_uid == geteuid() && bytes == secret
  }

  @Test("Root follows no other user's link, and names it (G2)")
  func foreignLink() throws {
    guard geteuid() == 0 else { return print("Skipped: only root can give a link to another user.") }
    chown(folder.url.path, 1_234, 1_234)
    symlink(victim, folder.path)
    lchown(folder.path, 1_234, 1_234)
    #expect(throws: DirectoryError.unwritable(ELOOP, at: folder.path)) { try update() }
    #expect(try isUnharmed() && folder.names == ["directory"] && place.names == ["passwd"])
    #expect(
      DirectoryError.unwritable(ELOOP, at: "/a/directory").description
        == "The station directory /a/directory is a symbolic link that root does not own: remove the link, or set "
        + "[directory] path.")
    // The link points to another user's link.
    let own = place.url.appending(path: "link").path
    symlink(folder.path, own)
    #expect(throws: DirectoryError.unwritable(ELOOP, at: folder.path)) { try DirectoryBuilder(path: own) }
    // A file of another user is replaced, and keeps its owner.
    unlink(folder.path)
    try update()
    var status = stat()
    #expect(stat(folder.path, &status) == 0 && status.st_uid == 1_234)
  }

  @Test("Chained links are followed up to a limit (G2)")
  func ownLinks() throws {
    symlink("next", folder.path)
    symlink("\(place.url.path)/directory", folder.url.appending(path: "next").path)
    try update()
    #expect(place.names == ["directory", "passwd"] && folder.names == ["directory", "next"])
    let round = place.url.appending(path: "round").path
    symlink("round", round)
    #expect(throws: DirectoryError.unwritable(ELOOP, at: round)) { try DirectoryBuilder(path: round) }
  }

  @Test("A temporary file with a second name is replaced, not written (G2)")
  func hardLink() throws {
    chown(folder.url.path, 1_234, 1_234)
    let left = folder.url.appending(path: ".directory.new").path
    for link in [link, symlink] {
      #expect(link(victim, left) == 0)
      try update()
      #expect(try isUnharmed() && folder.names == ["directory"])
    }
    mkfifo(left, 0o600)
    try update()
    #expect(folder.names == ["directory"])
    #expect(try StationDirectory(path: folder.path).count == 1)
  }

  @Test("An update whose temporary file was replaced gives up, and leaves the new one (G2)")
  func swapped() throws {
    let left = folder.url.appending(path: ".directory.new")
    do {
      let builder = try DirectoryBuilder(path: folder.path)
      try builder.append(.made("A"))
      try FileManager.default.removeItem(at: left)
      try secret.write(to: left)
      #expect(throws: DirectoryError.busy) { try builder.finish(date: 1, source: "") }
    }
    #expect(folder.names == [".directory.new"])
    #expect(try Data(contentsOf: left) == secret)
  }

  @Test(
    "An unwritable file is reported with name and remedy (G2)",
    arguments: [
      (ENOENT, "No such file or directory", "make its folder, or set [directory] path to a file in one that is there"),
      (
        EACCES, "Permission denied",
        "run the command with sudo, or set [directory] path to a file in a folder of your own"
      ),
      (ENOSPC, "No space left on device", "free some space, or set [directory] path to a file elsewhere"),
    ])
  func sentences(_ code: Int32, _ text: String, _ remedy: String) {
    #expect(
      DirectoryError.unwritable(code, at: "/a/\u{1B}b").description
        == "The station directory /a/b cannot be written (\(text)): \(remedy).")
    #expect(
      DirectoryError.unwritable(code).description == "The station directory cannot be written (\(text)): \(remedy).")
  }
}
