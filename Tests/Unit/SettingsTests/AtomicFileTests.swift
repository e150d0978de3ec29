import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import Settings

@Suite("Atomic file")
struct AtomicFileTests {
  @Test("A replaced file keeps mode, owner and symbolic link, and leaves nothing else")
  func keepsMode() throws {
    let folder = TemporaryFolder()
    let path = folder.write(Array("old".utf8), to: "file")
    chmod(path, 0o640)
    let isRoot = getuid() == 0
    if isRoot { chown(path, 12, 34) }
    symlink("file", folder.path + "/link")
    try AtomicFile(folder.path + "/link").replace(with: Array("new".utf8), mode: 0o600)
    #expect(folder.bytes(of: "file") == Array("new".utf8))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o640)
    if isRoot { #expect((status.st_uid, status.st_gid) == (12, 34)) }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["file", "link"])
  }

  @Test("A new file has the requested mode; a dead writer's rest does no harm")
  func newFile() throws {
    let folder = TemporaryFolder()
    folder.write(Array("half".utf8), to: ".file.new")
    try AtomicFile(folder.path + "/file").replace(with: [1, 2], mode: 0o600)
    var status = stat()
    #expect(stat(folder.path + "/file", &status) == 0 && status.st_mode == S_IFREG | 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test("An unwritable file is reported, and the old one stays")
  func refusals() throws {
    expectSentence("/no/such/folder/x: it cannot be written (No such file or directory).") {
      _ = try AtomicFile("/no/such/folder/x")
    }
    let folder = TemporaryFolder()
    expectSentence("it is no file") { try AtomicFile(folder.path).replace(with: [], mode: 0o600) }
    let file = StateFile(folder: folder.path + "/none")
    expectSentence("No such file or directory") { try file.save(SavedState()) }
  }

  @Test(
    "A new station list is readable for owner and radio's group; an old one keeps its mode"
  )
  func listIsNotForAll() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/stations.toml"
    func add(_ name: String) throws -> stat {
      try StationFile.edit(path, isCreating: true) { file throws(SettingsError) in
        try file.insert([StationSettings(name: name, url: "http://a:b@c/")], at: 1)
      }
      var status = stat()
      #expect(stat(path, &status) == 0)
      return status
    }
    let new = try add("A")
    #expect(new.st_mode == S_IFREG | 0o640)
    if getuid() == 0, let audio = getgrnam("audio") {
      #expect((new.st_uid, new.st_gid) == (0, audio.pointee.gr_gid))
    }
    for mode: mode_t in [0o600, 0o644] {
      chmod(path, mode)
      if getuid() == 0 { chown(path, 12, 34) }
      let old = try add("\(mode)")
      #expect(old.st_mode == S_IFREG | mode)
      if getuid() == 0 { #expect((old.st_uid, old.st_gid) == (12, 34)) }
    }
  }

  @Test(
    "A file that root adds to the radio's folder belongs to the radio",
    .enabled(if: getuid() == 0, "only root gives away")
  )
  func ownersFile() throws {
    let folder = TemporaryFolder()
    chown(folder.path, 12, 34)
    try OwnerFile(folder: folder.path).edit(.add(StationSettings(name: "A", url: "http://a/"), at: nil), over: [])
    var status = stat()
    #expect(stat(folder.path + "/owner.toml", &status) == 0 && status.st_mode == S_IFREG | 0o640)
    #expect((status.st_uid, status.st_gid) == (12, 34))
  }

  @Test("A user with only read access blocks no change")
  func folderLock() throws {
    let folder = TemporaryFolder()
    let looking = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(looking) }
    #expect(flock(looking, LOCK_EX | LOCK_NB) == 0)
    try AtomicFile(folder.path + "/file").replace(with: [1], mode: 0o600)
    #expect(folder.bytes(of: "file") == [1])
  }

  @Test("A file being changed is locked; the lock is its owner's, and disappears with the change")
  func lock() throws {
    let folder = TemporaryFolder()
    // The lock of a killed program.
    folder.write([], to: ".file.lock")
    do {
      let first = try AtomicFile(folder.path + "/file")
      var status = stat()
      #expect(stat(folder.path + "/.file.lock", &status) == 0)
      expectSentence("/file: another program is changing it; try again later.") {
        _ = try AtomicFile(folder.path + "/file")
      }
      try AtomicFile(folder.path + "/other").replace(with: [2], mode: 0o600)
      try first.replace(with: [1], mode: 0o600)
      try AtomicFile(folder.path + "/file").replace(with: [3], mode: 0o600)
    }
    do {
      let again = try AtomicFile(folder.path + "/file")
      var status = stat()
      #expect(stat(folder.path + "/.file.lock", &status) == 0 && status.st_mode == S_IFREG | 0o600)
      try again.replace(with: [4], mode: 0o600)
    }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["file", "other"])
    symlink("/dev/null", folder.path + "/.file.lock")
    expectSentence("/file: it cannot be written") { _ = try AtomicFile(folder.path + "/file") }
  }

