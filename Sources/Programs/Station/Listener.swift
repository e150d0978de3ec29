import Glibc
import System
import Units

/// A client's connection: a request, then one response, or a stream until the client disconnects or is too slow.
///
/// The listener stores a position in the loop instead of audio, so its memory is at most one request and one response.
final class Listener {
  enum Phase {
    case asking
    case answered
    /// The response is sent; further input is read and dropped, because closing with unread input would cut the
    /// response.
    case leaving
    case listening(Broadcast)
  }

  let descriptor: Descriptor
  private(set) var phase = Phase.asking
  private(set) var deadline: MonotonicTime
  /// True if the socket accepts no more bytes for now.
  private(set) var isBlocked = false
  private(set) var hasEnded = false

  private var reader = HTTPRequestReader()
  private var pending: [UInt8] = []
  private var pendingOffset = 0
  private var position = 0
  private var metadataInterval = 0
  private var untilMetadata = 0
  private var sentCue: Int?

  init(_ descriptor: consuming Descriptor, at now: MonotonicTime) {
    self.descriptor = descriptor
    deadline = now + Duration(milliseconds: 10_000)
  }

  /// Reads at most `scratch.count` bytes. After the response has started, drops them and returns `.incomplete`.
  func receive(into scratch: inout [UInt8]) -> HTTPRequestReader.Outcome {
    let count = recv(descriptor.raw, &scratch, scratch.count, 0)
    hasEnded = count == 0 || (count < 0 && ![EAGAIN, EINTR].contains(errno))
    guard case .asking = phase, count > 0 else { return .incomplete }
    return reader.append(scratch.prefix(count))
  }

  func answer(_ bytes: [UInt8], at now: MonotonicTime) {
    (phase, pending, pendingOffset) = (.answered, bytes, 0)
    deadline = now + Duration(milliseconds: 5000)
  }

  /// Starts a stream at a frame. `interval`: audio bytes between metadata blocks; 0 without metadata.
  func tune(to broadcast: Broadcast, head: [UInt8], from position: Int, metadataInterval interval: Int) {
    (phase, pending, pendingOffset) = (.listening(broadcast), head, 0)
    (self.position, metadataInterval, untilMetadata) = (position, interval, interval)
    deadline = .never
  }

  /// Sends due bytes; returns false to end the connection.
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

  /// Sends audio up to `live`, with metadata blocks; returns false if the socket is full or broken.
  private func stream(_ mount: Mount, upTo live: Int) -> Bool {
    let audio = mount.index.audio
    while sendPending() {
      guard position < live else { return true }
      if metadataInterval > 0, untilMetadata == 0 {
        sendMetadata(mount)
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

  /// Inserts a metadata block: the title if it changed, otherwise an empty one.
  private func sendMetadata(_ mount: Mount) {
    let cue = mount.cue(at: position)
    pending = cue == sentCue ? [0] : mount.metadataBlock(ofCue: cue)
    (pendingOffset, untilMetadata, sentCue) = (0, metadataInterval, cue)
  }

  private func sendPending() -> Bool {
    while pendingOffset < pending.count {
      let sent = send(pending, from: pendingOffset, count: pending.count - pendingOffset)
      guard sent > 0 else { return false }
      pendingOffset += sent
    }
    return true
  }

  /// Returns the bytes that the socket accepted; 0 if it is full or broken.
  private func send(_ bytes: [UInt8], from offset: Int, count: Int) -> Int {
    let sent = bytes.withUnsafeBytes { bytes in
      Glibc.send(descriptor.raw, bytes.baseAddress.map { $0 + offset }, count, Int32(MSG_NOSIGNAL))
    }
    if sent < 0 { isBlocked = errno == EAGAIN || errno == EINTR }
    return max(sent, 0)
  }
}
