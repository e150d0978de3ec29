import Blocks
import Testing

@testable import Http
@testable import Network

struct PlaybackFaultTests {
  private static let details: [PlaybackFault.Detail] =
    [
      .networkChanged, .silence(seconds: 10), .stillList(seconds: 14), .refusedPart, .slept, .closed,
      .refused(hasCredentials: true),
      .refused(hasCredentials: false), .noAudio, .undecodable, .notPlayed(.encryptedHls), .notPlayed(.html),
      .feedInFeed,
      .slowList, .endlessList, .emptyList, .emptyFeed, .fileChanged, .otherPart,
    ] + errors.map { .error($0) }

  private static let errors: [NetworkError] =
    [
      .badURL, .badScheme("rtsp"), .badHeader, .hostNotFound, .nameServer, .noNetwork, .unreachable, .refused,
      .connectTimeout, .onlyLists, .refusedPort(25), .proxyFailed, .reset, .closedEarly, .tooManyRedirects,
      .badRedirect, .compressed, .badAnswer, .cancelled, .localFile(errno: 2), .localFile(errno: 5), .outOfMemory,
      .internal(code: 2), .internal(code: -1),
    ] + AddressRange.allCases.map { .outOfReach($0) } + NetworkError.TLSFault.allCases.map { .tls($0) }

  private static let locations: [PlaybackFault.Location?] = [
    nil, PlaybackFault.Location(host: "h", port: 8_000), PlaybackFault.Location(host: "", path: "/a b"),
  ]

  /// The fault that the control thread reads, after the net thread wrote it with `byteCount` bytes of room.
  private static func sent(_ fault: PlaybackFault, room byteCount: Int = EventRing.maxPayload) -> PlaybackFault {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
    defer { room.deallocate() }
    var encoder = NoticeEncoder(room)
    fault.encode(to: &encoder)
    var decoder = NoticeDecoder(encoder.payload)
    return PlaybackFault(from: &decoder)
  }

  @Test("A fault arrives unchanged, for any cause")
  func arrives() {
    for detail in Self.details {
      for location in Self.locations {
        let fault = PlaybackFault(detail, url: "http://h/x", at: location, status: 404)
        #expect(Self.sent(fault) == fault)
        #expect(Self.sent(fault).sentence == fault.sentence)
      }
    }
  }

  @Test("Without room the text is cut, and the cause stays")
  func cut() {
    let path = String(repeating: "a", count: 1_000)
    let fault = PlaybackFault(
      .error(.localFile(errno: 2)), url: "file:///a", at: PlaybackFault.Location(host: "", path: path))
    let read = Self.sent(fault, room: 512)
    #expect(read.detail == fault.detail && read.url == fault.url)
    #expect(read.location?.path.map { path.hasPrefix($0) && $0.count > 200 } == true)
  }

  @Test(
    "The cause decides the category",
    arguments: [
      (.error(.reset), .disconnected), (.error(.unreachable), .noNetwork), (.networkChanged, .silence),
      (.silence(seconds: 3), .silence), (.slept, .disconnected), (.closed, .disconnected),
      (.refused(hasCredentials: true), .notFound), (.noAudio, .notAudio), (.undecodable, .notAudio),
      (.notPlayed(.encryptedHls), .encryptedHls), (.notPlayed(.html), .webPage), (.feedInFeed, .notAudio),
      (.slowList, .slowPlaylist),
      (.endlessList, .badAnswer), (.emptyList, .badPlaylist), (.emptyFeed, .badPlaylist),
      (.fileChanged, .fileChanged), (.otherPart, .disconnected),
    ] as [(PlaybackFault.Detail, PlaybackFault.Cause)])
  func causes(_ detail: PlaybackFault.Detail, _ cause: PlaybackFault.Cause) {
    #expect(PlaybackFault(detail, url: "http://h/x", status: 404).cause == cause)
  }

  @Test("Undecodable audio has these words")
  func undecodable() {
    #expect(
      PlaybackFault(.undecodable, url: "http://h/x").sentence
        == "Nothing that http://h/x sends can be decoded: it may be encrypted; try another station.")
  }
}
