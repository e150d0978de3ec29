import Foundation
import Network
import Testing

/// The `openssl` tool: makes certificates, and serves with them.
struct OpenSSL {
  static let path = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":")
    .map { "\($0)/openssl" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  let folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID())")

  /// A folder with a key and a self-signed certificate for `name`, valid between two years.
  init(name: String, from start: Int, to end: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try """
    [ca]
    default_ca = it
    [it]
    database = index
    serial = serial
    new_certs_dir = .
    default_md = sha256
    policy = policy
    x509_extensions = extensions
    [policy]
    commonName = supplied
    [extensions]
    subjectAltName = DNS:\(name)
    """.write(to: folder.appending(path: "config"), atomically: true, encoding: .utf8)
    try Data().write(to: folder.appending(path: "index"))
    try Data("01\n".utf8).write(to: folder.appending(path: "serial"))
    try run("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out request -subj /CN=\(name)")
    try run(
      "ca -batch -config config -selfsign -keyfile key -in request -out certificate -notext"
        + " -startdate \(start)0101000000Z -enddate \(end)0101000000Z")
  }

  var trust: TrustStore {
    let path = folder.appending(path: "certificate").path
    return TrustStore { $0 == "SSL_CERT_FILE" ? path : nil }
  }

  /// Serves one page over TLS while `test` runs with the port.
  func serve(_ test: (Int) throws -> Void) throws {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: try #require(Self.path))
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-key", "key", "-cert", "certificate", "-www"]
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    process.standardInput = Pipe()
    try process.run()
    defer {
      // The child inherits the signal mask of a test's thread, which may block every milder signal.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }
    var text = ""
    while text.firstRange(of: #/ACCEPT .*:\d+\n/#) == nil {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "openssl s_server did not start")
      text += String(decoding: data, as: UTF8.self)
    }
    let port = try #require(text.firstMatch(of: #/ACCEPT .*:(\d+)/#)).1
    try test(try #require(Int(port)))
  }

  private func run(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.path))
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
  }
}

@Suite(.enabled(if: OpenSSL.path != nil, "needs the openssl tool")) struct TLSTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var name = "localhost"
    var years = 2020...2049
    var isTrusted = true
    let error: NetworkError?
  }

  @Test(
    "A certificate is taken for what it is",
    arguments: [
      Case(testDescription: "trusted", error: nil),
      Case(testDescription: "self-signed", isTrusted: false, error: .tls(.unknownIssuer)),
      Case(testDescription: "expired", years: 2020...2021, error: .tls(.expired)),
      Case(testDescription: "not yet valid", years: 2048...2049, error: .tls(.notYetValid)),
      Case(testDescription: "of another host", name: "radio.example", error: .tls(.wrongHost)),
    ])
  func certificates(_ sample: Case) throws {
    let authority = try OpenSSL(name: sample.name, from: sample.years.lowerBound, to: sample.years.upperBound)
    try authority.serve { port in
      let trust = sample.isTrusted ? authority.trust : TrustStore { _ in nil }
      let listener = try fetch("https://localhost:\(port)/", trust: trust)
      #expect(listener.error == sample.error)
      #expect(listener.heads.count == (sample.error == nil ? 1 : 0))
    }
  }

  @Test("Trusted certificates that cannot be read are told")
  func noStore() throws {
    let authority = try OpenSSL(name: "localhost", from: 2020, to: 2049)
    try authority.serve { port in
      let listener = try fetch("https://localhost:\(port)/", trust: TrustStore { _ in "/nowhere" })
      #expect(listener.error == .tls(.noTrustStore))
    }
  }
}
