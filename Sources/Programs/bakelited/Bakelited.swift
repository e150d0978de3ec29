import Box
import Glibc

/// `bakelited`: the radio as an appliance. `BoxProgram` is all of it.
@main struct Bakelited {
  static func main() { exit(BoxProgram.run(CommandLine.arguments.dropFirst())) }
}
