// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "workbench", path: "..")],
  targets: [
    .executableTarget(
      name: "json-benchmark", dependencies: [.product(name: "JSONValue", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "transport-benchmark", dependencies: [.product(name: "WorkbenchCore", package: "workbench")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
