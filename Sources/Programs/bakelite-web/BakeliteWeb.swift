import Glibc
import Web

/// The web panel `bakelite-web`; `WebProgram` contains its code.
@main struct BakeliteWeb {
  static func main() { exit(WebProgram.run(CommandLine.arguments.dropFirst())) }
}
