import Canaries
import Foundation
import Sandbox
import Testing

/// Each script in Examples runs against the sandbox, and is formatted as by `fmt`.
@Suite(.timeLimit(.minutes(2))) struct ExampleScriptTests {
  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: Workbench.examples)) ?? []).filter { $0.hasSuffix(".wb") }
    .sorted()

  @Test(arguments: names)
  func `an example runs`(name: String) async throws {
    // What they save is beside them.
    let directory = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for entry in try FileManager.default.contentsOfDirectory(atPath: Workbench.examples) where entry != "jobs-client" {
      try FileManager.default.copyItem(atPath: "\(Workbench.examples)/\(entry)", toPath: "\(directory)/\(entry)")
    }
    let path = "\(directory)/\(name)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var options = SandboxOptions()
    options.token = Canary.secret("examples")
    try await Sandbox.run(options) { endpoints in
      var arguments = ["run", path]
      let isShared = text.contains("use \"profiles/")
      for (setting, url) in [("api-url", endpoints.api), ("storage-url", endpoints.storage)] {
        if text.contains("let \(setting) ") || (isShared && setting == "api-url") {
          arguments += ["--set", "\(setting)=\(url)"]
        }
      }
      let outcome = try await Workbench.run(arguments, environment: ["API_TOKEN": Canary.secret("examples")])
      #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
      #expect(!outcome.output.contains(Canary.secret("examples")))
    }
  }

  @Test func `the environment of the examples runs`() async throws {
    let environments = "\(Workbench.examples)/environments"
    var options = SandboxOptions()
    options.token = Canary.secret("examples")
    try await Sandbox.run(options) { endpoints in
      let outcome = try await Workbench.run(
        [
          "run", "\(Workbench.examples)/snapshot-upload.wb", "--use", "\(environments)/local.wb",
          "--vars", "\(environments)/values.yaml", "--env-file", "\(environments)/sandbox.env", "-v",
          "--set", "api-url=\(endpoints.api)", "--set", "storage-url=\(endpoints.storage)",
        ], environment: ["API_TOKEN": Canary.secret("examples")])
      #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
      #expect(outcome.output.contains("/sheets/A-102/snapshots"))
      #expect(outcome.output.contains("X-Stage: local") || outcome.output.contains("x-stage: local"))
    }
  }

  @Test func `the examples are formatted`() async throws {
    let outcome = try await Workbench.run(
      ["fmt", "--check", "\(Workbench.examples)/environments/local.wb"]
        + Self.names.map { "\(Workbench.examples)/\($0)" })
    #expect(outcome.code == 0, "\(outcome)")
  }
}
