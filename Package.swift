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
    .library(name: "Control", targets: ["Control"]),
    .library(name: "Settings", targets: ["Settings"]),
    .executable(name: "bakelite", targets: ["bakelite"]),
    .executable(name: "bakelited", targets: ["bakelited"]),
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
    .systemLibrary(name: "CKissFFT", providers: [.apt(["libkissfft-dev"])]),
    .systemLibrary(name: "CGpiod", providers: [.apt(["libgpiod-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CToml"),

    // The engine, from the ground up.
    .target(name: "Units", swiftSettings: pure),
    .target(name: "System", dependencies: ["Units", "CLinux"], swiftSettings: common),
    .target(name: "Blocks", dependencies: ["Units", "CLinux"], swiftSettings: common),
    .target(name: "Framing", dependencies: ["Blocks", "Units"], swiftSettings: pure),
    .target(name: "Listings", dependencies: ["Framing", "Units", "CExpat"], swiftSettings: common),
    .target(
      name: "Network", dependencies: ["Framing", "Listings", "Blocks", "System", "Units", "CCurl", "CLinux"],
      swiftSettings: common),
    .target(
      name: "Decoding", dependencies: ["Blocks", "Units", "CMad", "CFaad", "CSpeexDSP"],
      swiftSettings: common),
    .target(name: "Rendering", dependencies: ["Blocks", "Units", "CLinux"], swiftSettings: common),
    .target(
      name: "AudioOutput", dependencies: ["Rendering", "Blocks", "System", "Units", "CALSA", "CLinux"],
      swiftSettings: common),
    .target(name: "Metering", dependencies: ["Units", "CKissFFT"], swiftSettings: common),
    .target(
      name: "Radio",
      dependencies: [
        "AudioOutput", "Metering", "Rendering", "Decoding", "Network", "Framing", "Blocks", "System", "Units", "CLinux",
      ], swiftSettings: common),

    .target(
      name: "Control", dependencies: ["Radio", "Metering", "Network", "Framing", "System", "Units", "CLinux"],
      swiftSettings: common),

    // The words that board files and the panel share.
    .target(name: "PanelWords", swiftSettings: pure),

    // What the box is told by files, and remembers.
    .target(
      name: "Settings", dependencies: ["PanelWords", "System", "Units", "CToml", "CLinux"], swiftSettings: common),

    // The front panel.
    .target(name: "Panel", dependencies: ["PanelWords", "Units"], swiftSettings: pure),
    .target(name: "PanelLinux", dependencies: ["Panel", "System", "Units", "CGpiod", "CLinux"], swiftSettings: common),

    // The programs.
    .target(name: "Station", dependencies: ["Framing", "Blocks", "System", "Units", "CLinux"], swiftSettings: common),
    .executableTarget(
      name: "bakelite",
      dependencies: [
        "Control", "Radio", "Network", "AudioOutput", "Framing", "Blocks", "System", "Units", "Station", "CLinux",
        "Settings", "Listings", "Panel", "PanelWords", "PanelLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    .target(
      name: "Box",
      dependencies: [
        "Control", "Radio", "Network", "AudioOutput", "Framing", "Blocks", "System", "Units", "Settings", "Panel",
        "PanelWords", "PanelLinux", "CLinux",
      ],
      swiftSettings: common),
    .executableTarget(name: "bakelited", dependencies: ["Box"], swiftSettings: common),

    // The tests.
    .target(name: "CAllocGuard", path: "Tests/CAllocGuard"),
    .target(name: "CCard", path: "Tests/CCard", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: common),
    .target(
      name: "TestSupport",
      dependencies: [
        "SeededRandom", "Radio", "Network", "AudioOutput", "Decoding", "Rendering", "Listings", "Framing", "Blocks",
        "System", "Units", "CLinux", "CCard",
      ],
      path: "Tests/TestSupport", swiftSettings: common),
    .executableTarget(
      name: "TapBench", dependencies: ["Metering", "Rendering", "Decoding", "Blocks", "Units"], path: "Tests/TapBench",
      swiftSettings: common),
    .testTarget(name: "UnitsTests", dependencies: ["Units"], swiftSettings: common),
    .testTarget(name: "SystemTests", dependencies: ["System", "Units"], swiftSettings: common),
    .testTarget(
      name: "BlocksTests", dependencies: ["SeededRandom", "Blocks", "Units", "CLinux"], swiftSettings: common),
    .testTarget(name: "RenderingTests", dependencies: ["Rendering", "Blocks", "Units"], swiftSettings: common),
    .testTarget(name: "MeteringTests", dependencies: ["Metering", "Units"], swiftSettings: common),
    .target(
      name: "SinkBench", dependencies: ["AudioOutput", "Blocks", "System", "Units", "CLinux"], path: "Tests/SinkBench",
      swiftSettings: common),
    .testTarget(
      name: "AudioOutputTests",
      dependencies: ["SinkBench", "TestSupport", "AudioOutput", "Rendering", "Blocks", "System", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(
      name: "GateTests",
      dependencies: [
        "SinkBench", "TestSupport", "Radio", "Network", "AudioOutput", "Rendering", "Blocks", "System", "Units",
        "CLinux", "CAllocGuard",
      ], exclude: ["Fixtures", "Objects"],
      swiftSettings: common),
    .target(
      name: "CReference", path: "Tests/CReference", linkerSettings: [.linkedLibrary("mad"), .linkedLibrary("faad")]),
    .target(
      name: "DecoderBench", dependencies: ["Decoding", "Framing", "Blocks", "Units", "CReference"],
      path: "Tests/DecoderBench", swiftSettings: common),
    .testTarget(
      name: "DecodingTests",
      dependencies: ["SeededRandom", "DecoderBench", "Decoding", "Blocks", "Units", "CAllocGuard"],
      swiftSettings: common),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "TestSupport", "Radio", "Network", "DecoderBench", "Decoding", "Listings", "Framing", "Blocks", "Units",
        "CReference",
      ],
      swiftSettings: common),
    .testTarget(
      name: "FramingTests", dependencies: ["SeededRandom", "Framing", "Blocks", "Units"], swiftSettings: common),
    .testTarget(
      name: "ListingsTests", dependencies: ["TestSupport", "SeededRandom", "Listings", "Framing", "Units"],
      swiftSettings: common
    ),
    .testTarget(
      name: "NetworkTests",
      dependencies: ["SeededRandom", "TestSupport", "Network", "Framing", "Blocks", "System", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(name: "StationTests", dependencies: ["Station", "Framing", "Blocks", "Units"], swiftSettings: common),
    .testTarget(
      name: "PanelTests", dependencies: ["SeededRandom", "Panel", "PanelWords", "Units"], swiftSettings: common),
    .testTarget(
      name: "RadioTests",
      dependencies: ["AudioOutput", "Rendering", "Radio", "Network", "Decoding", "Framing", "Blocks", "Units"],
      swiftSettings: common),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "Metering", "Rendering", "SeededRandom", "TestSupport", "Radio", "Network", "AudioOutput", "Blocks", "Units",
        "CLinux",
      ],
      swiftSettings: common),
    .testTarget(
      name: "LongTests",
      dependencies: [
        "SeededRandom", "TestSupport", "bakelite", "Radio", "Network", "AudioOutput", "System", "Units", "CLinux",
      ],
      swiftSettings: common),
    .target(name: "CFakeGpiod", path: "Tests/CFakeGpiod", cSettings: [.headerSearchPath("gpiod")]),
    .testTarget(
      name: "PanelLinuxTests",
      dependencies: ["SeededRandom", "PanelLinux", "Panel", "Units", "CGpiod", "CLinux", "CFakeGpiod"],
      swiftSettings: common),
    .target(
      name: "PlayerSupport", dependencies: ["Control", "Radio", "Network", "Metering"], path: "Tests/PlayerSupport",
      swiftSettings: common),
    .testTarget(
      name: "ControlTests",
      dependencies: ["PlayerSupport", "TestSupport", "Control", "Radio", "Network", "AudioOutput", "Units", "CLinux"],
      swiftSettings: common),
    .testTarget(
      name: "SettingsTests",
      dependencies: ["SeededRandom", "TestSupport", "Settings", "SettingsScribe", "PanelWords", "Units"],
      swiftSettings: common),
    .testTarget(
      name: "BoxTests",
      dependencies: [
        "PlayerSupport", "Box", "Control", "Radio", "Network", "AudioOutput", "Settings", "Panel", "PanelLinux",
        "Units",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "SettingsScribe", dependencies: ["Settings"], path: "Tests/SettingsScribe", swiftSettings: common),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "SeededRandom", "TestSupport", "bakelite", "bakelited", "Box", "Settings", "PanelLinux", "AudioOutput",
        "Blocks", "System",
        "CLinux",
      ],
      swiftSettings: common),
  ],
  cxxLanguageStandard: .cxx17
)

// For tests that go slowly (Tests/Sanitizers/run, image/arm64-tests): these targets are left out, and what the others
// test is optimized, unlike they themselves.
if let left = Context.environment["BAKELITE_TESTS_WITHOUT"]?.split(separator: " ") {
  package.targets.removeAll { left.contains($0.name[...]) }
  package.products.removeAll { left.contains($0.name[...]) }
  for target in package.targets where [.regular, .executable].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}
