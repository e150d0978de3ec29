import Testing
import Units

@testable import Network

/// A small model of a live station, explored completely in steps of one second. The server responds, is silent or
/// disconnects, and the network changes.
struct ConnectionPlanModelTests {
  enum Server: Hashable, CaseIterable {
    case answers, silent
  }

  enum Event: Hashable {
    /// A second passes. A new connection meets a server with this behaviour.
    case second(Server)
    /// A connection receives a packet, or ends. The number 0 is the leading connection; others are spares.
    case packet(Int), end(Int)
    /// The leading connection receives bytes without a packet, or its server becomes silent.
    case bytes, falls
    case link, slept, rest, resume
  }

  /// A state of the model.
  struct Moment: Hashable {
    var lines = ConnectionPlan()
    var servers: [ConnectionID: Server] = [:]
    var now = MonotonicTime(seconds: 100)
    var lastTry = MonotonicTime(seconds: 98)
    var made = ConnectionID.none
    var allowsSpares = true
    /// True if the leading connection received a packet since the last event.
    var sounds = false
    var faults: [String] = []

    private var rules: ConnectionPlan.Rules {
      ConnectionPlan.Rules(allowsSpares: allowsSpares, dataTimeout: Duration(seconds: 10))
    }
    private var soonest: MonotonicTime { max(now, lastTry + ConnectionPlan.pause) }
    var all: [ConnectionID] { [lines.lead].compactMap { $0 } + lines.spares }

    /// Time of the next action.
    var due: MonotonicTime { lines.due(at: now, rules, look: ConnectionPlan.pause) }

    mutating func take(_ event: Event) {
      sounds = false
      switch event {
      case .second(let server):
        now = now + Duration(seconds: 1)
        poll(server)
      case .packet(let number): packet(all[number])
      case .bytes: if let lead = lines.lead { note(lead) }
      case .end(let number): end(all[number])
      case .falls: if let lead = lines.lead { servers[lead] = .silent }
      case .link: hurry()
      case .slept:
        close(lines.dropSpares())
        _ = lines.hasten(to: soonest)
        if lines.lead != nil { lose() }
      case .rest: close(lines.stop(toRest: true))
      case .resume: lines.plan(soonest)
      }
      check()
    }

    /// Performs the plan's steps, as the net thread does in each round.
    private mutating func poll(_ server: Server) {
      for _ in 0..<9 {
        switch lines.step(at: now, rules) {
        case nil: return
        case .connect: return lines.connect(connect(server))
        case .connectSpare: return close([lines.connectSpare(connect(server), at: now)].compactMap { $0 })
        case .planSpare: lines.plan(soonest)
        case .giveUp, .giveUpInDoubt: lose()
        }
      }
      faults.append("it goes round without end")
    }

    private mutating func connect(_ server: Server) -> ConnectionState {
      if now - lastTry < ConnectionPlan.pause { faults.append("two tries within a second") }
      lastTry = now
      made = made.next
      servers[made] = server
      return ConnectionState(made, at: now)
    }

    private mutating func note(_ id: ConnectionID, isJoined: Bool = false) {
      guard case .on(let group) = lines.state,
        var line = ([group.lead] + group.spares).first(where: { $0.id == id })
      else { return }
      line.lastData = now
      line.isJoined = line.isJoined || isJoined
      lines.update(line)
    }

    private mutating func packet(_ id: ConnectionID) {
      note(id, isJoined: true)
      if lines.lead != id {
        close([lines.adopt(id)].compactMap { $0 })
        close(lines.dropSpares())
      } else if !lines.isSettled {
        close(lines.dropSpares())
        lines.cancelPlan()
      }
      sounds = lines.lead == id
    }

    private mutating func end(_ id: ConnectionID) {
      if lines.lead == id { return lose() }
      lines.loseSpare(id)
      close([id])
    }

    private mutating func lose() {
      let lead = lines.lead
      _ = lines.loseLead()
      close([lead].compactMap { $0 })
      if !lines.isBusy { lines.plan(soonest) }
    }

    private mutating func hurry() {
      if lines.hasten(to: soonest) || !lines.isStale(at: now) || !allowsSpares { return }
      if lines.hasFreshSpare(at: now) { return }
      close(lines.dropSpares())
      lines.plan(soonest)
    }

    private mutating func close(_ ids: [ConnectionID]) {
      for id in ids where servers.removeValue(forKey: id) == nil { faults.append("closed twice") }
    }

