import Blocks
import Units

// One file after the other in the same programme: the next one is asked for when the last one is whole, and its packets
// come right behind, so that nothing is heard of the border.

extension Receiver {
  /// Says what follows; where something else was being asked for already, that instead.
  func follow(_ next: Follow) {
    follower = next
    guard isFollowing || awaitsFollower else { return }
    leave(current)
    (current, nextTry, isFollowing) = (nil, nil, false)
    beginFollower()
  }

  /// The file is whole: asks for what follows, or ends the programme where nothing does. Before that is said, the file
  /// waits: a short one may be whole before anybody heard of it.
  func beginFollower() {
    awaitsFollower = follower == nil
    guard let next = follower else { return }
    guard let request = next.request, let address = try? WebAddress(request.url, allowsFile: true) else {
      return finish()
    }
    follower = nil
    endCounting()
    tailReader?.cancel()
    tailReader = nil
    followed = next.token
    self.request = request
    candidates = Candidates(address, request.referral, budget: candidates?.budget)
    (file, isPlain, isFollowing) = (nil, false, true)
    connect()
  }

  /// What was to follow cannot: the programme is over, and who wants it may tune to it.
  func abandonFollower() {
    leave(current)
    (current, nextTry, file, isFollowing) = (nil, nil, nil, false)
    finish()
  }

  /// The first packet of what follows: behind what is held; false where the file begins a programme.
  func beginFollowing(_ known: inout FileDownload, _ info: inout PacketInfo, at start: StreamTime) -> Bool {
    guard isFollowing else { return false }
    isFollowing = false
    fileNumber += 1
    known.place = FilePlace(base: keeper.writer.time - start, border: keeper.writer.time)
    info.beginsFile = true
    info.followsGap = false
    return true
  }
}
