import Testing

/// Only reviewers verify RT_SAFE: this list records the reviewed functions.
struct AuditedCallTests {
  /// The C functions allowed on the render thread, with the reason for each.
  static let audited = [
    "bk_monotonic_ns": "clock_gettime(2) reads a page that the kernel shares",
    "bk_sleep_until_ns": "clock_nanosleep(2) is what a paced sink waits with",
    "bk_write": "write(2) to a file or a pipe is the sink itself, and EINTR ends",
    "bk_pipe_fill": "ioctl(2) FIONREAD, for a pipe whose reader has a clock",
    "bk_pipe_has_reader": "poll(2) without a wait, for a pipe that nothing is written to",
    "bk_wait_writable": "poll(2) with a limit, for a pipe whose reader is slow",
    "bk_park": "ppoll(2) with a limit and read(2), while the sink needs no audio",
    "bk_tap_run": "calls what the radio's owner installed, by the rules that Tap tells",
    "snd_pcm_writei": "the card; its two locks are switched off by LIBASOUND_THREAD_SAFE=0",
    "snd_pcm_delay": "asks the kernel, or the page that it shares",
    "snd_pcm_prepare": "one ioctl(2), after an xrun or a drain",
    "snd_pcm_resume": "one ioctl(2), after the machine slept",
    "snd_pcm_state": "reads the page that the kernel shares",
    "snd_pcm_drop": "one ioctl(2), while all queued audio is silent",
    "snd_pcm_rewind": "one ioctl(2), after a listener left the programme",
    "snd_pcm_rewindable": "asks the kernel, or the page that it shares",
    "snd_pcm_drain": "waits for the card to play out, when there is nothing more to play",
  ]

  static let headers: Set = ["Sources/C/CALSA/shim.h", "Sources/C/CLinux/include/CLinux.h"]

  /// Returns the functions marked with RT_SAFE in a header.
  static func marked(_ header: SourceFile) -> [String] {
    header.matches(#"(\w+)\s*\([^;(){}]*\)\s*RT_SAFE\b"#).map(\.text)
  }

  @Test func whatIsMarkedWasAudited() {
    let marked = Repository.files.filter { Self.headers.contains($0.path) }.flatMap(Self.marked)
    #expect(marked.sorted() == Self.audited.keys.sorted())
  }

  @Test(
    "No other file makes such a promise, nor goes round it",
    arguments: [#"\bRT_SAFE\b"#, "swift_attr", "@_silgen_name|@_extern"])
  func marksStandInTheHeaders(_ promise: String) {
    let files = Repository.files.filter { $0.path.hasPrefix("Sources/") && !$0.matches(promise).isEmpty }.map(\.path)
    #expect(Set(files).subtracting(Self.headers) == [])
  }

  @Test(
    "The render thread's Swift calls all of them, and no other C of ours or of libasound's",
    .enabled(if: Build.own.isDebug && Tool.disassembler != nil, "this takes a debug build, and objdump"))
  func whatIsMarkedIsCalled() throws {
    let (code, reach) = try Build.own.reachableFunctions()
    let callers = reach.functions.keys.filter { $0.hasPrefix("$s") }
    let called = callers.reduce(into: Set()) { $0.formUnion(code.functions[$1]?.references ?? []) }
    #expect(called.filter { $0.hasPrefix("bk_") || $0.hasPrefix("snd_") } == Set(Self.audited.keys))
  }

  @Test func aMarkIsSeen() {
    let header = SourceFile(
      path: "made-up.h",
      text: """
        #define RT_SAFE __attribute__((swift_attr("@_noLocks")))
        /// Reads it, as RT_SAFE(says) would.
        int bk_read(int fd,
                    void *bytes) RT_SAFE;
        int bk_open(const char *path);
        static inline long bk_seek(int fd) RT_SAFE;
        """)
    #expect(Self.marked(header) == ["bk_read", "bk_seek"])
    #expect(header.matches(#"\bRT_SAFE\b"#).count == 3)
    #expect(!header.matches("swift_attr").isEmpty)
  }
}
