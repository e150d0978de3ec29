import AudioOutput
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct TuningTests {
  @Test("A selected station leaves playback unchanged until play (R1.6)")
  func selectsWithoutStarting() async throws {
    try await Stage.run {
      let first = try ScriptedStation([.live(), .send(Clip.mp3(10).bytes), .stall])
      let second = try ScriptedStation([.live(), .send(Clip.mp3(10).bytes), .stall])
      defer {
        first.close()
        second.close()
      }
      let rig = try RadioRig(isPaced: true)
      #expect(!rig.radio.play())
      rig.tune(first.url())
      #expect(rig.next("playing", within: 5) != nil)
      rig.radio.select(StationRequest(url: second.url()))
      rig.run(for: 0.3)
      #expect(second.visits.isEmpty && rig.radio.state == .playing)
      #expect(rig.radio.play())
      #expect(rig.next("playing", within: 5) != nil)
      #expect(second.visits.count == 1 && first.visits.count == 1)
    }
  }

  @Test("The status goes from connecting to stopped, and shows if audio plays (R1.9)")
  func status() async throws {
    try await Stage.run {
      let (head, sound, end) = (Gate(), Gate(), Gate())
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.gate(head), .live(), .send(Clip.mp3(0.5).bytes), .gate(sound), .send(Clip.mp3(12).bytes), .gate(end)]
          : [.stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      func isAt(_ state: RadioState, _ isAudioPlaying: Bool) -> Bool {
        rig.run(5) { rig.radio.status.state == state && rig.radio.status.isAudioPlaying == isAudioPlaying }
      }
      #expect(isAt(.stopped, false))
      rig.tune(station.url())
      #expect(isAt(.connecting, false))
      head.open()
      #expect(isAt(.buffering, false))
      sound.open()
      #expect(isAt(.playing, true))
      rig.radio.pause()
      #expect(isAt(.paused, true))
      rig.radio.resume()
      #expect(isAt(.playing, true))
      end.open()
      #expect(rig.next("reconnecting") != nil)
      #expect(rig.radio.status.isAudioPlaying, "what is held sounds on")
      rig.radio.stop()
      #expect(isAt(.stopped, false))
    }
  }

  @Test("A station that does not respond is left at once, and stopping is as quick (A4)", arguments: [true, false])
  func whileConnecting(isTuned: Bool) async throws {
    try await Stage.run {
      let deaf = try ScriptedStation([.stall])
      let station = try ScriptedStation([.live(), .send(Clip.mp3(3).bytes), .stall])
      defer {
        deaf.close()
        station.close()
      }
      let rig = try RadioRig()
      rig.tune(deaf.url())
      #expect(rig.run(5) { deaf.visits.count == 1 })
      let start = rig.radio.time
      if isTuned {
        rig.tune(station.url())
        #expect(rig.next("playing", within: 5) != nil)
      } else {
        rig.radio.stop()
        #expect(rig.radio.state == .stopped)
        #expect(rig.events.last?.event == .stopped(.user))
        rig.run(for: 0.2)
        #expect(rig.events.last?.event == .stopped(.user), "nothing is told of a station that was left")
        _ = rig.radio.close()
      }
      #expect(rig.radio.time - start < 3)
    }
  }

  @Test("After stop and tune the radio plays from the beginning")
  func stopsAndPlaysAgain() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing", within: 5) != nil)
      rig.radio.stop()
      #expect(!rig.run(0.3) { rig.radio.status.isAudioPlaying })
      let before = rig.pcm.count
      rig.tune(station.url())
      #expect(rig.next("playing", within: 5) != nil)
      #expect(rig.run(3) { rig.pcm.dropFirst(before).withoutLeadingSilence.count >= 80_000 })
      let sound = rig.pcm.dropFirst(before).withoutLeadingSilence
      #expect(rig.holdsUnlessLate(difference(sound, beginningOf: clip.pcm()[...].withoutLeadingSilence) == nil))
    }
  }

  @Test("Audio of an abandoned station counts too")
  func accountsForWhatIsLeft() async throws {
    try await Stage.run {
      let (left, last) = (Clip.mp3(3), Clip.mp3(2, from: 200))
      let station = try ScriptedStation(paths: [
        "/live": [.live(), .send(left.bytes), .stall], "/file": [.file(last.bytes.count), .send(last.bytes)],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      // The last packet of an open stream waits for the next one.
      let held = left.prefix(packets: left.packets.count - 1)
      #expect(rig.run(5) { rig.pcm.count == held.pcm().count })
      rig.tune(station.url("/file"))
      #expect(rig.playOut())
      let summary = rig.radio.close()
      #expect(summary.bytes == held.bytes.count + last.bytes.count)
      #expect(abs(summary.heard - held.duration - last.duration) < 0.001)
    }
  }

  @Test("A second close has no effect")
  func closesTwice() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.next("playing", within: 5) != nil)
      #expect(rig.run(5) { rig.radio.status.heard > 0 })
      let summary = rig.radio.close()
      #expect(rig.radio.close() == summary)
      #expect(rig.events("summary").count == 1)
      #expect(summary.heard > 0)
    }
  }
}

/// A process returns all its resources. Each test runs in its own process, for exact counts.
@Suite struct ThriftTests {
  @Test("Two hundred quick tunes leave nothing open (S4)")
  func quickTunes() async {
    await #expect(processExitsWith: .success) {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation { visit in
        switch visit.number % 5 {
        case 0: StationAction.onAir(clip)
        case 1: [.stall]
        case 2: StationAction.response("404 Not Found")
        case 3: []
        default: [.live(), .send(clip.prefix(0.5).bytes), .stall]
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      let before = ProcessState.descriptorCount
      for number in 0..<200 {
        rig.tune(station.url("/\(number)"))
        for _ in 0..<(number % 4) { rig.radio.step(Duration(milliseconds: 10)) }
      }
      let visits = station.visits.count
      #expect(visits > 30)
      #expect(rig.run(10) { ProcessState.descriptorCount < before + 10 })
      rig.tune(station.url())
      #expect(rig.run(5) { rig.radio.state != .connecting || station.visits.count > visits })
    }
  }

  @Test("Radios that come and go, or fail to start, leave nothing open")
  func comeAndGo() async {
    await #expect(processExitsWith: .success) {
      func turn() throws {
        let rig = try RadioRig()
        rig.tune("http://127.0.0.1:9/")
        rig.radio.step(Duration(milliseconds: 5))
        #expect(throws: RadioError.self) { try Radio(.bench, OutputRequest(.raw("/no/such/folder/pcm"))) }
      }
      try turn()
      let before = ProcessState.descriptorCount
      for _ in 0..<20 { try turn() }
      #expect(ProcessState.descriptorCount == before)
      #expect(ProcessState.engineThreadCount == 0)
    }
  }
}
