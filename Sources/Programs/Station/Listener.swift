import Glibc
import System
import Units

/// One connection: its request, then an answer, or a stream until it hangs up or falls behind.
///
/// It keeps no audio of its own, only its place in the loop; what it holds is bounded by its request and one answer.
final class Listener {
  enum Phase {
    /// The request is being read.
    case asking
    /// What is pending is the whole answer.
    case answered
    /// The answer is out; what the client still sends is read and dropped, so that closing does not cut the answer off.
    case leaving
    /// On the air.
    case listening(Broadcast)
  }

  let descriptor: Descriptor
  private(set) var phase = Phase.asking
  /// When a client that does not listen is closed.
  private(set) var deadline: MonotonicTime
  /// The socket takes no more for now.
  private(set) var isBlocked = false
  /// The client sends no more.
  private(set) var hasEnded = false

  private var reader = HTTPRequestReader()
  private var pending: [UInt8] = []
  private var pendingOffset = 0
  private var position = 0
  private var metadataInterval = 0
  private var untilMetadata = 0
  private var toldCue: Int?

  init(_ descriptor: consuming Descriptor, at now: MonotonicTime) {
    self.descriptor = descriptor
    deadline = now + Duration(milliseconds: 10_000)
  }

  /// Reads what the client sent, a bounded piece; a request that is whole is returned once.
  func receive(into scratch: inout [UInt8]) -> HTTPRequestReader.Outcome {
    let count = recv(descriptor.raw, &scratch, scratch.count, 0)
    hasEnded = count == 0 || (count < 0 && ![EAGAIN, EINTR].contains(errno))
    guard case .asking = phase, count > 0 else { return .incomplete }
    return reader.append(scratch.prefix(count))
  }

  /// Answers and lets the client go.
  func answer(_ bytes: [UInt8], at now: MonotonicTime) {
    (phase, pending, pendingOffset) = (.answered, bytes, 0)
    deadline = now + Duration(milliseconds: 5000)
  }

  /// Begins a stream at a frame border; `interval` is the audio between metadata blocks, 0 without any.
  func tune(to broadcast: Broadcast, head: [UInt8], from position: Int, metadataInterval interval: Int) {
    (phase, pending, pendingOffset) = (.listening(broadcast), head, 0)
    (self.position, metadataInterval, untilMetadata) = (position, interval, interval)
    deadline = .never
  }

  /// Sends what is due; false ends the connection.
  func send(at now: MonotonicTime, maximumLag: Int) -> Bool {
    isBlocked = false
    switch phase {
    case .asking:
      return now < deadline && !hasEnded
    case .answered:
      guard sendPending() else { return isBlocked && now < deadline }
      shutdown(descriptor.raw, Int32(SHUT_WR))
      (phase, deadline) = (.leaving, now + Duration(milliseconds: 2000))
      return !hasEnded
    case .leaving:
      return now < deadline && !hasEnded
    case .listening(let broadcast):
      let live = broadcast.live(at: now).byte
      return stream(broadcast.mount, upTo: live) || (isBlocked && live &- position <= maximumLag)
    }
  }

  /// Sends audio, and metadata where it falls due, up to a byte of the loop; false where the socket stops it.
  private func stream(_ mount: Mount, upTo live: Int) -> Bool {
    let audio = mount.index.audio
    while sendPending() {
      guard position < live else { return true }
      if metadataInterval > 0, untilMetadata == 0 {
        tell(mount)
        continue
      }
      let offset = position % audio.count
      var count = min(live &- position, audio.count - offset)
      if metadataInterval > 0 { count = min(count, untilMetadata) }
      let sent = send(audio, from: offset, count: count)
      guard sent > 0 else { return false }
      position &+= sent
      untilMetadata &-= sent
    }
    return false
  }

  /// The metadata block before the next byte of audio: its title, or nothing where the listener knows it already.
  private func tell(_ mount: Mount) {
    let cue = mount.cue(at: position)
    pending = cue == toldCue ? [0] : mount.metadataBlock(ofCue: cue)
    (pendingOffset, untilMetadata, toldCue) = (0, metadataInterval, cue)
  }

  private func sendPending() -> Bool {
    while pendingOffset < pending.count {
      let sent = send(pending, from: pendingOffset, count: pending.count - pendingOffset)
      guard sent > 0 else { return false }
      pendingOffset += sent
    }
    return true
  }

  /// How many bytes the socket took; 0 where it takes none for now or for ever.
  private func send(_ bytes: [UInt8], from offset: Int, count: Int) -> Int {
    let sent = bytes.withUnsafeBytes { bytes in
      Glibc.send(descriptor.raw, bytes.baseAddress.map { $0 + offset }, count, Int32(MSG_NOSIGNAL))
    }
    if sent < 0 { isBlocked = errno == EAGAIN || errno == EINTR }
    return max(sent, 0)
  }
}
