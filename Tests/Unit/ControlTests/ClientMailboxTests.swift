import Testing
import Units

@testable import Control

/// Messages between clients.
@Suite struct ClientMailboxTests {
  private static func refusal(_ work: () throws -> Void) -> String? {
    do { try work() } catch { return (error as? ControlRefusal)?.message }
    return nil
  }

  @Test("A channel is subscribed once, up to a maximum")
  func channels() throws {
    var mailbox = ClientMailbox()
    for number in 0..<ClientMailbox.maxChannels { try mailbox.subscribe("c\(number)") }
    #expect(Self.refusal { try mailbox.subscribe("c3") } == "already subscribed to this channel")
    #expect(Self.refusal { try mailbox.subscribe("more") } == "subscription list is full")
    try mailbox.unsubscribe("c3")
    #expect(Self.refusal { try mailbox.unsubscribe("c3") } == "not subscribed to this channel")
    try mailbox.subscribe("more")
    #expect(mailbox.channels.count == ClientMailbox.maxChannels && mailbox.channels.last == "more")
  }

  @Test("A message arrives on a subscribed channel, and is read once")
  func messages() throws {
    var mailbox = ClientMailbox()
    let (mine, other) = (
      ClientMailbox.Message(channel: "a", text: "hello"), ClientMailbox.Message(channel: "b", text: "hello")
    )
    let before = mailbox.put(mine)
    try mailbox.subscribe("a")
    let taken = [before, mailbox.put(mine), mailbox.put(other)]
    #expect(taken == [false, true, false] && mailbox.byteCount == 5)
    let read = [mailbox.removeAll(), mailbox.removeAll()]
    #expect(read == [[mine], []] && mailbox.byteCount == 0)
    let many = (0...ClientMailbox.maxMessages).map { _ in mailbox.put(mine) }
    #expect(many.dropLast().allSatisfy { $0 } && many.last == false, "so many messages wait at most")
  }
}

/// Connected clients and their permissions.
@Suite struct ClientRosterTests {
  private static func name(_ answer: ClientRoster.PasswordResult) -> String {
    switch answer {
    case .right(let permission): permission == .all ? "all" : "some"
    case .wrong: "wrong"
    case .wait: "wait"
    }
  }

  @Test("A guessing address waits; the Unix socket does not")
  func passwords() {
    let clients = ClientRoster(ControlAccess(password: "x")) { MonotonicTime(seconds: 1_000) }
    #expect(clients.initialPermission(isLocal: true) == .all && clients.initialPermission(isLocal: false) == [])
    #expect(Self.name(clients.check("x", from: "192.0.2.1")) == "all")
    for address in ["192.0.2.2", nil] {
      let answers = (0...PasswordGuard.maxAttempts).map { _ in Self.name(clients.check("y", from: address)) }
      #expect(answers.dropLast().allSatisfy { $0 == "wrong" })
      #expect(answers.last == (address == nil ? "wrong" : "wait"))
    }
    #expect(Self.name(clients.check("x", from: "192.0.2.2")) == "wait", "the right one does not help now")
  }

  @Test("A change is reported once")
  func news() {
    let clients = ClientRoster(ControlAccess()) { .zero }
    #expect(!clients.consumeNews())
    clients.markNews()
    #expect(clients.consumeNews() && !clients.consumeNews())
    #expect(!clients.followsEvents && clients.channels.isEmpty)
  }
}
