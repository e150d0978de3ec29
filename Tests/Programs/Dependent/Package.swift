// swift-tools-version: 6.2
import PackageDescription

// Programs that use Bakelite as a dependency; `run` builds and runs them. README.md and the library's articles show the
// same sources.

let package = Package(
  name: "Dependent",
  dependencies: [.package(name: "bakelite", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Player", dependencies: [.product(name: "Bakelite", package: "bakelite")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "AsyncPlayer", dependencies: [.product(name: "BakeliteAsync", package: "bakelite")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
