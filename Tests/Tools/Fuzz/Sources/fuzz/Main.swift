import Glibc

/// libFuzzer's loop: reads its options, and calls `chooseTarget` and `runOnce`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The program, which has a beginning of its own: SwiftPM gives it another name where it builds tests beside it.
@main
enum Main {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments, runOnce))
  }
}
