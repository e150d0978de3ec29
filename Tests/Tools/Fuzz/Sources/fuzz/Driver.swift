import Glibc

/// The target of this process. Used only by libFuzzer's thread.
nonisolated(unsafe) private var target: (any FuzzTarget)?

/// Selects the target and removes its name from the arguments (`fuzz TARGET [OPTION | FOLDER]…`). libFuzzer calls this
/// function before it reads its options. Child processes of libFuzzer receive the name in the environment.
@_cdecl("LLVMFuzzerInitialize")
public func chooseTarget(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  var words = (0..<Int(count.pointee)).map { arguments.pointee[$0] }
  let inherited = getenv("FUZZ_TARGET").map { String(cString: $0) }
  let name = inherited ?? (words.count > 1 ? String(cString: words.remove(at: 1)) : "")
  if name == "list" {
    for type in Catalogue.targets { print(type.name) }
    exit(0)
  }
  guard let type = Catalogue.targets.first(where: { $0.name == name }) else {
    print("Usage: fuzz list | fuzz TARGET seeds FOLDER | fuzz TARGET [OPTION | FOLDER]…")
    exit(2)
  }
  if words.count == 3, String(cString: words[1]) == "seeds" {
    Seeds.write(type.seeds, to: String(cString: words[2]))
    exit(0)
  }
  setenv("FUZZ_TARGET", name, 1)
  if let limit = strdup("-max_len=\(type.longest)") { words.insert(limit, at: 1) }
  // libFuzzer uses the block until the process ends.
  let block = UnsafeMutablePointer<UnsafeMutablePointer<CChar>>.allocate(capacity: words.count)
  block.initialize(from: words, count: words.count)
  arguments.pointee = block
  count.pointee = CInt(words.count)
  target = type.init()
  return 0
}

/// Runs one input for libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func runOnce(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target?.run(UnsafeBufferPointer(start: start, count: count).span)
  return 0
}
