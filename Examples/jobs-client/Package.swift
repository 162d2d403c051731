// swift-tools-version: 6.1

import PackageDescription

// A separate program that uses the library, as somebody else would write it:
//
//   swift build --package-path Examples/jobs-client
//   JOBS_URL=http://127.0.0.1:8080 JOBS_TOKEN=secret-token Examples/jobs-client/.build/debug/jobs-client
//
// `Scripts/example-package` builds it and runs it against the sandbox.
let package = Package(
  name: "jobs-client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "workbench", path: "../..")],
  targets: [
    .executableTarget(
      name: "jobs-client", dependencies: [.product(name: "WorkbenchCore", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
