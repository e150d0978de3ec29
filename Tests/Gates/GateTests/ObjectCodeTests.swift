import CAllocGuard
import Foundation
import Testing

/// Checks the compiled code that is reachable from the render thread's entry.
@Suite(.enabled(if: Tool.disassembler != nil, "no objdump in PATH"))
struct ObjectCodeTests {
  /// Allowed external functions of the render thread, with the reason for each.
  static let allowed = [
    "clock_gettime": "reads the clock without a system call",
    "clock_nanosleep": "sleeps until it is time",
    "ioctl": "asks how much a pipe holds",
    "poll": "waits for a pipe's reader", "ppoll": "waits to be woken while the sink needs no audio",
    "read": "clears the flag that called it",
    "write": "a file or a pipe, the sink itself",
    "__errno_location": "errno, in the thread's own memory",
    "memcpy": "copies bytes", "memmove": "copies bytes", "memset": "fills bytes",
    "snd_pcm_writei": "the card, the sink itself", "snd_pcm_delay": "asks the card",
    "snd_pcm_prepare": "mends the card", "snd_pcm_resume": "mends the card", "snd_pcm_drain": "lets the card play out",
    "snd_pcm_state": "asks the card", "snd_pcm_drop": "drops silence", "snd_pcm_rewindable": "asks the card",
    "snd_pcm_rewind": "drops audio that the listener left",
    "__stack_chk_fail": "a trap: the stack was overwritten",
    "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF": "a trap, with words in debug",
    "$ss18_fatalErrorMessage__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF": "the same",
    "$sSv10copyMemory4from9byteCountySV_SitF": "memmove, in debug",
  ]

  /// Constants and jump tables; on arm64, atomics with two implementations.
  static let allowedBeginnings = [".rodata", ".LCPI", ".LJTI", ".L.str", "__aarch64_"]

  /// Forbidden on the render thread, even if allowed above.
  static let forbidden = [
    "swift_", "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "mmap", "munmap",
    "pthread_", "sem_", "futex", "syscall", "_Zn", "_Zd", "dlsym", "dlopen", "printf", "open", "close",
  ]

  static func offenders(_ reach: Reach) -> [String] {
    reach.externals.keys.filter { name in
      allowed[name] == nil && !allowedBeginnings.contains { name.hasPrefix($0) }
    }.sorted()
  }

  static func check(_ build: Build) throws -> (code: ObjectCode, reach: Reach) {
    let (code, reach) = try build.reachableFunctions()
    for name in offenders(reach) { Issue.record("the render thread reaches \(reach.path(to: name))") }
    for name in ["bk_sleep_until_ns", "bk_park", "bk_write", "bk_tap_run"] {
      #expect(reach.functions[name] != nil, "\(name) is reached")
    }
    for name in ["snd_pcm_writei", "clock_nanosleep", "poll"] {
      #expect(reach.externals[name] != nil, "\(name) is reached")
    }
    return (code, reach)
  }

  @Test("This build's render thread reaches only allowed functions", .enabled(if: guard_works(), "a sanitizer's code"))
  func ownBuild() throws { _ = try Self.check(Build.own) }