    private mutating func check() {
      if Set(servers.keys) != Set(all) { faults.append("a connection is forgotten") }
      if servers.count > 3 { faults.append("\(servers.count) connections") }
      if Set(all).count != all.count { faults.append("one connection in two places") }
      let isOver = lines.state == .idle || lines.state == .resting
      if !isOver, due == .never { faults.append("nothing will happen") }
    }

    /// The normal form for comparisons: the last second is at 100 s, and connections are numbered in order. Old times
    /// are limited to the relevant age.
    var plain: Moment {
      var (plain, names) = (Moment(), [ConnectionID: ConnectionID]())
      for id in all {
        plain.made = plain.made.next
        names[id] = plain.made
        plain.servers[plain.made] = servers[id]
      }
      func moved(_ line: ConnectionState, isLead: Bool = false) -> ConnectionState {
        // The start time of a leading connection no longer matters.
        var moved = ConnectionState(names[line.id] ?? line.id, at: shifted(isLead ? line.lastData : line.began))
        moved.lastData = shifted(line.lastData, atMost: isLead ? 12 : 6)
        moved.isJoined = line.isJoined
        return moved
      }
      switch lines.state {
      case .idle: break
      case .resting: _ = plain.lines.stop(toRest: true)
      case .waiting(let until): plain.lines.plan(shifted(until))
      case .on(let group):
        plain.lines.connect(moved(group.lead, isLead: true))
        // The older spare goes first.
        if let kept = group.kept { _ = plain.lines.connectSpare(moved(kept), at: plain.now) }
        let stand = ConnectionState(plain.made.next, at: plain.now)
        _ = plain.lines.connectSpare(group.newest.map { moved($0) } ?? stand, at: plain.now)
        if group.newest == nil { plain.lines.loseSpare(stand.id) }
        if let plan = group.plan { plain.lines.plan(shifted(plan)) }
      }
      (plain.lastTry, plain.allowsSpares) = (shifted(lastTry, atMost: 2), allowsSpares)
      return plain
    }

    private func shifted(_ time: MonotonicTime, atMost seconds: Double = 16) -> MonotonicTime {
      MonotonicTime(seconds: 100) + max(Duration(seconds: -seconds), time - now)
    }

    /// The possible events.
    var events: [Event] {
      var events = Server.allCases.map { Event.second($0) } + [.link, .slept]
      events.append(lines.state == .resting ? .resume : .rest)
      for (number, id) in all.enumerated() {
        if servers[id] == .answers { events.append(.packet(number)) }
        events.append(.end(number))
      }
      if let lead = lines.lead, servers[lead] == .answers { events += [.bytes, .falls] }
      return events
    }

    /// Seconds until a packet, if new connections get responses and silent connections stay silent; nil after 30 s.
    var secondsToSound: Int? {
      var moment = self
      for seconds in 0...30 {
        for (number, id) in moment.all.enumerated() where moment.servers[id] == .answers {
          moment.take(.packet(number))
          if moment.sounds { return seconds }
        }
        moment.take(.second(.answers))
      }
      return nil
    }
  }

  @Test(
    "Audio returns from each reachable state, without breaking a rule",
    arguments: [(true, 5), (false, 12)])
  func explored(allowsSpares: Bool, longest: Int) {
    var first = Moment()
    first.allowsSpares = allowsSpares
    first.lines.plan(first.now)
    first = first.plain
    var seen: [Moment: [Event]] = [first: []]
    var waiting = [first]
    var worst = (seconds: 0, way: [Event]())
    while !waiting.isEmpty {
      var next: [Moment] = []
      for moment in waiting {
        let way = seen[moment] ?? []
        if moment.lines.isBusy {
          guard let seconds = moment.secondsToSound else {
            Issue.record("no sound after \(way)")
            return
          }
          if seconds > worst.seconds { worst = (seconds, way) }
        }
        for event in moment.events {
          var after = moment
          after.take(event)
          guard after.faults.isEmpty else {
            Issue.record("\(after.faults) after \(way + [event])")
            return
          }
          let plain = after.plain
          if seen[plain] == nil {
            seen[plain] = way + [event]
            next.append(plain)
          }
        }
      }
      waiting = next
    }
    print("\(seen.count) states, sound within \(worst.seconds) s, the longest way \(worst.way)")
    #expect(worst.seconds <= longest, "\(worst.way)")
    #expect(seen.count > 50)
  }
}
