// swift-tools-version: 6.2
import PackageDescription

// A target is a floor of the house: it imports only what stands below it (ARCHITECTURE.md draws it).

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// Floors that touch no C prove their memory safety to the compiler.
let pure: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
  name: "bakelite",
  products: [
    .library(name: "Radio", targets: ["Radio"]),
    .executable(name: "bakelite", targets: ["bakelite"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // C, each a module map and a shim header.
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CMad", providers: [.apt(["libmad0-dev"])]),
    .systemLibrary(name: "CFaad", providers: [.apt(["libfaad-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSpeexDSP", providers: [.apt(["libspeexdsp-dev"])]),
    .target(name: "CLinux"),

    // The engine, from the ground up.
    .target(name: "Units", swiftSettings: pure),
    .target(name: "Blocks", dependencies: ["Units", "CLinux"], swiftSettings: common),
    .target(name: "Framing", dependencies: ["Blocks", "Units"], swiftSettings: pure),
    .target(name: "Listings", dependencies: ["Framing", "CExpat"], swiftSettings: common),
    .target(
      name: "Network", dependencies: ["Framing", "Listings", "Blocks", "Units", "CCurl", "CLinux"],
      swiftSettings: common),
    .target(
      name: "Decoding", dependencies: ["Blocks", "Units", "CMad", "CFaad", "CSpeexDSP"],
      swiftSettings: common),
    .target(name: "Rendering", dependencies: ["Blocks", "Units"], swiftSettings: common),
    .target(
      name: "AudioOutput", dependencies: ["Rendering", "Blocks", "Units", "CALSA", "CLinux"],
      swiftSettings: common),
    .target(
      name: "Radio",
      dependencies: ["AudioOutput", "Rendering", "Decoding", "Network", "Framing", "Blocks", "Units", "CLinux"],
      swiftSettings: common),

    .target(name: "Control", dependencies: ["Radio", "Network", "CLinux"], swiftSettings: common),

    // The programs.
    .target(name: "Station", dependencies: ["Framing", "Blocks", "Units", "CLinux"], swiftSettings: common),
    .executableTarget(
      name: "bakelite",
      dependencies: [
        "Control", "Radio", "Network", "AudioOutput", "Framing", "Blocks", "Units", "Station", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    // The tests.
    .target(name: "CAllocGuard", path: "Tests/CAllocGuard"),
    .target(
      name: "TestSupport",
      dependencies: [
        "Radio", "Network", "AudioOutput", "Decoding", "Rendering", "Framing", "Blocks", "Units", "CLinux",
      ],
      path: "Tests/TestSupport", swiftSettings: common),
    .testTarget(name: "UnitsTests", dependencies: ["Units"], swiftSettings: common),
    .testTarget(name: "BlocksTests", dependencies: ["Blocks", "Units", "CLinux"], swiftSettings: common),
    .testTarget(name: "RenderingTests", dependencies: ["Rendering", "Blocks", "Units"], swiftSettings: common),
    .target(
      name: "SinkBench", dependencies: ["AudioOutput", "Blocks", "Units", "CLinux"], path: "Tests/SinkBench",
      swiftSettings: common),
    .testTarget(
      name: "AudioOutputTests", dependencies: ["SinkBench", "AudioOutput", "Rendering", "Blocks", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(
      name: "GateTests",
      dependencies: [
        "SinkBench", "TestSupport", "Radio", "Network", "AudioOutput", "Blocks", "Units", "CLinux", "CAllocGuard",
      ], exclude: ["Fixtures", "Objects"],
      swiftSettings: common),
    .target(
      name: "CReference", path: "Tests/CReference", linkerSettings: [.linkedLibrary("mad"), .linkedLibrary("faad")]),
    .target(
      name: "DecoderBench", dependencies: ["Decoding", "Framing", "Blocks", "Units", "CReference"],
      path: "Tests/DecoderBench", swiftSettings: common),
    .testTarget(
      name: "DecodingTests", dependencies: ["DecoderBench", "Decoding", "Blocks", "Units", "CAllocGuard"],
      swiftSettings: common),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["DecoderBench", "Decoding", "Listings", "Framing", "Blocks", "Units", "CReference"],
      swiftSettings: common),
    .testTarget(name: "FramingTests", dependencies: ["Framing", "Blocks", "Units"], swiftSettings: common),
    .testTarget(name: "ListingsTests", dependencies: ["Listings", "Framing"], swiftSettings: common),
    .testTarget(
      name: "NetworkTests", dependencies: ["TestSupport", "Network", "Framing", "Blocks", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(name: "StationTests", dependencies: ["Station", "Framing", "Blocks", "Units"], swiftSettings: common),
    .testTarget(name: "RadioTests", dependencies: ["Radio", "Network", "Units"], swiftSettings: common),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["TestSupport", "Radio", "Network", "AudioOutput", "Blocks", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(name: "ControlTests", dependencies: ["Control"], swiftSettings: common),
    .testTarget(name: "CommandLineTests", dependencies: ["TestSupport", "bakelite"], swiftSettings: common),
  ]
)
