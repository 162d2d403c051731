// swift-tools-version: 6.1

import PackageDescription

// Built and run by hand on Linux, since the fuzzer's `main` comes with its library. With the gold linker the fuzzer is
// not told of its coverage counters and runs blind, so it is linked with lld:
//
//   swift build --package-path Tests/Fuzzing --sanitize=fuzzer --sanitize=address -Xswiftc -use-ld=lld
//   SWIFT_BACKTRACE=enable=no Tests/Fuzzing/.build/debug/FuzzJSON -max_total_time=300 CORPUS
//
// FuzzScript and FuzzFormat begin with the scripts of Tests/RequestProgramTests/Malformed and Examples as their corpus,
// and with -dict=Tests/Fuzzing/script.dict. What they find becomes a case in Tests/JSONValueTests, in
// Tests/RequestSyntaxTests/FoundByFuzzing or a malformed script.
let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "workbench", path: "../..")],
  targets: [
    .executableTarget(
      name: "FuzzJSON", dependencies: [.product(name: "JSONValue", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzScript", dependencies: [.product(name: "WorkbenchScript", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzFormat", dependencies: [.product(name: "WorkbenchScript", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
  ]
)
