import Glibc
import Web

/// `bakelite-web`: the web panel. `WebProgram` is all of it.
@main struct BakeliteWeb {
  static func main() { exit(WebProgram.run(CommandLine.arguments.dropFirst())) }
}
