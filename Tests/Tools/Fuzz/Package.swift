// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "bakelite", path: "../../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Bakelite", "Settings", "Control", "Directory", "DirectoryClient", "HomeAssistant", "Json", "Rooms", "Web",
      ].map {
        .product(name: $0, package: "bakelite")
      },
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
