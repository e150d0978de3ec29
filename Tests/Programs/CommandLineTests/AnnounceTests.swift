import Foundation
import TestSupport
import Testing

@Suite struct AnnounceTests {
  private let folder = TemporaryFolder()
  private var file: String { folder.path + "/etc/avahi/services/bakelite.service" }

  /// Creates a system root with one line in the `[control]` section of its settings.
  private func write(_ control: String, machine: String = "0123456789abcdef0123456789abcdef\n") throws {
    for path in ["/etc/avahi/services", "/etc/bakelite", "/sys/firmware/devicetree/base", "/run/bakelite"] {
      try FileManager.default.createDirectory(atPath: folder.path + path, withIntermediateDirectories: true)
    }
    folder.write(Array("[control]\n\(control)\n".utf8), to: "etc/bakelite/bakelite.toml")
    folder.write(Array(machine.utf8), to: "etc/machine-id")
  }

  private func announce(_ words: String..., errors: Any = FileHandle.nullDevice) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [Repository.root + "/config/deb/announce"] + words
    let program = Program.folder.appendingPathComponent("bakelite").path
    process.environment = ["PATH": "/usr/bin:/bin", "DPKG_ROOT": folder.path, "BAKELITE": program]
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private var announced: String? { try? String(contentsOfFile: file, encoding: .utf8) }

  private func id() -> Substring? {
    announced.flatMap { text in
      text.firstRange(of: "<txt-record>id=").map { text[$0.upperBound...].prefix { $0 != "<" } }
    }
  }

  private static let open = "listen = \"0.0.0.0:6601\"\npassword_file = \"p\""

  @Test(
    "The radio is announced if other machines may connect, and otherwise not",
    arguments: [
      (open, "6601"), ("listen = \"[::]:6600\"\npassword_file = \"p\"", "6600"), ("", nil), ("listen = \"\"", nil),
      ("listen = \"127.0.0.1:6600\"", nil), ("listen = \"[::1]:6600\"", nil),
      ("listen = \"0.0.0.0:0\"\npassword_file = \"p\"", nil), ("listen = \"0.0.0.0:6600\"", nil), ("nonsense", nil),
    ] as [(String, String?)])
  func isAnnounced(_ control: String, port: String?) async throws {
    try await Stage.run {
      try write(Self.open)
      #expect(try announce() == 0 && announced?.contains("<port>6601</port>") == true)
      try write(control)
      #expect(try announce() == 0)
      #expect(
        announced?.contains("<type>_mpd._tcp</type>\n    <port>\(port ?? "")</port>") == (port == nil ? nil : true))
      #expect(try announce("withdraw") == 0 && announced == nil)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/etc/avahi/services")
      #expect(left == [])
    }
  }

  private var services: [String] {
    (announced ?? "").matches(of: /<type>(\S+)<\/type>\s*<port>(\d+)<\/port>/).map { "\($0.1) \($0.2)" }
  }

  @Test(
    "The web panel is announced with its settings while it is on (W6)",
    arguments: [
      ("", ["_http._tcp 80"]), (open, ["_mpd._tcp 6601", "_http._tcp 80"]),
      ("[web]\nlisten = \"0.0.0.0:8080\"", ["_http._tcp 8080"]), ("[web]\nlisten = \"127.0.0.1:8080\"", []),
      ("[web]\nlisten = \"[::]:8443\"\ncertificate = \"c\"\nkey = \"k\"", ["_https._tcp 8443"]),
      ("[web]\ncertificate = \"c\"\nkey = \"k\"", ["_https._tcp 443"]), ("[web]\nnonsense", []),
      ("[audio]\noutput = \"room\"", []),
    ])
  func webPanel(_ control: String, _ expected: [String]) async throws {
    try await Stage.run {
      try write(control)
      #expect(try announce() == 0 && services == expected.filter { $0.contains("_mpd") })
      folder.write([], to: "run/bakelite/web")
      #expect(try announce() == 0 && services == expected)
      #expect(expected.isEmpty || id()?.count == 32)
      try FileManager.default.removeItem(atPath: folder.path + "/run/bakelite/web")
      #expect(try announce() == 0 && services == expected.filter { $0.contains("_mpd") })
      folder.write([], to: "run/bakelite/web")
      #expect(try announce("withdraw") == 0 && announced == nil)
    }
  }

  @Test("A box that has lost its settings announces nothing, silently")
  func lostSettings() async throws {
    try await Stage.run {
      try write(Self.open)
      #expect(try announce() == 0 && announced != nil)
      try FileManager.default.removeItem(atPath: folder.path + "/etc/bakelite/bakelite.toml")
      let said = Pipe()
      #expect(try announce(errors: said) == 0 && announced == nil)
      try said.fileHandleForWriting.close()
      #expect(try said.fileHandleForReading.readToEnd()?.isEmpty != false)
    }
  }

  @Test("Named settings must exist")
  func withoutNamedSettings() async throws {
    try await Stage.run {
      let none = try Program.run("announce", "--config", folder.path + "/none.toml")
      #expect(none.code != 0 && none.errors.contains("none.toml"))
    }
  }

  @Test(
    "Missing settings announce nothing, which is no error",
    .disabled(if: access("/etc/bakelite/bakelite.toml", F_OK) == 0, "this machine has settings of its own"))
  func withoutSettings() async throws {
    try await Stage.run {
      let usual = try Program.run("announce")
      #expect(usual.code == 0 && usual.outputText == "" && usual.errors == "")
    }
  }

  @Test("The id is constant, unique per machine, and not the machine's own")
  func ids() async throws {
    try await Stage.run {
      try write(Self.open)
      #expect(try announce() == 0)
      let first = try #require(id())
      #expect(first.count == 32 && first.allSatisfy(\.isHexDigit) && announced?.contains("0123456789abcdef") == false)
      #expect(try announce() == 0 && id() == first)
      try write(Self.open, machine: "1123456789abcdef0123456789abcdef\n")
      #expect(try announce() == 0 && id() != first)
      // The board's serial number identifies a machine with a new id after each start.
      folder.write(Array("anew".utf8), to: "run/machine-id")
      #expect(try announce() == 0 && announced != nil && id() == nil)
      folder.write(Array("00000000deadbeef\0".utf8), to: "sys/firmware/devicetree/base/serial-number")
      #expect(try announce() == 0)
      let board = try #require(id())
      try write(Self.open, machine: "2123456789abcdef0123456789abcdef\n")
      #expect(try announce() == 0 && id() == board && board != first)
    }
  }
}
