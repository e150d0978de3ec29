import Radio
import TestSupport
import Testing

@testable import Control

/// `radio_suspend` is answered when the device is free, and keeps nobody waiting but who asked.
@Suite struct SuspensionTests {
  @Test("the answer waits, the commands behind it too, and others are served meanwhile", arguments: [false, true])
  func suspend(inList: Bool) async throws {
    try await Stage.run {
      let bench = try Bench(isPaced: true)
      let (client, other) = (bench.client(), bench.client())
      let lines = inList ? "command_list_ok_begin\nradio_suspend\nping\ncommand_list_end" : "radio_suspend\nping"
      // A render thread that goes before all others may have let go already.
      var answer = client.ask(lines)
      #expect(answer.isEmpty == client.session.isWaiting && !client.session.hasWork)
      #expect(other.ask("ping") == "OK\n")
      #expect(
        bench.run {
          client.session.work()
          answer += client.heard
          return answer.hasSuffix(inList ? "\nOK\n" : "OK\nOK\n")
        })
      #expect(answer == (inList ? "list_OK\nlist_OK\nOK\n" : "OK\nOK\n"))
      #expect(bench.events.suffix(2) == ["willSuspend", "suspended"])
      #expect(client.ask("radio_resume") == "OK\n" && bench.run { !bench.desk.radio.isSuspended })
    }
  }
}
