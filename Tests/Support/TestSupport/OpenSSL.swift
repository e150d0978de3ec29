import Foundation

/// The `openssl` tool, which creates certificates and TLS servers.
public struct OpenSSL {
  /// The path of the tool; nil if it is not installed.
  public static let path = Repository.tool("openssl")

  private let folder = TemporaryFolder()

  /// Creates a folder with a key and a self-signed certificate for `name`, valid between two years.
  public init(name: String, from start: Int, to end: Int) throws {
    let config = """
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
      """
    folder.write(Array(config.utf8), to: "config")
    folder.write([], to: "index")
    folder.write(Array("01\n".utf8), to: "serial")
    try run("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out request -subj /CN=\(name)")
    try run(
      "ca -batch -config config -selfsign -keyfile key -in request -out certificate -notext"
        + " -startdate \(start)0101000000Z -enddate \(end)0101000000Z")
  }

  /// The path of the certificate.
  public var certificate: String { folder.path + "/certificate" }
  /// The path of the private key.
  public var key: String { folder.path + "/key" }

  /// Runs a TLS server during `test`, which receives the port. The server sends `answers` (complete HTTP responses by
  /// path), or one status page if `answers` is empty.
  public func serve(_ answers: [String: [UInt8]] = [:], _ test: (Int) throws -> Void) throws {
    for (name, bytes) in answers { folder.write(bytes, to: name) }
    let (process, output) = (try process("s_server -accept 127.0.0.1:0 -key key -cert certificate"), Pipe())
    process.arguments?.append(answers.isEmpty ? "-www" : "-HTTP")
    process.standardOutput = output
    process.standardInput = Pipe()
    try process.run()
    defer {
      // SIGKILL, because the child inherits the signal mask of a test's thread, which may block other signals.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var text = ""
    while true {
      if let match = text.firstMatch(of: #/ACCEPT .*:(\d+)\n/#), let port = Int(match.1) { return try test(port) }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw POSIXError(.ECONNREFUSED) }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  private func run(_ arguments: String) throws {
    let process = try process(arguments)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
  }

  private func process(_ arguments: String) throws -> Process {
    guard let path = Self.path else { throw POSIXError(.ENOENT) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    return process
  }
}
