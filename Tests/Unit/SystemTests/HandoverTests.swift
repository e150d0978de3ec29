import CLinux
import System
import Testing

struct HandoverTests {
  @Test("A value is removed once, and only the newest")
  func newest() {
    let handover = Handover<Int>()
    #expect(handover.remove() == nil)
    handover.put(1)
    handover.put(2)
    #expect(bk_wait_readable(handover.descriptor, 0) > 0)
    #expect(handover.remove() == 2 && handover.remove() == nil)
    #expect(bk_wait_readable(handover.descriptor, 0) == 0)
  }

  @Test("A raised flag always has a value, whatever the threads do meanwhile")
  func noLateFlag() throws {
    let handover = Handover<Int>()
    let thread = try OwnedThread("writer") {
      for value in 1...20_000 { handover.put(value) }
    }
    var last = 0
    while last < 20_000, bk_wait_readable(handover.descriptor, 10_000) > 0 {
      let value = try #require(handover.remove(), "the flag was raised without a value")
      #expect(value > last)
      last = value
    }
    thread.join()
    #expect(last == 20_000)
  }
}
