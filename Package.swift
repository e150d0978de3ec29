// swift-tools-version: 6.2
import PackageDescription

// A target imports only targets below it (ARCHITECTURE.md lists them).

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
  // A newer version of a library may call a function deprecated; whoever builds with it still gets a program.
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// Targets that touch no C prove their memory safety to the compiler.
let pure: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
  name: "bakelite",
  products: [
    .library(name: "Bakelite", targets: ["Bakelite"]),
    .library(name: "BakeliteAsync", targets: ["BakeliteAsync"]),
    .executable(name: "bakelite", targets: ["bakelite"]),
    .executable(name: "bakelited", targets: ["bakelited"]),
    .executable(name: "bakelite-web", targets: ["bakelite-web"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // C, each a module map and a shim header.
    .systemLibrary(name: "CALSA", path: "Sources/C/CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CMad", path: "Sources/C/CMad", providers: [.apt(["libmad0-dev"])]),
    .systemLibrary(name: "CMpg123", path: "Sources/C/CMpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CFaad", path: "Sources/C/CFaad", providers: [.apt(["libfaad-dev"])]),
    .systemLibrary(name: "CFlac", path: "Sources/C/CFlac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(name: "CVorbis", path: "Sources/C/CVorbis", providers: [.apt(["libogg-dev", "libvorbis-dev"])]),
    .systemLibrary(name: "COpus", path: "Sources/C/COpus", providers: [.apt(["libopus-dev"])]),
    .systemLibrary(name: "CCurl", path: "Sources/C/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", path: "Sources/C/CCrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CExpat", path: "Sources/C/CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CJson", path: "Sources/C/CJson", providers: [.apt(["libcjson-dev"])]),
    .systemLibrary(name: "CSpeexDSP", path: "Sources/C/CSpeexDSP", providers: [.apt(["libspeexdsp-dev"])]),
    .systemLibrary(name: "CKissFFT", path: "Sources/C/CKissFFT", providers: [.apt(["libkissfft-dev"])]),
    .systemLibrary(name: "CGpiod", path: "Sources/C/CGpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CMosquitto", path: "Sources/C/CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "CMicrohttpd", path: "Sources/C/CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CCrypt", path: "Sources/C/CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(name: "CResolv", path: "Sources/C/CResolv"),
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CToml", path: "Sources/C/CToml"),
    .target(name: "CBus", path: "Sources/C/CBus"),

    // The engine, from the ground up.
    .target(name: "Units", path: "Sources/Engine/Units", swiftSettings: pure),
    .target(name: "Alignment", dependencies: ["Units"], path: "Sources/Engine/Alignment", swiftSettings: pure),
    .target(name: "System", dependencies: ["Units", "CLinux"], path: "Sources/Engine/System", swiftSettings: common),
    .target(
      name: "Blocks", dependencies: ["System", "Units", "CLinux"], path: "Sources/Engine/Blocks", swiftSettings: common),
    .target(name: "Framing", dependencies: ["Blocks", "Units"], path: "Sources/Engine/Framing", swiftSettings: pure),
    .target(
      name: "Listings", dependencies: ["Framing", "Units", "CExpat", "CLinux"], path: "Sources/Engine/Listings",
      swiftSettings: common),
    .target(
      name: "Http", dependencies: ["System", "Units", "CCurl", "CLinux", "CResolv"], path: "Sources/Engine/Http",
      swiftSettings: common),
    .target(
      name: "Network",
      dependencies: ["Framing", "Listings", "Http", "Blocks", "System", "Units", "CCrypto", "CLinux"],
      path: "Sources/Engine/Network",
      swiftSettings: common),
    .target(
      name: "Decoding",
      dependencies: ["Blocks", "Units", "CMad", "CMpg123", "CFaad", "CFlac", "CVorbis", "COpus", "CSpeexDSP"],
      path: "Sources/Engine/Decoding",
      swiftSettings: common),
    .target(
      name: "Rendering", dependencies: ["Blocks", "Units", "CLinux"], path: "Sources/Engine/Rendering",
      swiftSettings: common),
    .target(
      name: "AudioOutput", dependencies: ["Rendering", "Blocks", "System", "Units", "CALSA", "CLinux"],
      path: "Sources/Engine/AudioOutput",
      swiftSettings: common),
    .target(
      name: "Metering", dependencies: ["Units", "CKissFFT"], path: "Sources/Engine/Metering", swiftSettings: common),
    .target(
      name: "Recordings", dependencies: ["Framing", "Blocks", "System", "Units", "CLinux"],
      path: "Sources/Engine/Recordings", swiftSettings: common),
    .target(
      name: "RadioEngine",
      dependencies: [
        "Recordings", "AudioOutput", "Metering", "Rendering", "Decoding", "Network", "Http", "Framing", "Blocks",
        "System", "Alignment", "Units", "CLinux",
      ], path: "Sources/Engine/RadioEngine", swiftSettings: common),

    // The engine as one library.
    .target(
      name: "Bakelite",
      dependencies: [
        "RadioEngine", "Recordings", "AudioOutput", "Metering", "Rendering", "Network", "Http", "Framing", "Blocks",
        "System", "Units",
      ], path: "Sources/Engine/Bakelite", swiftSettings: common),

    // The only target that uses Swift concurrency.
    .target(
      name: "BakeliteAsync", dependencies: ["Bakelite", "System"], path: "Sources/Engine/BakeliteAsync",
      swiftSettings: common),

    // Chooses the source: the station, a fallback, or the tone.
    .target(name: "Continuity", dependencies: ["Units"], path: "Sources/Box/Continuity", swiftSettings: pure),

    // The moments of alarms, and their course.
    .target(name: "Alarms", dependencies: ["Units"], path: "Sources/Box/Alarms", swiftSettings: pure),

    .target(
      name: "Control",
      dependencies: [
        "Continuity", "RadioEngine", "Recordings", "Metering", "Network", "Http", "Framing", "Directory", "Rooms",
        "Settings",
        "PanelWords", "System", "Units", "CLinux",
      ],
      path: "Sources/Box/Control",
      swiftSettings: common),

    // The player on a message bus.
    .target(
      name: "Mpris", dependencies: ["Control", "RadioEngine", "Framing", "System", "Units", "CBus", "CLinux"],
      path: "Sources/Box/Mpris", swiftSettings: common),

    // The words that board files, the saved state, the panel and the control protocol share.
    .target(name: "PanelWords", path: "Sources/Box/PanelWords", swiftSettings: pure),

    // The box's files and stored state.
    .target(
      name: "Settings", dependencies: ["Alarms", "PanelWords", "System", "Units", "CToml", "CLinux"],
      path: "Sources/Box/Settings", swiftSettings: common),

    // The copy of the station directory.
    .target(
      name: "Directory", dependencies: ["Listings", "System", "Units"], path: "Sources/Box/Directory",
      swiftSettings: common),

    // JSON as it comes, and the lines in which texts come.
    .target(name: "Json", dependencies: ["Framing", "CJson"], path: "Sources/Box/Json", swiftSettings: common),

    // The rooms of a Snapcast server.
    .target(
      name: "Rooms", dependencies: ["Framing", "Json", "System", "Units", "CLinux"],
      path: "Sources/Box/Rooms",
      swiftSettings: common),

    // The client of the directory's servers.
    .target(
      name: "DirectoryClient", dependencies: ["Directory", "Http", "System", "Units", "CResolv"],
      path: "Sources/Box/DirectoryClient", swiftSettings: common),

    // The box in Home Assistant.
    .target(
      name: "HomeAssistant",
      dependencies: [
        "RadioEngine", "Network", "Http", "Framing", "System", "Units", "Settings", "CMosquitto", "CCrypto", "CLinux",
      ],
      path: "Sources/Box/HomeAssistant", swiftSettings: common),

    // The front panel.
    .target(name: "Panel", dependencies: ["PanelWords", "Units"], path: "Sources/Box/Panel", swiftSettings: pure),
    .target(
      name: "PanelLinux", dependencies: ["Panel", "System", "Units", "CGpiod", "CLinux"],
      path: "Sources/Box/PanelLinux", swiftSettings: common),

    // The web panel, which talks to the radio by its control socket alone.
    .target(
      name: "Web", dependencies: ["Json", "Framing", "System", "Units", "CMicrohttpd", "CCrypt", "CLinux"],
      path: "Sources/Box/Web", swiftSettings: common),

    // The programs.
    .target(
      name: "Station", dependencies: ["Framing", "Blocks", "System", "Units"],
      path: "Sources/Programs/Station", swiftSettings: common),
    .executableTarget(
      name: "bakelite",
      dependencies: [
        "Control", "Mpris", "RadioEngine", "Recordings", "Network", "Http", "Decoding", "AudioOutput", "Framing",
        "Blocks", "System", "Units", "Station", "CLinux", "Settings", "Directory", "DirectoryClient", "HomeAssistant",
        "Listings", "Panel", "PanelWords", "PanelLinux", "Rooms", "Json",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/Programs/bakelite",
      swiftSettings: common),

    .target(
      name: "Box",
      dependencies: [
        "Control", "Alarms", "RadioEngine", "Recordings", "Network", "Http", "AudioOutput", "Framing", "System",
        "Units", "Settings",
        "Directory", "HomeAssistant", "Mpris", "Rooms", "Panel", "PanelWords", "PanelLinux", "CLinux",
      ], path: "Sources/Box/Box",
      swiftSettings: common),
    .executableTarget(
      name: "bakelited", dependencies: ["Box"], path: "Sources/Programs/bakelited", swiftSettings: common),
    .executableTarget(
      name: "bakelite-web", dependencies: ["Web"], path: "Sources/Programs/bakelite-web", swiftSettings: common),

    // The tests.
    .target(name: "CAllocGuard", path: "Tests/Support/CAllocGuard"),
    .target(name: "CCard", path: "Tests/Support/CCard", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: common),
    .target(
      name: "DirectorySupport", dependencies: ["SeededRandom"], path: "Tests/Support/DirectorySupport",
      swiftSettings: common),
    // Writers of containers, and generated audio: no engine.
    .target(
      name: "MediaSupport", dependencies: ["SeededRandom", "CEncoders", "CCrypto"], path: "Tests/Support/MediaSupport",
      swiftSettings: common),
    // Folders, clocks, programs and servers: no engine.
    .target(
      name: "TestSupport", dependencies: ["System", "CLinux"], path: "Tests/Support/TestSupport",
      swiftSettings: common),
    .target(
      name: "ListingsSupport", dependencies: ["Listings"], path: "Tests/Support/ListingsSupport",
      swiftSettings: common),
    // Stations that send audio packets.
    .target(
      name: "StationSupport",
      dependencies: [
        "MediaSupport", "TestSupport", "SeededRandom", "Decoding", "Rendering", "Framing", "Blocks", "System", "Units",
      ], path: "Tests/Support/StationSupport", swiftSettings: common),
    // Radios and net threads that record their events.
    .target(
      name: "RadioSupport",
      dependencies: [
        "SinkBench", "StationSupport", "TestSupport", "RadioEngine", "Network", "AudioOutput", "Blocks", "System",
        "Units", "Recordings",
      ], path: "Tests/Support/RadioSupport", swiftSettings: common),
    .executableTarget(
      name: "TapBench", dependencies: ["Metering", "Rendering", "Decoding", "Blocks", "Units"],
      path: "Tests/Tools/TapBench",
      swiftSettings: common),
    .executableTarget(
      name: "DirectoryBench", dependencies: ["DirectorySupport", "Directory", "System", "Units"],
      path: "Tests/Tools/DirectoryBench", swiftSettings: common),
    .testTarget(name: "UnitsTests", dependencies: ["Units"], path: "Tests/Unit/UnitsTests", swiftSettings: common),
    .testTarget(
      name: "AlignmentTests", dependencies: ["SeededRandom", "MediaSupport", "Alignment", "Units", "CAllocGuard"],
      path: "Tests/Unit/AlignmentTests", swiftSettings: common),
    .testTarget(
      name: "SystemTests", dependencies: ["TestSupport", "System", "Units", "CAllocGuard"],
      path: "Tests/Unit/SystemTests", swiftSettings: common),
    .testTarget(
      name: "BlocksTests", dependencies: ["SeededRandom", "Blocks", "Units", "CLinux"], path: "Tests/Unit/BlocksTests",
      swiftSettings: common),
    .testTarget(
      name: "RenderingTests", dependencies: ["Rendering", "Blocks", "Units"], path: "Tests/Unit/RenderingTests",
      swiftSettings: common),
    .testTarget(
      name: "MeteringTests", dependencies: ["Metering", "Units"], path: "Tests/Unit/MeteringTests",
      swiftSettings: common),
    .target(
      name: "SinkBench", dependencies: ["TestSupport", "AudioOutput", "Blocks", "System", "Units", "CLinux", "CCard"],
      path: "Tests/Support/SinkBench",
      swiftSettings: common),
    .testTarget(
      name: "AudioOutputTests",
      dependencies: [
        "SinkBench", "MediaSupport", "AudioOutput", "Rendering", "Blocks", "System", "Units", "CLinux",
      ],
      path: "Tests/Unit/AudioOutputTests",
      swiftSettings: common),
    .testTarget(
      name: "GateTests",
      dependencies: [
        "SinkBench", "MediaSupport", "StationSupport", "TestSupport", "RadioEngine", "Network", "AudioOutput",
        "Rendering", "Blocks", "System", "Units", "CLinux", "CAllocGuard",
      ], path: "Tests/Gates/GateTests", exclude: ["Fixtures", "Objects"],
      swiftSettings: common),
    .target(
      name: "CReference", path: "Tests/Support/CReference",
      linkerSettings: [.linkedLibrary("mad"), .linkedLibrary("faad")]),
    .target(
      name: "CEncoders", path: "Tests/Support/CEncoders",
      linkerSettings: [
        .linkedLibrary("FLAC"), .linkedLibrary("vorbis"), .linkedLibrary("vorbisenc"), .linkedLibrary("ogg"),
        .linkedLibrary("opus"),
      ]),
    .target(
      name: "DecoderBench", dependencies: ["Decoding", "Framing", "Blocks", "Units", "CReference"],
      path: "Tests/Support/DecoderBench", swiftSettings: common),
    .testTarget(
      name: "DecodingTests",
      dependencies: [
        "SeededRandom", "MediaSupport", "DecoderBench", "Decoding", "Framing", "Blocks", "Units", "CAllocGuard",
        "CEncoders", "CReference",
      ],
      path: "Tests/Unit/DecodingTests",
      swiftSettings: common),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "MediaSupport", "ListingsSupport", "StationSupport", "RadioSupport", "TestSupport", "RadioEngine",
        "DecoderBench", "Decoding", "Listings", "Framing", "Blocks", "Units", "CReference", "Http", "Recordings",
      ], path: "Tests/Unit/ConformanceTests",
      swiftSettings: common),
    .testTarget(
      name: "FramingTests", dependencies: ["MediaSupport", "SeededRandom", "Framing", "Blocks", "Units"],
      path: "Tests/Unit/FramingTests", swiftSettings: common),
    .testTarget(
      name: "ListingsTests",
      dependencies: ["ListingsSupport", "TestSupport", "SeededRandom", "Listings", "Framing", "Units"],
      path: "Tests/Unit/ListingsTests",
      swiftSettings: common
    ),
    .testTarget(
      name: "HttpTests", dependencies: ["TestSupport", "Http", "System", "Units", "MediaSupport"],
      path: "Tests/Unit/HttpTests",
      swiftSettings: common),
    .testTarget(
      name: "NetworkTests",
      dependencies: [
        "SeededRandom", "MediaSupport", "StationSupport", "TestSupport", "Network", "Http", "Listings", "Framing",
        "Blocks", "System", "Units",
      ],
      path: "Tests/Unit/NetworkTests",
      swiftSettings: common),
    .testTarget(
      name: "StationTests", dependencies: ["Station", "Blocks", "Units"], path: "Tests/Unit/StationTests",
      swiftSettings: common),
    .testTarget(
      name: "PanelTests", dependencies: ["SeededRandom", "Panel", "PanelWords", "Units", "CAllocGuard"],
      path: "Tests/Unit/PanelTests", swiftSettings: common),
    .testTarget(
      name: "RecordingsTests", dependencies: ["TestSupport", "Recordings", "Framing", "Blocks", "System", "Units"],
      path: "Tests/Unit/RecordingsTests", swiftSettings: common),
    .testTarget(
      name: "RadioEngineTests",
      dependencies: [
        "AudioOutput", "Rendering", "RadioEngine", "Network", "Http", "Decoding", "Listings", "Framing", "Blocks",
        "Units", "Recordings", "SeededRandom", "MediaSupport",
      ], path: "Tests/Unit/RadioEngineTests",
      swiftSettings: common),
    .testTarget(
      name: "BakeliteTests", dependencies: ["Bakelite", "BakeliteAsync"], path: "Tests/Unit/BakeliteTests",
      swiftSettings: common),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "SinkBench", "MediaSupport", "StationSupport", "RadioSupport", "TestSupport", "Metering", "Rendering",
        "SeededRandom", "RadioEngine", "Network", "Http", "AudioOutput", "Blocks", "System", "Units", "CLinux",
        "Framing", "Recordings",
      ], path: "Tests/Scenarios/ScenarioTests",
      swiftSettings: common),
    .testTarget(
      name: "LongTests",
      dependencies: [
        "SinkBench", "MediaSupport", "StationSupport", "RadioSupport", "TestSupport", "SeededRandom", "bakelite",
        "Control", "Continuity", "RadioEngine", "Network", "Http", "AudioOutput", "System", "Units", "Framing",
      ], path: "Tests/Scenarios/LongTests",
      swiftSettings: common),
    .target(name: "CFakeGpiod", path: "Tests/Support/CFakeGpiod", cSettings: [.headerSearchPath("gpiod")]),
    .testTarget(
      name: "PanelLinuxTests",
      dependencies: ["SeededRandom", "PanelLinux", "Panel", "Units", "CGpiod", "CLinux", "CFakeGpiod"],
      path: "Tests/Unit/PanelLinuxTests",
      swiftSettings: common),
    .target(
      name: "PlayerSupport", dependencies: ["Control", "RadioEngine", "Recordings", "Network", "Metering"],
      path: "Tests/Support/PlayerSupport",
      swiftSettings: common),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "PlayerSupport", "MediaSupport", "StationSupport", "TestSupport", "SeededRandom", "DirectorySupport", "Control",
        "Continuity", "RadioEngine", "Network", "Http", "AudioOutput", "Directory", "Json", "Rooms", "System", "Units",
        "CLinux",
        "Recordings",
      ],
      path: "Tests/Unit/ControlTests",
      swiftSettings: common),
    // A model of the radio around the fallback chain.
    .target(
      name: "ContinuitySupport", dependencies: ["SeededRandom", "Continuity", "Units"],
      path: "Tests/Support/ContinuitySupport", swiftSettings: common),
    .testTarget(
      name: "ContinuityTests", dependencies: ["ContinuitySupport", "Continuity", "Units"],
      path: "Tests/Unit/ContinuityTests", swiftSettings: common),
    // A model of a morning around the alarms.
    .target(
      name: "AlarmSupport", dependencies: ["SeededRandom", "Alarms", "Units"], path: "Tests/Support/AlarmSupport",
      swiftSettings: common),
    .testTarget(
      name: "AlarmsTests", dependencies: ["AlarmSupport", "SeededRandom", "Alarms", "Units"],
      path: "Tests/Unit/AlarmsTests",
      swiftSettings: common),
    .testTarget(
      name: "MprisTests", dependencies: ["Mpris"], path: "Tests/Unit/MprisTests", swiftSettings: common),
    .testTarget(
      name: "SettingsTests",
      dependencies: ["SeededRandom", "TestSupport", "Settings", "SettingsScribe", "Alarms", "PanelWords", "Units"],
      path: "Tests/Unit/SettingsTests",
      swiftSettings: common),
    .testTarget(
      name: "DirectoryTests", dependencies: ["DirectorySupport", "SeededRandom", "TestSupport", "Directory"],
      path: "Tests/Unit/DirectoryTests", swiftSettings: common),
    .testTarget(
      name: "RoomsTests", dependencies: ["SeededRandom", "TestSupport", "Json", "Rooms", "System", "Units"],
      path: "Tests/Unit/RoomsTests", swiftSettings: common),
    .testTarget(
      name: "JsonTests", dependencies: ["SeededRandom", "Json"], path: "Tests/Unit/JsonTests", swiftSettings: common),
    .testTarget(
      name: "WebTests", dependencies: ["SeededRandom", "TestSupport", "Web", "System", "Units", "CLinux"],
      path: "Tests/Unit/WebTests", swiftSettings: common),
    .testTarget(
      name: "DirectoryClientTests",
      dependencies: [
        "DirectorySupport", "TestSupport", "SeededRandom", "DirectoryClient", "Directory", "Network", "Http", "System",
        "Units",
      ],
      path: "Tests/Unit/DirectoryClientTests", swiftSettings: common),
    .testTarget(
      name: "HomeAssistantTests",
      dependencies: [
        "TestSupport", "SeededRandom", "HomeAssistant", "CMosquitto", "Http", "System", "Units",
      ],
      path: "Tests/Unit/HomeAssistantTests", swiftSettings: common),
    .testTarget(
      name: "BoxTests",
      dependencies: [
        "PlayerSupport", "DirectorySupport", "SeededRandom", "StationSupport", "TestSupport", "Box", "Control",
        "Alarms", "RadioEngine", "Network", "Http", "AudioOutput", "Settings", "Directory", "HomeAssistant", "Mpris",
        "Json",
        "Rooms", "Panel", "PanelWords", "PanelLinux", "System", "Units", "Framing", "Recordings", "Metering",
      ], path: "Tests/Unit/BoxTests",
      swiftSettings: common),
    .executableTarget(
      name: "SettingsScribe", dependencies: ["Settings"], path: "Tests/Tools/SettingsScribe", swiftSettings: common),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "DirectorySupport", "SinkBench", "MediaSupport", "StationSupport", "TestSupport", "SeededRandom", "bakelite",
        "bakelited", "bakelite-web", "Box", "Rooms", "Settings", "DirectoryClient", "Directory", "PanelLinux",
        "AudioOutput", "Network", "Http", "Blocks", "System", "Units",
      ], path: "Tests/Programs/CommandLineTests",
      swiftSettings: common),
  ],
  cxxLanguageStandard: .cxx17
)

