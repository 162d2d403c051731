// swift-tools-version: 6.1

import PackageDescription

/// Every Swift target is built the same way: Swift 6 mode with the features
/// that will be the default of the next language mode.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")

let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

/// What Scripts/build says. Git is not asked here, since SwiftPM keeps the result of this file across commits.
let commit = Context.environment["WORKBENCH_COMMIT"] ?? ""

// Opened when they are first used, where the names of their files are known; linked elsewhere.
#if os(Linux)
  let systemLibraries: [Target] = [
    .target(name: "OpenedLibrary"),
    .target(name: "CCurl", dependencies: ["OpenedLibrary"]),
    .target(name: "CEditLine", dependencies: ["OpenedLibrary"]),
  ]
#else
  let systemLibraries: [Target] = [
    .systemLibrary(
      name: "CCurl", path: "Sources/CCurl/include", pkgConfig: "libcurl", providers: [.brew(["curl"])]),
    .systemLibrary(
      name: "CEditLine", path: "Sources/CEditLine/include", pkgConfig: "libedit", providers: [.brew(["libedit"])]),
  ]
#endif

let package = Package(
  name: "workbench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "workbench", targets: ["workbench"]),
    .executable(name: "workbench-sandbox", targets: ["workbench-sandbox"]),
    .`library`(name: "JSONValue", targets: ["JSONValue"]),
    .`library`(name: "WorkbenchScript", targets: ["Diagnostics", "RequestSyntax", "RequestProgram"]),
    .`library`(name: "WorkbenchStore", targets: ["RunStore"]),
    .`library`(name: "WorkbenchCore", targets: ["JSONValue", "Requests", "UploaderCore", "LibcurlTransport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: systemLibraries + [
    // The core, which is a library too.
    .target(name: "POSIX", swiftSettings: settings),
    .target(name: "Essentials", swiftSettings: settings),
    .target(name: "Patterns", swiftSettings: settings),
    .target(name: "JSONValue", dependencies: ["Essentials", "POSIX", "Patterns"], swiftSettings: settings),
    .target(
      name: "Requests", dependencies: ["JSONValue", "POSIX", crypto, httpTypes, system], swiftSettings: settings),
    .target(
      name: "UploaderCore", dependencies: ["JSONValue", "POSIX", "Requests", httpTypes], swiftSettings: settings),
    .target(
      name: "LibcurlTransport", dependencies: ["CCurl", "POSIX", "Requests", "UploaderCore", httpTypes],
      swiftSettings: settings),

    // Tokens and keys that credentials are made of.
    .target(
      name: "SignIn",
      dependencies: ["Diagnostics", "JSONValue", "POSIX", "Requests", "UploaderCore", crypto, cryptoExtras, httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "SignInTests",
      dependencies: [
        "Requests", "SignIn",
      ], swiftSettings: settings),

    // Runs that survive.
    .target(
      name: "RunStore",
      dependencies: ["Essentials", "JSONValue", "POSIX", "Requests", "UploaderCore", crypto, grdb, sqlite, httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "RunStoreTests",
      dependencies: [
        "Canaries", "Eventually", "Formats", "JSONValue", "LineEditing", "OfflineTransport", "PostgresQueue", "Prompt",
        "RealServers", "Requests", "RunStore", "Sessions", "Subcommands", "UploaderCore", grdb, httpTypes,
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
    .target(
      name: "PostgresQueue",
      dependencies: ["JSONValue", "POSIX", "Requests", "RunStore", "UploaderCore"], swiftSettings: settings),
    .target(
      name: "UploadLint", dependencies: ["JSONValue", "Requests", "UploaderCore", crypto, httpTypes],
      swiftSettings: settings),

    // The language: text to requests.
    .target(name: "Diagnostics", swiftSettings: settings),
    .target(name: "RequestSyntax", dependencies: ["Diagnostics", "JSONValue", "POSIX"], swiftSettings: settings),
    .target(
      name: "Imports", dependencies: ["Diagnostics", "JSONValue", "POSIX", "RequestSyntax", "Requests", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "ImportsTests",
      dependencies: [
        "ConformanceSuites", "Diagnostics", "Imports", "RequestProgram", "RequestSyntax",
      ], exclude: ["Golden", "Suites"], swiftSettings: settings),
    .target(
      name: "RequestProgram",
      dependencies: [
        "Diagnostics", "Essentials", "JSONValue", "POSIX", "Patterns", "RequestSyntax", "Requests", crypto, httpTypes,
      ], swiftSettings: settings),

    // The prompt and the command.
    .target(name: "LineEditing", dependencies: ["CEditLine", "POSIX"], swiftSettings: settings),
    .executableTarget(
      name: "line-editing-probe", dependencies: ["LineEditing"], path: "Tests/LineEditingProbe", swiftSettings: settings
    ),
    .testTarget(
      name: "LineEditingTests", dependencies: ["Canaries", "LineEditing", "PseudoTerminal", "line-editing-probe"],
      swiftSettings: settings),
    .target(
      name: "Presentation",
      dependencies: [
        "Diagnostics", "JSONValue", "RequestSyntax", "Requests", "RunStore", "SignIn", "UploaderCore", crypto,
        httpTypes,
      ], swiftSettings: settings),
    .target(
      name: "Sessions",
      dependencies: [
        "Diagnostics", "Imports", "JSONValue", "POSIX", "Presentation", "RequestProgram", "RequestSyntax", "Requests",
        "RunStore", "SignIn", "UploaderCore", httpTypes, yams,
      ], swiftSettings: settings),
    .target(
      name: "Formats",
      dependencies: [
        "Diagnostics", "Imports", "JSONValue", "Presentation", "RequestProgram", "RequestSyntax", "Requests",
        "RunStore",
        "Sessions", "UploadLint", "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .target(
      name: "Debugger",
      dependencies: [
        "Diagnostics", "Imports", "JSONValue", "RequestProgram", "RequestSyntax", "Requests", "RunStore", "Sessions",
        "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .target(
      name: "Subcommands",
      dependencies: [
        "Diagnostics", "Formats", "Imports", "JSONValue", "POSIX", "PostgresQueue", "Presentation", "RequestProgram",
        "RequestSyntax", "Requests", "RunStore", "Sessions", "SignIn", "UploaderCore", histogram, httpTypes,
      ], swiftSettings: settings),
    .target(
      name: "Prompt",
      dependencies: [
        "Debugger", "Diagnostics", "Formats", "Imports", "JSONValue", "LineEditing", "POSIX", "Presentation",
        "RequestProgram", "RequestSyntax", "Requests", "RunStore", "Sessions", "SignIn", "Subcommands", "UploadLint",
        "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .target(name: "CPackedRelocations"),
    .target(name: "CBuildInfo", cSettings: [.define("WORKBENCH_COMMIT", to: "\"\(commit)\"")]),
    .executableTarget(
      name: "workbench",
      dependencies: [
        "CBuildInfo", "CPackedRelocations", "Diagnostics", "Formats", "JSONValue", "LibcurlTransport", "LineEditing",
        "POSIX", "PostgresQueue", "Presentation", "Prompt", "RequestProgram", "RequestSyntax", "Requests", "RunStore",
        "Sessions", "SignIn", "Subcommands", "UploaderCore", argumentParser, httpTypes,
      ],
      swiftSettings: settings),

    // A small real server to try it all on.
    .target(
      name: "Sandbox", dependencies: ["Essentials", "JSONValue", "POSIX", crypto, nioCore, nioHTTP1, nioPosix, system],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "workbench-sandbox", dependencies: ["CPackedRelocations", "POSIX", "Sandbox", argumentParser],
      swiftSettings: settings),

    // The examples in Swift, and tests.
    .target(
      name: "SnapshotUpload", dependencies: ["JSONValue", "Requests"], path: "Examples/SnapshotUpload",
      swiftSettings: settings),
    .target(name: "Jobs", dependencies: ["JSONValue", "Requests"], path: "Examples/Jobs", swiftSettings: settings),
    .target(name: "GitHub", dependencies: ["JSONValue", "Requests"], path: "Examples/GitHub", swiftSettings: settings),
    .target(name: "ConformanceSuites", path: "Tests/ConformanceSuites", swiftSettings: settings),
    .target(name: "Canaries", path: "Tests/Canaries", swiftSettings: settings),
    .target(name: "SecretFlow", dependencies: ["Canaries", crypto], path: "Tests/SecretFlow", swiftSettings: settings),
    .target(name: "Eventually", path: "Tests/Eventually", swiftSettings: settings),
    .target(
      name: "LoopbackServer", dependencies: ["Eventually", "POSIX"], path: "Tests/LoopbackServer",
      swiftSettings: settings),
    .target(
      name: "OfflineTransport", dependencies: ["Requests", "UploaderCore"], path: "Tests/OfflineTransport",
      swiftSettings: settings),
    .target(
      name: "RealServers", dependencies: ["POSIX"], path: "Tests/RealServers", exclude: ["Providers"],
      swiftSettings: settings),
    .target(name: "PseudoTerminal", path: "Tests/PseudoTerminal", swiftSettings: settings),
    .executableTarget(
      name: "transport-probe", dependencies: ["LibcurlTransport", "Requests", "UploaderCore", httpTypes],
      path: "Tests/TransportProbe", swiftSettings: settings),
    .testTarget(
      name: "LibcurlTransportTests",
      dependencies: [
        "Canaries", "ConformanceSuites", "Eventually", "LibcurlTransport", "LoopbackServer", "RealServers", "Requests",
        "transport-probe", "UploaderCore", httpTypes,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "Canaries", "GitHub", "JSONValue", "Jobs", "LibcurlTransport", "Requests", "Sandbox", "SnapshotUpload",
        "UploaderCore",
        httpTypes,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WorkbenchTests",
      dependencies: [
        "Canaries", "Eventually", "JSONValue", "LoopbackServer", "PseudoTerminal", "RealServers", "RunStore", "Sandbox",
        "SecretFlow", "workbench", crypto, grdb,
      ],
      exclude: ["Curl"], swiftSettings: settings),
    .testTarget(
      name: "DebuggerTests",
      dependencies: [
        "Canaries", "Debugger", "Diagnostics", "Prompt", "JSONValue", "LibcurlTransport", "LineEditing",
        "OfflineTransport", "RequestProgram", "RequestSyntax", "Requests", "RunStore", "Sandbox", "Sessions",
        "Subcommands", "UploaderCore", httpTypes,
      ],
      exclude: ["Chains"], swiftSettings: settings),
    .testTarget(
      name: "PromptTests",
      dependencies: [
        "Canaries", "Diagnostics", "Eventually", "Formats", "Imports", "JSONValue", "LineEditing", "OfflineTransport",
        "Presentation", "Prompt", "RequestSyntax", "Requests", "RunStore", "Sessions", "Subcommands", "UploaderCore",
        httpTypes,
      ],
      exclude: ["HTTPie"], swiftSettings: settings),
    .testTarget(
      name: "SecretFlowTests",
      dependencies: [
        "Canaries", "Eventually", "Formats", "LineEditing", "OfflineTransport", "Prompt", "Requests", "RunStore",
        "SecretFlow", "Sessions", "Subcommands", "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .testTarget(
      name: "InterpolationTests",
      dependencies: [
        "Canaries", "ConformanceSuites", "Diagnostics", "Formats", "JSONValue", "LibcurlTransport", "LoopbackServer",
        "RequestProgram", "RequestSyntax", "Requests", "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .testTarget(name: "PatternsTests", dependencies: ["Patterns"], swiftSettings: settings),
    .testTarget(name: "JSONValueTests", dependencies: ["ConformanceSuites", "JSONValue"], swiftSettings: settings),
    .testTarget(
      name: "PresentationTests", dependencies: ["Canaries", "Presentation", "Requests", "UploaderCore", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "SessionsTests", dependencies: ["JSONValue", "RequestProgram", "RunStore", "Sessions"],
      swiftSettings: settings),
    .testTarget(
      name: "FormatsTests",
      dependencies: [
        "Canaries", "Diagnostics", "Formats", "Imports", "JSONValue", "OfflineTransport", "Presentation",
        "RequestProgram",
        "RequestSyntax", "Requests", "Sessions", "UploaderCore", httpTypes,
      ], swiftSettings: settings),
    .testTarget(
      name: "SubcommandsTests",
      dependencies: ["OfflineTransport", "Presentation", "Requests", "Sessions", "Subcommands", "UploaderCore"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RequestsTests", dependencies: ["Canaries", "JSONValue", "Requests", httpTypes], swiftSettings: settings),
    .testTarget(
      name: "UploaderCoreTests",
      dependencies: [
        "Canaries", "JSONValue", "OfflineTransport", "RealServers", "Requests", "UploaderCore", httpTypes,
      ],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "UploadLintTests",
      dependencies: ["Canaries", "JSONValue", "Requests", "UploadLint", "UploaderCore", httpTypes],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"], swiftSettings: settings),
    .testTarget(
      name: "RequestProgramTests",
      dependencies: [
        "Canaries", "Diagnostics", "JSONValue", "LibcurlTransport", "LoopbackServer", "RequestProgram", "RequestSyntax",
        "Requests", "Sandbox", "UploaderCore", crypto, httpTypes,
      ],
      exclude: ["Malformed"], swiftSettings: settings),
    .testTarget(name: "RequestSyntaxTests", dependencies: ["Diagnostics", "RequestSyntax"], swiftSettings: settings),
    .testTarget(
      name: "SandboxTests",
      dependencies: ["Canaries", "Eventually", "JSONValue", "Sandbox", crypto, nioCore, nioHTTP1, nioPosix],
      exclude: ["Golden"],
      swiftSettings: settings),
  ]
)
