// swift-tools-version: 6.1

import PackageDescription

// Built and run by hand on Linux, since the fuzzer's `main` comes with its library. With the gold linker the fuzzer is
// not told of its coverage counters and runs blind, so it is linked with lld:
//
//   swift build --package-path Tests/Fuzzing --sanitize=fuzzer --sanitize=address -Xswiftc -use-ld=lld
//   SWIFT_BACKTRACE=enable=no Tests/Fuzzing/.build/debug/FuzzJSON -max_total_time=300 CORPUS
//
// What it finds becomes a case in Tests/JSONValueTests.
let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "workbench", path: "../..")],
  targets: [
    .executableTarget(
      name: "FuzzJSON", dependencies: [.product(name: "JSONValue", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])])
  ]
)
