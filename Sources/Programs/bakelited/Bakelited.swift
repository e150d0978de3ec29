import Box
import Glibc

/// The radio as an appliance, `bakelited`; `BoxProgram` contains its code.
@main struct Bakelited {
  static func main() { exit(BoxProgram.run(CommandLine.arguments.dropFirst())) }
}
