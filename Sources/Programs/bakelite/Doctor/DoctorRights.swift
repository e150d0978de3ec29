import Glibc

struct PipeRights: Equatable {
  let mode: mode_t
  let owner: uid_t
  let group: gid_t

  func lets(_ group: gid_t, read: Bool, write: Bool) -> Bool {
    let bits = group == self.group ? mode >> 3 : mode
    return (!read || bits & 0o4 != 0) && (!write || bits & 0o2 != 0)
  }

  func lets(_ reader: ProcessRights) -> Bool {
    if reader.user == 0 { return true }
    // Only the first matching class counts.
    if reader.user == owner { return mode & 0o400 != 0 }
    if reader.groups.contains(group) { return mode & 0o040 != 0 }
    return mode & 0o004 != 0
  }
}

struct ProcessRights: Equatable {
  let user: uid_t
  let groups: Set<gid_t>

  init(user: uid_t, groups: Set<gid_t>) { (self.user, self.groups) = (user, groups) }

  /// Parses the effective user and all groups from /proc/PID/status; nil if they are missing.
  init?(status: String) {
    func numbers(_ key: String) -> [UInt32]? {
      let line = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix(key + ":") }
      return line.map { $0.dropFirst(key.count + 1).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) } }
    }
    guard let users = numbers("Uid"), users.count == 4, let groups = numbers("Gid"), groups.count == 4 else {
      return nil
    }
    self.init(user: users[1], groups: Set(numbers("Groups") ?? []).union([groups[1]]))
  }

  /// Looks up a system user, with the primary group only; nil if the user does not exist.
  init?(user name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.init(user: entry.pointee.pw_uid, groups: [entry.pointee.pw_gid])
  }
}
