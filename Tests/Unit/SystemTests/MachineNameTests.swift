import System
import Testing

struct MachineNameTests {
  @Test(
    "A machine is known without its domain; one without a name uses the default (W3)",
    arguments: [
      ("radio", "radio.local"), ("Kitchen.example.org", "kitchen.local"), ("", "bakelite.local"),
      ("localhost.localdomain", "bakelite.local"),
    ])
  func local(_ name: String, _ local: String) { #expect(MachineName(name).local == local) }

  @Test("A code has 8 of 32 characters, accepted in any case and with blanks (W3)")
  func codes() {
    for _ in 0..<100 {
      let code = AccessCode.draw()
      #expect(AccessCode.isOne(code) && AccessCode.read(code) == code)
    }
    #expect(AccessCode.read(" abcd 2345\n") == "ABCD2345" && !AccessCode.isOne("abcd2345"))
    for wrong in ["", "ABCD234", "ABCD23456", "ABCD0345", "ABCDI345", "ABCDO345", "ABCD1345", "ABCD\u{212A}345"] {
      #expect(AccessCode.read(wrong) == nil)
    }
  }
}