  @Test("Two writers take turns, and no change is lost")
  func turns() throws {
    let folder = TemporaryFolder()
    let path = folder.write([], to: "stations.toml")
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for turn in 0..<10 {
        do {
          try StationFile.edit(path, isCreating: false) { file throws(SettingsError) in
            try file.insert([StationSettings(name: "\(worker)-\(turn)", url: "http://a/")], at: 1)
          }
        } catch { Issue.record(error) }
      }
    }
    #expect(StationList.load(path).entries.count == 40)
  }

  @Test("A writer killed at any time leaves a whole file, at least the last finished one", .timeLimit(.minutes(5)))
  func killed() throws {
    let folder = TemporaryFolder()
    let stations = Array(StationFileTests.text.utf8)
    let path = folder.write(stations, to: "stations.toml")
    let file = StateFile(folder: folder.path)
    var random = SeededGenerator(1)
    var (torn, round) = (0, SavedState().volume)
    let longest = try 4 * Scribe.pace()
    for _ in 0..<300 {
      let finished = Int.random(in: 0...2, using: &random)
      let told = try Scribe.run(in: folder.path, rounds: finished, and: .random(in: 0...longest, using: &random))
      let (content, problem) = file.load()
      #expect(problem == nil)
      let state = content ?? SavedState()
      let ahead = (state.volume - round % 100 + 100) % 100
      // A round may be complete but not reported.
      #expect([told, told + 1].contains { $0 % 100 == ahead }, "\(state.volume) after \(round) and \(told)")
      round += ahead
      #expect(state == SavedState() || state.stationName?.utf8.count ?? 0 == state.volume * 40)
      let list = StationList.load(path)
      #expect(list.problems == [])
      #expect(list.entries.map(\.station.name).filter { $0 != "New" } == ["A", "B", "C"])
      if (list.entry("New") != nil) != state.volume.isMultiple(of: 2) { torn += 1 }
    }
    #expect(torn > 10, "some were killed between the one file and the other: \(torn)")
    let text = String(decoding: folder.bytes(of: "stations.toml"), as: UTF8.self)
    for line in StationFileTests.text.split(separator: "\n") { #expect(text.contains(line)) }
  }
}

/// The child process that writes files until killed.
private enum Scribe {
  private static let location = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("SettingsScribe")

  /// Duration of a round on this machine in microseconds, also on an emulated processor.
  static func pace() throws -> UInt32 {
    let folder = TemporaryFolder()
    _ = folder.write(Array(StationFileTests.text.utf8), to: "stations.toml")
    let clock = ContinuousClock(), begun = clock.now
    let nothing = try run(in: folder.path, rounds: 0, and: 0)
    let started = clock.now
    let rounds = try run(in: folder.path, rounds: 20, and: 0) - nothing
    let time = clock.now - started - (started - begun)
    return UInt32(max(250, time / .microseconds(max(1, rounds))))
  }

  /// Kills the child some microseconds after these rounds, and returns the number of rounds it reported.
  static func run(in folder: String, rounds: Int, and microseconds: UInt32) throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = location
    process.arguments = [folder]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // If the child ends early, an open copy of the write end would block the read.
    try output.fileHandleForWriting.close()
    #expect(output.fileHandleForReading.readData(ofLength: 1 + rounds).count == 1 + rounds)
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    return rounds + output.fileHandleForReading.readDataToEndOfFile().count
  }
}
