import Testing
import Units

@testable import Network

/// What is told of what goes wrong with an address.
struct AddressFaultsTests {
  private let here = AddressFaults("http://me:secret@127.0.0.1:8000/live", host: "127.0.0.1", hasCredentials: false)
  private let owned = AddressFaults("http://127.0.0.1/live", host: "127.0.0.1", hasCredentials: true)
  private let nameless = AddressFaults("http://127.0.0.1/", host: nil, hasCredentials: false)

  /// Everything that may go wrong.
  private var all: [PlaybackFault] {
    [
      here.noNetwork, here.changedNetwork, here.silent(Duration(seconds: 3)), here.slept,
      here.broken(.failed(.reset)), here.broken(.complete), here.closed(.complete), here.noAudio,
      here.notPlayed(.encryptedHls),
      here.feedInFeed, here.tooSlow, here.endless, here.emptyList, here.emptyFeed, here.changedFile, here.wrongPart,
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
    #expect(faults.noAudio.url == "…")
  }

  @Test("Each fault has these words")
  func words() {
    let (shown, host) = ("http://127.0.0.1:8000/live", "127.0.0.1")
    let table: [(PlaybackFault, String)] = [
      (here.changedNetwork, "The network has changed."),
      (here.silent(Duration(seconds: 10.9)), "\(host) sent nothing for 10 s."),
      (here.slept, "The connection to \(host) is from before the machine slept."),
      (here.broken(.failed(.reset)), "\(host), port 8000, broke the connection; try again."),
      (here.broken(.complete), "\(host), port 8000, closed the connection before the end of “\(shown)”; try again."),
      (here.closed(.failed(.reset)), "\(host), port 8000, broke the connection; try again."),
      (here.closed(.complete), "\(host) closed the connection."),
      (nameless.closed(.complete), "The station closed the connection."),
      (here.refusal(400), "\(host) refuses the station (400); check the address."),
      (
        here.refusal(401),
        "\(host) wants a name and a password for this station (401); give them with --user, or as its user in "
          + "stations.toml."
      ),
      (
        owned.refusal(401),
        "\(host) does not take the name and the password that it was given for this station (401); check them."
      ),
      (here.refusal(403), "\(host) does not let you listen to this station (403); ask the station."),
      (here.refusal(404), "\(host) has no station at \(shown) (404); check the address."),
      (
        owned.refusal(407),
        "\(host) wants a name and a password for this station (407); give them with --user, or as its user in "
          + "stations.toml."
      ),
      (here.refusal(410), "\(host) has no station at \(shown) (410); check the address."),
      (here.refusal(500), "\(host) cannot serve the station now (500); try again later."),
      (here.noAudio, "\(shown) holds no sound that Bakelite knows; check the address of the station."),
      (
        here.notPlayed(.encryptedHls),
        "\(shown): this is an HLS station that is encrypted by SAMPLE-AES or DRM, which Bakelite cannot play yet."
      ),
      (here.notPlayed(.html), "\(shown): this is a web page, not a station."),
      (here.feedInFeed, "The episode \(shown) is no sound but a podcast again; tell the podcast."),
      (here.tooSlow, "The playlist \(shown), or what it names, comes too slowly; try again later."),
      (here.endless, "The playlist \(shown) does not come to an end; check its address."),
      (here.emptyList, "The playlist \(shown) names no station that can be played; check its address."),
      (here.emptyFeed, "The podcast \(shown) has no episode that can be played; check its address."),
      (here.changedFile, "\(shown) has changed since it began to play; play it again."),
      (here.wrongPart, "\(host) sent another part of the file than was asked for."),
    ]
    for (fault, words) in table { #expect(fault.sentence == words) }
  }

  @Test(
    "A refusal names the remedy",
    arguments: [
      (400, PlaybackFault.Cause.forbidden, "check the address"), (401, .passwordNeeded, "--user"),
      (403, .forbidden, "ask the station"), (404, .notFound, "check the address"), (407, .passwordNeeded, "--user"),
      (410, .notFound, "check the address"), (503, .serverError, "try again later"),
    ])
  func refusals(status: Int, cause: PlaybackFault.Cause, advice: String) {
    let fault = here.refusal(status)
    #expect(fault.cause == cause && fault.status == status && fault.sentence.contains(advice))
    #expect(owned.refusal(401).sentence.contains("does not take the name and the password"))
  }

  @Test("A loopback address needs no network")
  func loopback() {
    for host in ["localhost", "127.0.0.1", "127.1", "::1", "[::1]"] {
      let faults = AddressFaults("http://x/", host: host, hasCredentials: false)
      #expect(faults.hasWay)
      #expect(faults.silent(Duration(seconds: 3.9)).sentence == "\(host) sent nothing for 3 s.")
      #expect(faults.error(.reset).cause == .disconnected)
    }
  }
}