// For Tests/Tools/Fuzz/run and Tests/Tools/Sanitizers/run: the program that fuzzes.
if Context.environment["BAKELITE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Web", "HomeAssistant", "Rooms", "DirectoryClient", "Directory", "Control", "Settings", "Json", "RadioEngine",
        "AudioOutput", "Rendering", "Decoding", "Network", "Http", "Listings", "Framing", "Blocks", "System", "Units",
        "CEncoders",
      ], path: "Tests/Tools/Fuzz/Sources/fuzz", swiftSettings: common))
}

// For who tries one target (Tests/try): only this test target and the targets that it needs are left.
let wanted = Context.environment["BAKELITE_TESTS_OF"]
if let wanted {
  let all = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var rest = [wanted]
  while let name = rest.popLast() {
    guard let target = all[name], needed.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      if case .byNameItem(let name, _) = dependency { rest.append(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}

// For who runs all tests (Makefile, .ci/run), and for tests that go slowly (Tests/Tools/Sanitizers/run,
// image/arm64-tests): these targets are left out, be it none, and what the others test is optimized, unlike they
// themselves. A debug build keeps its assertions. With GateTests only what computes most is optimized: they look at each
// function that the render thread reaches, and the rest builds sooner as it is.
let left = Context.environment["BAKELITE_TESTS_WITHOUT"]?.split(separator: " ")
if left != nil || wanted != nil {
  let left = left ?? []
  let computing = [
    "Alignment", "Framing", "Decoding", "Metering", "Listings", "Http", "Network", "Recordings", "RadioEngine",
    "Directory", "Continuity", "SeededRandom", "DecoderBench", "MediaSupport", "StationSupport", "DirectorySupport",
    "ContinuitySupport", "Alarms", "AlarmSupport",
  ]
  let isOptimized = { (name: String) in left.contains("GateTests") || computing.contains(name) }
  // Compiles each module at once, if GateTests are there: a job for each part would load all modules again, and would
  // specialize the same generic code again. Other builds follow edits, file by file.
  let isWhole = wanted == nil && !left.contains("GateTests")
  let jobs =
    isWhole
    ? ["-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2"]
    : ["-no-whole-module-optimization", "-enable-batch-mode"]
  package.targets.removeAll { left.contains($0.name[...]) }
  package.products.removeAll { left.contains($0.name[...]) }
  for target in package.targets {
    var flags: [SwiftSetting] = []
    switch target.type {
    case .test: flags = [.unsafeFlags(["-Onone"] + jobs)]
    case .regular, .executable:
      if isWhole { flags = [.unsafeFlags(jobs)] }
      if isOptimized(target.name) {
        flags += [.unsafeFlags(["-O"]), .unsafeFlags(["-assert-config", "Debug"], .when(configuration: .debug))]
      }
    default: continue
    }
    target.swiftSettings = (target.swiftSettings ?? []) + flags
  }
}
