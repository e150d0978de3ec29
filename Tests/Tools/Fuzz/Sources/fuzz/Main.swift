import Glibc

/// Reads libFuzzer's options, then calls `chooseTarget` and `runOnce` in a loop.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// An entry point of its own instead of libFuzzer's: SwiftPM renames the entry point if it builds tests in the same
/// build.
@main
enum Main {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments, runOnce))
  }
}
