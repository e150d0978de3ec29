import Foundation
import Network
import TestSupport
import Testing

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
      let trust =
        sample.isTrusted ? TrustStore { $0 == "SSL_CERT_FILE" ? authority.certificate : nil } : TrustStore { _ in nil }
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
