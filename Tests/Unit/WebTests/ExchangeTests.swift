import Testing
import Units

@testable import Web

/// Requests to the radio, and validation of its replies.
struct ExchangeTests {
  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: seconds) }

  @Test("Orders are sent one by one, and several commands as a list with separate replies")
  func orders() throws {
    var exchange = CommandExchange()
    exchange.begin(at: Self.at(0))
    #expect(exchange.enqueue(1, [RadioCommand("a")], at: Self.at(0)) == true)
    #expect(exchange.enqueue(2, [RadioCommand("b", "x y"), RadioCommand("c")], at: Self.at(0)) == true)
    #expect(exchange.next(at: Self.at(0)) == "")
    #expect(try exchange.process("OK MPD 0.23.5") == nil)
    #expect(exchange.next(at: Self.at(0)) == "a\n" && exchange.next(at: Self.at(0)) == "")
    #expect(try exchange.process("k: v: w") == nil && exchange.process("l:") == nil)
    let first = try exchange.process("OK")
    #expect(first?.id == 1 && first?.answer == .success([[AnswerLine("k", "v: w"), AnswerLine("l", "")]]))
    #expect(exchange.next(at: Self.at(0)) == "command_list_ok_begin\nb \"x y\"\nc\ncommand_list_end\n")
    for line in ["m:  n", "list_OK", "list_OK"] { #expect(try exchange.process(line) == nil) }
    let second = try exchange.process("OK")
    #expect(second?.id == 2 && second?.answer == .success([[AnswerLine("m", " n")], []]))
  }

  @Test("A refusal ends an order, and the next continues")
  func refusal() throws {
    var exchange = CommandExchange()
    exchange.begin(at: Self.at(0))
    _ = try exchange.process("OK MPD 0.23.5")
    _ = exchange.enqueue(1, [RadioCommand("a"), RadioCommand("b")], at: Self.at(0))
    _ = exchange.enqueue(2, [RadioCommand("c")], at: Self.at(0))
    _ = exchange.next(at: Self.at(0))
    _ = try exchange.process("list_OK")
    #expect(try exchange.process("ACK [55@1] {b} Not playing")?.answer == .refused(code: 55, sentence: "Not playing"))
    #expect(exchange.next(at: Self.at(0)) == "c\n")
  }

  @Test("A client waits 5 s, the radio has 12 s, and a late reply is dropped")
  func silence() throws {
    var exchange = CommandExchange()
    exchange.begin(at: Self.at(0))
    #expect(exchange.due == Self.at(5) && exchange.expire(at: Self.at(5)).isSilent == true)
    _ = try exchange.process("OK MPD 0.23.5")
    #expect(exchange.due == .never)
    _ = exchange.enqueue(1, [RadioCommand("a")], at: Self.at(10))
    _ = exchange.next(at: Self.at(12))
    _ = exchange.enqueue(2, [RadioCommand("b")], at: Self.at(13))
    #expect(exchange.due == Self.at(15))
    let first = exchange.expire(at: Self.at(16))
    #expect(first.ids == [1] && !first.isSilent && exchange.due == Self.at(18))
    let second = exchange.expire(at: Self.at(20))
    #expect(second.ids == [2] && !second.isSilent && exchange.due == Self.at(24))
    var late = exchange
    let answer = try late.process("OK")
    #expect(answer?.id == 1 && late.due == .never)
    let third = exchange.expire(at: Self.at(24))
    #expect(third.ids == [] && third.isSilent)
    #expect(exchange.end() == [1])
    #expect(exchange.expire(at: Self.at(100)).ids == [] && exchange.due == .never)
  }

  @Test("A reply has a part per command, and its keys are words")
  func hostileAnswers() throws {
    var exchange = CommandExchange()
    exchange.begin(at: Self.at(0))
    _ = try exchange.process("OK MPD 0.23.5")
    _ = exchange.enqueue(1, [RadioCommand("a"), RadioCommand("b")], at: Self.at(0))
    _ = exchange.next(at: Self.at(0))
    for line in ["list_OK", "list_OK"] { #expect(try exchange.process(line) == nil) }
    #expect(throws: CommandExchange.Nonsense()) { try exchange.process("list_OK") }
    #expect(
      AnswerLine("a\",\"b: c") == nil && AnswerLine(": c") == nil
        && AnswerLine("Last-Modified: 1") == AnswerLine("Last-Modified", "1"))
  }

  @Test("At most sixty-four orders wait")
  func crowd() {
    var exchange = CommandExchange()
    let taken = (0...64).map { exchange.enqueue($0, [RadioCommand("a")], at: Self.at(0)) }
    #expect(taken == Array(repeating: true, count: 64) + [false])
    #expect(exchange.end() == Array(0..<64))
  }

  @Test("Text that no radio sends is refused", arguments: ["OK", "hello", "ACK [5@0] {} no", "k: v"])
  func nonsense(_ line: String) {
    var exchange = CommandExchange()
    #expect(throws: CommandExchange.Nonsense()) { try exchange.process(line) }
    exchange.begin(at: Self.at(0))
    #expect(throws: CommandExchange.Nonsense()) { try exchange.process(line) }
    var feed = EventFeed()
    #expect(throws: EventFeed.Nonsense()) { try feed.process(line) }
    feed.begin(at: Self.at(0))
    #expect(throws: EventFeed.Nonsense()) { try feed.process(line) }
  }

  @Test("Events and changes arrive over one connection, in any order")
  func feed() throws {
    var feed = EventFeed()
    feed.begin(at: Self.at(0))
    #expect(feed.next() == "" && !feed.isReady && feed.due == Self.at(5))
    #expect(try feed.process("OK MPD 0.23.5") == nil && feed.next() == "radio_events\n" && feed.next() == "")
    #expect(try feed.process("{\"early\":1}") == .event("{\"early\":1}"))
    #expect(try feed.process("OK") == .ready && feed.isReady && feed.next() == "idle\n" && feed.due == .never)
    #expect(try feed.process("changed: mixer") == .changed("mixer"))
    #expect(try feed.process("{\"a\":1}") == .event("{\"a\":1}") && feed.next() == "")
    #expect(try feed.process("changed: player") == .changed("player") && feed.process("OK") == nil)
    #expect(feed.next() == "idle\n")
    // A page would read two lines.
    #expect(try feed.process("{\"a\":1\rdata: x}") == nil)
    feed.end()
    #expect(!feed.isReady)
  }

  @Test("Arguments are quoted by the protocol's rules")
  func quoting() {
    #expect(RadioCommand("a", "", "b\"c\\d", "é x").line == "a \"\" \"b\\\"c\\\\d\" \"é x\"\n")
  }
}
