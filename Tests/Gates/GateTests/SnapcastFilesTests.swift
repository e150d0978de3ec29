import Foundation
import Testing

/// The files in `config/snapcast` that an owner copies to /etc.
@Suite struct SnapcastFilesTests {
  private static let folder = Repository.root.appending(path: "config/snapcast")
  private static let pipes = Tool("systemd-tmpfiles")
  private static let pipe = "run/bakelite-snapcast/feed"

  @Test(
    "Debian's units with our lines in them have no fault",
    .enabled(if: ServiceUnitTests.analyzer != nil, "systemd-analyze is not here: apt-get install systemd"),
    arguments: ["snapserver", "snapclient"])
  func units(_ name: String) throws {
    try Self.inFolder { units in
      try FileManager.default.copyItem(
        at: Self.folder.appending(path: "etc/systemd/system/\(name).service.d"),
        to: units.appending(path: "\(name).service.d"))
      // Replaces Debian's unit, because its program need not be installed.
      let unit = units.appending(path: "\(name).service")
      try "[Service]\nEnvironmentFile=-/etc/default/\(name)\nExecStart=/bin/true\nUser=root\n".write(
        to: unit, atomically: true, encoding: .utf8)
      let env = try #require(Tool("env"))
      let (status, text) = try env.run(["SYSTEMD_UNIT_PATH=\(units.path):", "systemd-analyze", "verify", unit.path])
      #expect(status == 0 && text.isEmpty, "\(text)")
    }
  }

  @Test(
    "The pipe is snapserver's and the group's, whatever lay there; a pipe stays the one that it was",
    .enabled(if: pipes != nil && getuid() == 0, "needs systemd-tmpfiles and root"))
  func pipeIsMade() throws {
    try Self.inFolder { root in
      try Self.makePeople(in: root, "_snapserver:x:1234:1234::/var/lib/snapserver:/bin/false\n")
      #expect(try Self.makePipe(in: root) == 0)
      let first = try Self.status(of: root)
      #expect(first.st_mode == S_IFIFO | 0o660 && first.st_uid == 1234 && first.st_gid == 29)
      chmod(root.appending(path: Self.pipe).path, 0o600)
      #expect(try Self.makePipe(in: root) == 0)
      let again = try Self.status(of: root)
      #expect(again.st_ino == first.st_ino && again.st_mode == S_IFIFO | 0o660)
      try FileManager.default.removeItem(at: root.appending(path: Self.pipe))
      try "a file that a program without a pipe wrote".write(
        to: root.appending(path: Self.pipe), atomically: true, encoding: .utf8)
      #expect(try Self.makePipe(in: root) == 0)
      #expect(try Self.status(of: root).st_mode == S_IFIFO | 0o660)
    }
  }

  @Test(
    "Without snapserver there is no pipe, and the boot goes on",
    .enabled(if: pipes != nil && getuid() == 0, "needs systemd-tmpfiles and root"))
  func noServer() throws {
    try Self.inFolder { root in
      try Self.makePeople(in: root, "")
      // EX_DATAERR of sysexits.h: systemd-tmpfiles-setup.service treats it as a success.
      #expect([0, 65].contains(try Self.makePipe(in: root)))
      #expect(access(root.appending(path: Self.pipe).path, F_OK) != 0)
    }
  }

  @Test("The pipe's folder is not affected by fs.protected_fifos") func folderMode() throws {
    let lines = try Self.text("etc/tmpfiles.d/bakelite-snapcast.conf").split(separator: "\n").filter { $0.first != "#" }
    #expect(lines.first == "d /run/bakelite-snapcast 0755 root root -")
    #expect(lines.last == "p+ /\(Self.pipe) 0660 _snapserver audio -")
  }

  @Test("The server's first source is the pipe, with the control script that the package brings") func source() throws {
    let lines = try Self.text("etc/snapserver.conf").split(separator: "\n").filter { $0.first != "#" }
    let script = "bakelite-control"
    #expect(
      lines.filter { $0.hasPrefix("source") } == [
        "source = pipe:///\(Self.pipe)?name=Bakelite&mode=read&controlscript=\(script)"
      ])
    #expect(lines.contains("sampleformat = 48000:16:2"))
    let path = Self.folder.appending(path: script).path
    #expect(access(path, X_OK) == 0)
    #expect(try Self.text(script).split(separator: "\n").last == #"exec /usr/bin/bakelite snapcast "$@""#)
  }

  // MARK: -

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  private static func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapcast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// Creates passwd and group files with root and these users.
  private static func makePeople(in root: URL, _ users: String) throws {
    for folder in ["etc", "run"] {
      try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    let files = ["etc/passwd": "root:x:0:0::/root:/bin/sh\n" + users, "etc/group": "root:x:0:\naudio:x:29:\n"]
    for (path, text) in files {
      try text.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    }
  }

  private static func makePipe(in root: URL) throws -> Int32 {
    let file = folder.appending(path: "etc/tmpfiles.d/bakelite-snapcast.conf").path
    let copy = root.appending(path: "etc/bakelite-snapcast.conf")
    if access(copy.path, F_OK) != 0 { try FileManager.default.copyItem(atPath: file, toPath: copy.path) }
    return try #require(pipes).run(["--root=\(root.path)", "--create", copy.path]).status
  }

  private static func status(of root: URL) throws -> stat {
    var facts = stat()
    #expect(lstat(root.appending(path: pipe).path, &facts) == 0)
    return facts
  }
}
