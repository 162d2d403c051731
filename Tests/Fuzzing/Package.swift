// swift-tools-version: 6.1

import PackageDescription

// Built and run by Scripts/fuzz on Linux, since the fuzzer's `main` comes with its library. With the gold linker the
// fuzzer is not told of its coverage counters and runs blind, so it is linked with lld. Of several `-sanitize` only the
// last one counts, so both sanitizers stand in one; SwiftPM's own is needed beside it, or it looks for another `main`:
//
//   swift build --package-path Tests/Fuzzing --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
//   SWIFT_BACKTRACE=enable=no Tests/Fuzzing/.build/debug/FuzzJSON -max_total_time=300 CORPUS
//
// It sees coverage if the `cov:` of its lines grows. FuzzScript and FuzzFormat begin with the scripts of
// Tests/RequestProgramTests/Malformed and Examples as their corpus, and with -dict=Tests/Fuzzing/script.dict. What they
// find becomes a case in Tests/JSONValueTests, Tests/RequestSyntaxTests or Tests/SessionsTests, or a malformed script.
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
    // The reader of rows is in no product: its files are linked to.
    .executableTarget(
      name: "FuzzRows",
      dependencies: [
        .product(name: "WorkbenchCore", package: "workbench"), .product(name: "WorkbenchScript", package: "workbench"),
        .product(name: "JSONValue", package: "workbench"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzFormat", dependencies: [.product(name: "WorkbenchScript", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])]),
  ]
)
