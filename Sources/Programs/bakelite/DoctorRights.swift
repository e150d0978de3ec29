import Glibc

/// Who may do what with a pipe: its mode, owner and group (stat(2)).
struct PipeRights: Equatable {
  let mode: mode_t
  let owner: uid_t
  let group: gid_t

  /// Whether the members of a group may read, write, or both.
  func lets(_ group: gid_t, read: Bool, write: Bool) -> Bool {
    let bits = group == self.group ? mode >> 3 : mode
    return (!read || bits & 0o4 != 0) && (!write || bits & 0o2 != 0)
  }

  /// Whether a process may read.
  func lets(_ reader: ProcessRights) -> Bool {
    if reader.user == 0 { return true }
    // The first class that a process belongs to is the one that counts.
    if reader.user == owner { return mode & 0o400 != 0 }
    if reader.groups.contains(group) { return mode & 0o040 != 0 }
    return mode & 0o004 != 0
  }
}

/// Whose a process is.
struct ProcessRights: Equatable {
  let user: uid_t
  /// Its group and the others that it is in.
  let groups: Set<gid_t>

  init(user: uid_t, groups: Set<gid_t>) { (self.user, self.groups) = (user, groups) }

  /// What /proc/PID/status says of the effective user and all groups; nil where it says nothing.
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

  /// A user of the system, with no other group than their own; nil where there is none.
  init?(user name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.init(user: entry.pointee.pw_uid, groups: [entry.pointee.pw_gid])
  }
}
