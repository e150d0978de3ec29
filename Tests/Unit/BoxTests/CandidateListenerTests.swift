import Foundation
import Http
import Network
import RadioEngine
import StationSupport
import TestSupport
import Testing
import Units

@testable import Box

@Suite struct CandidateListenerTests {
  /// Returns the verdict, and the seconds by the test's clock until it arrived; nil if it did not arrive in time.
  private func verdict(
    of listener: CandidateListener, within seconds: Double = 90
  ) -> (verdict: CandidateVerdict?, seconds: Double) {
    let start = monotonicSeconds()
    while monotonicSeconds() - start < seconds {
      if let verdict = listener.removeVerdict() { return (verdict, monotonicSeconds() - start) }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return (nil, seconds)
  }

  private func request(_ url: String) -> StationRequest {
    var request = StationRequest(url: url)
    request.userAgent = "Bakelite/1"
    return request
  }

  @Test("A station with half a minute of audio counts, and is then left (G5)")
  func sounds() async throws {
    try await Stage.run(speed: 8) {
      let broadcast = Broadcast(Clip.mp3(90), burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let listener = CandidateListener(TestClock.current.clock)
      listener.test(request(station.url()))
      let (verdict, seconds) = verdict(of: listener)
      #expect(verdict == .played && seconds > CandidateListener.minSeconds - 1, "\(String(describing: verdict))")
      #expect(listener.removeVerdict() == nil && station.visits.count == 1)
      #expect(station.visits.first?.header("User-Agent") == "Bakelite/1")
      listener.finish()
    }
  }

  @Test(
    "Missing or short audio, and a file, do not count as a station (G5)",
    arguments: ["missing", "silent", "short", "web page", "file"])
  func fails(_ kind: String) async throws {
    try await Stage.run(speed: 16) {
      let clip = Clip.mp3(40)
      let station = try ScriptedStation { visit in
        switch kind {
        case "missing": StationAction.response("404 Not Found")
        case "silent": [.live(), .stall]
        case "short": StationAction.onAir(clip.prefix(12), burst: 4)
        case "web page": StationAction.response("200 OK", "<!DOCTYPE html><html></html>", type: "text/html")
        default: StationAction.file(clip.bytes)
        }
      }
      defer { station.close() }
      let listener = CandidateListener(TestClock.current.clock)
      listener.test(request(station.url("/x")))
      let (verdict, seconds) = verdict(of: listener)
      guard case .failed(let reason)? = verdict else {
        Issue.record("\(String(describing: verdict))")
        return
      }
      #expect(!reason.isEmpty && seconds < 75, "\(reason) after \(seconds) s")
      listener.finish()
    }
  }

  @Test("A directory name that leads into this machine is not requested (G5)")
  func outOfReach() async throws {
    try await Stage.run(speed: 16) {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let listener = CandidateListener(TestClock.current.clock)
      var request = request(station.url("/x").replacing("127.0.0.1", with: "localhost"))
      request.reach = AddressPolicy(namedBy: "https://directory.example/")
      listener.test(request)
      guard case .failed? = verdict(of: listener).verdict else {
        Issue.record("it was heard")
        return
      }
      #expect(station.visits.isEmpty)
      listener.finish()
    }
  }

  @Test("A candidate is left at once for another or none, without a report (G5)")
  func cancels() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.mp3(90)
      let broadcast = Broadcast(clip, burst: 4)
      let (first, second) = try (
        ScriptedStation { _ in [.live(), .stall] }, ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      )
      defer {
        first.close()
        second.close()
      }
      let listener = CandidateListener(TestClock.current.clock)
      listener.test(request(first.url()))
      while first.visits.isEmpty { Thread.sleep(forTimeInterval: 0.005) }
      let start = monotonicSeconds()
      listener.test(request(second.url()))
      #expect(monotonicSeconds() - start < 5, "nobody waits for the first")
      #expect(verdict(of: listener).verdict == .played)
      listener.test(request(second.url()))
      listener.cancel()
      #expect(verdict(of: listener, within: 20).verdict == nil)
      listener.finish()
      listener.finish()
    }
  }
}
