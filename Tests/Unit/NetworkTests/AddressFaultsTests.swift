import Http
import Testing
import Units

@testable import Network

struct AddressFaultsTests {
  private let here = AddressFaults("http://me:secret@127.0.0.1:8000/live", host: "127.0.0.1", hasCredentials: false)
  private let owned = AddressFaults("http://127.0.0.1/live", host: "127.0.0.1", hasCredentials: true)
  private let nameless = AddressFaults("http://127.0.0.1/", host: nil, hasCredentials: false)

  private var all: [PlaybackFault] {
    [
      here.noNetwork, here.fault(.networkChanged), here.silence(Duration(seconds: 3)), here.fault(.slept),
      here.brokenConnection(.failed(.reset)), here.brokenConnection(.complete), here.closedConnection(.complete),
      here.fault(.noAudio),
      here.fault(.notPlayed(.encryptedHls)),
      here.fault(.feedInFeed), here.fault(.slowList), here.fault(.endlessList), here.fault(.emptyList),
      here.fault(.emptyFeed), here.fault(.fileChanged), here.fault(.otherPart),
    ] + [400, 401, 403, 404, 407, 410, 500, 503].map { here.refusal($0) }
  }

  @Test("Each fault is a sentence about the address, without the password")
  func sentences() {
    for fault in all {
      #expect(fault.sentence.hasSuffix(".") && !fault.sentence.contains("secret"), "\(fault)")
      #expect(fault.url == "http://127.0.0.1:8000/live")
    }
  }

  @Test("A misspelt scheme does not reveal half of the password")
  func misspelt() {
    let faults = AddressFaults("http//me:sec#ret@radio.example/live", host: nil, hasCredentials: false)
    #expect(faults.fault(.noAudio).url == "…")
  }

  @Test("Each fault has these words")
  func words() {
    let (shown, host) = ("http://127.0.0.1:8000/live", "127.0.0.1")
    let table: [(PlaybackFault, String)] = [
      (here.fault(.networkChanged), "The network has changed."),
      (here.silence(Duration(seconds: 10.9)), "\(host) sent nothing for 10 s."),
      (here.fault(.slept), "The connection to \(host) is from before the machine slept."),
      (here.brokenConnection(.failed(.reset)), "\(host), port 8000, broke the connection; try again."),
      (
        here.brokenConnection(.complete),
        "\(host), port 8000, closed the connection before the end of “\(shown)”; try again."
      ),
      (here.closedConnection(.failed(.reset)), "\(host), port 8000, broke the connection; try again."),
      (here.closedConnection(.complete), "\(host) closed the connection."),
      (nameless.closedConnection(.complete), "The station closed the connection."),
      (here.refusal(400), "\(host) refuses the station (400); check the address."),
      (
        here.refusal(401),
        "\(host) requires a name and a password for this station (401); set both for this "
          + "station."
      ),
      (
        owned.refusal(401),
        "\(host) rejects the name and the password for this station (401); check them."
      ),
      (here.refusal(403), "\(host) does not allow you to listen to this station (403); ask the station."),
      (here.refusal(404), "\(host) has nothing at \(shown) (404); check the address."),
      (
        owned.refusal(407),
        "\(host) requires a name and a password for this station (407); set both for this "
          + "station."
      ),
      (here.refusal(410), "\(host) has nothing at \(shown) (410); check the address."),
      (here.refusal(500), "\(host) cannot serve the station now (500); try again later."),
      (here.fault(.noAudio), "\(shown) has no audio that Bakelite can play; check the address of the station."),
      (
        here.fault(.notPlayed(.encryptedHls)),
        "\(shown): this is an HLS station that is encrypted by SAMPLE-AES or DRM, which Bakelite cannot play yet."
      ),
      (here.fault(.notPlayed(.html)), "\(shown): this is a web page, not a station."),
      (here.fault(.feedInFeed), "The episode \(shown) is not audio but another podcast; report this to the podcast."),
      (here.fault(.slowList), "The playlist \(shown), or a list in it, arrives too slowly; try again later."),
      (here.fault(.endlessList), "The playlist \(shown) does not end; check its address."),
      (here.fault(.emptyList), "The playlist \(shown) has no playable station; check its address."),
      (here.fault(.emptyFeed), "The podcast \(shown) has no playable episode; check its address."),
      (here.fault(.fileChanged), "\(shown) has changed since it began to play; play it again."),
      (here.fault(.otherPart), "\(host) sent a part of the file that was not requested."),
    ]
    for (fault, words) in table { #expect(fault.sentence == words) }
  }

  @Test("A fault of a local file names no station")
  func localFile() {
    let file = AddressFaults("file:///music/a.txt", host: "", hasCredentials: false)
    for detail: PlaybackFault.Detail in [.noAudio, .undecodable, .fewBlocks(needed: 40), .fileChanged] {
      let sentence = file.fault(detail).sentence
      #expect(sentence.contains("file:///music/a.txt") && !sentence.contains("station"), "\(sentence)")
    }
  }

  @Test(
    "A refusal names the remedy",
    arguments: [
      (400, PlaybackFault.Cause.forbidden, "check the address"), (401, .passwordNeeded, "set both"),
      (403, .forbidden, "ask the station"), (404, .notFound, "check the address"), (407, .passwordNeeded, "set both"),
      (410, .notFound, "check the address"), (503, .serverError, "try again later"),
    ])
  func refusals(status: Int, cause: PlaybackFault.Cause, advice: String) {
    let fault = here.refusal(status)
    #expect(fault.cause == cause && fault.status == status && fault.sentence.contains(advice))
    #expect(owned.refusal(401).sentence.contains("rejects the name and the password"))
  }

  @Test("A network that wants a sign-in is at fault, not the station")
  func signIn() {
    let fault = here.refusal(511)
    #expect(fault.cause == .noNetwork && fault.sentence.hasPrefix("This network wants you to sign in"))
  }

  @Test("Name servers without a connection are retried as a missing network (R4.3)")
  func deniedNames() {
    #expect(here.error(.namesDenied).cause == .noNetwork && NetworkError.namesDenied.isWorthRetrying)
  }

  @Test("A loopback address needs no network")
  func loopback() {
    for host in ["localhost", "127.0.0.1", "127.1", "::1", "[::1]"] {
      let faults = AddressFaults("http://x/", host: host, hasCredentials: false)
      #expect(faults.hasRoute)
      #expect(faults.silence(Duration(seconds: 3.9)).sentence == "\(host) sent nothing for 3 s.")
      #expect(faults.error(.reset).cause == .disconnected)
    }
  }
}