  @Test(
    "The release build reaches only allowed functions, and has no unknown indirect calls",
    .enabled(if: Build.release != nil, "no release build of these sources beside this build: `make build` makes one"))
  func releaseBuild() throws {
    let (code, reach) = try Self.check(try #require(Build.release))
    for name in reach.functions.keys {
      guard let function = code.functions[name] else { continue }
      // Taps are called through a pointer. The tap functions are checked in their own files.
      let calls = name == "bk_tap_run" ? 1 : 0
      #expect(function.indirectCallCount == calls, "\(reach.path(to: name)) calls what a pointer says")
      let hasTable = function.references.contains { $0.hasPrefix(".rodata") || $0.hasPrefix(".LJTI") }
      #expect(function.indirectJumpCount == 0 || hasTable, "\(reach.path(to: name)) jumps where a pointer says")
    }
  }

  /// Two threads that each store a value and then load the other's value need a fence each: without a fence, one may
  /// sleep forever. A random test cannot find a missing fence on all processors.
  @Test(
    "A thread that sleeps and a thread that wakes it each have a fence between store and load",
    .enabled(if: guard_works(), "a sanitizer's code"))
  func fences() throws {
    let radio = Build.own.folder.path + "/RadioEngine.build/DecodeLoop.swift.o"
    let code = try ObjectCode(Build.own.objects + [radio])
    // BlockReader.await and BlockWriter.isAwaited; RenderLoop.restUntilCalled and DecodeLoop.call.
    for name in [
      "11BlockReaderV5await", "11BlockWriterV9isAwaited", "10RenderLoopV15restUntilCalled",
      "10DecodeLoopV16wakeRenderThread",
    ] {
      let functions = code.named(name)
      #expect(!functions.isEmpty || !Build.own.isDebug, "\(name) has a name of its own where nothing is inlined")
      for function in functions { #expect(code.functions[function]?.fenceCount ?? 0 > 0, "\(demangled(function))") }
    }
  }

  @Test(arguments: [
    ("mfence", 1), ("lock orl $0x0,-0x40(%rsp)", 1), ("lock\n   5:\torl\t$0, -64(%rsp)", 1), ("orl\t$0, -64(%rsp)", 0),
    ("dmb\tish", 1), ("lock cmpxchg %edx,(%rcx)", 0),
    ("xchg %al,(%rcx)", 0),
  ])
  func walkReadsFences(_ instruction: String, _ count: Int) {
    let code = ObjectCode(listing: "Disassembly of section .text:\n0000000000000000 <f>:\n   4:\t\(instruction)\n")
    #expect(code.functions["f"]?.fenceCount == count)
  }

  @Test func nothingForbiddenIsAllowed() {
    #expect(Self.allowed.keys.filter { name in Self.forbidden.contains { name.hasPrefix($0) } } == [])
  }

  // MARK: The walk itself

  /// The fixture's objects with optimization, as in a release.
  static let deeds = Result { try ObjectCode.compiling("Deeds", "-O") }

  @Test(
    "The walk finds it, two calls deep",
    arguments: [
      ("Retain", "swift_retain", "keepNext"), ("Release", "swift_release", "drop"),
      ("Once", "swift_once", "firstCount"),
      ("Object", "swift_allocObject", "fresh"), ("Access", "swift_beginAccess", "growNow"),
      ("Malloc", "malloc", "reserve"),
      ("Free", "free", "giveBack"), ("Lock", "pthread_mutex_lock", "locked"),
    ])
  func walkFinds(_ entry: String, _ offender: String, _ culprit: String) throws {
    let reach = try Self.deeds.get().reachableSymbols(from: ["entry" + entry])
    #expect(Self.offenders(reach).contains(offender))
    let way = reach.path(to: offender)
    #expect(way.hasPrefix("entry\(entry) → "))
    #expect(way.hasSuffix(" → \(offender)"))
    #expect(way.components(separatedBy: " → ").dropLast().last?.contains(culprit) == true, "\(way)")
  }

  @Test func walkIsQuietWhereNothingHappens() throws {
    let reach = try Self.deeds.get().reachableSymbols(from: ["entryClean"])
    #expect(reach.functions.keys.count { $0.contains("measure") || $0.contains("3sum") } == 2)
    #expect(Self.offenders(reach) == [])
  }

  @Test func walkSeesACallByPointer() throws {
    let code = try Self.deeds.get()
    let reach = code.reachableSymbols(from: ["entryIndirect"])
    #expect(reach.functions.keys.contains { (code.functions[$0]?.indirectCallCount ?? 0) > 0 })
  }

  /// A listing of LLVM's objdump for arm64. Calls use a name, a relocation to a symbol, or a relocation to an offset in
  /// a section.
  @Test func walkReadsAnotherMachine() {
    let code = ObjectCode(
      listing: """
        a.o:	file format elf64-littleaarch64
        Disassembly of section .text:
        0000000000000000 <entry>:
               8:      	bl	0x18 <room>
        0000000000000018 <room>:
              24:      	bl	0x54 <reserve>
        0000000000000034 <ask>:
              44:      	blr	x8
        0000000000000054 <reserve>:
              58:      	b	0x58 <reserve+0x4>
        		0000000000000058:  R_AARCH64_JUMP26	malloc
        Disassembly of section .text.far:
        0000000000000000 <far>:
               8:      	bl	0x8 <far+0x8>
        		0000000000000008:  R_AARCH64_CALL26	.text+0x18
        """)
    #expect(code.reachableSymbols(from: ["entry"]).path(to: "malloc") == "entry → room → reserve → malloc")
    #expect(code.reachableSymbols(from: ["far"]).path(to: "malloc") == "far → room → reserve → malloc")
    #expect(code.functions["ask"]?.indirectCallCount == 1)
  }
}

extension ObjectCode {
  /// Compiles a source file in Objects and reads its functions.
  static func compiling(_ name: String, _ options: String..., places: Bool = false) throws -> ObjectCode {
    let compiler = try #require(Tool.compiler, "swiftc is in PATH")
    let object = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID().uuidString).o").path
    defer { try? FileManager.default.removeItem(atPath: object) }
    let source = Repository.root.appending(path: "Tests/Gates/GateTests/Objects/\(name).swift").path
    let answer = try compiler.run(
      options + ["-c", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", name, source, "-o", object])
    try #require(answer.status == 0, "\(answer.text)")
    return try ObjectCode([object], places: places)
  }
}
