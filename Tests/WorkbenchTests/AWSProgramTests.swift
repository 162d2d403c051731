import Canaries
import Foundation
import LoopbackServer
import RealServers
import Testing

/// Keys of AWS that another program has, or the machine.
@Suite(.timeLimit(.minutes(2))) struct AWSProgramTests {
  /// A person with profiles of their own, and files of the aws command.
  private struct Person {
    let place: TemporaryFile
    let server: LoopbackServer

    static let secret = Canary.secret("aws-program")

    /// - Parameters:
    ///   - aws: the aws command; nil: the one that is installed.
    init(profile: String, config: String, aws: String?) throws {
      place = try TemporaryFile(config, name: "config.given")
      server = try LoopbackServer { connection in
        while try connection.readRequest() != nil { try connection.respond(body: "x") }
      }
      let folder = place.url.deletingLastPathComponent()
      for name in ["workbench", "bin"] {
        try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      let own = """
        profile s3 { base \(server.url)
          auth sigv4 { aws-profile: "\(profile)", region: "us-east-1", service: "s3" } }
        """
      try Data(own.utf8).write(to: folder.appending(path: "workbench/profiles.wb"))
      if let aws { try place.writeProgram(aws, as: "bin/aws") }
    }

    /// Own profiles are for what is typed and sent; a script has to name them.
    func run(_ arguments: [String], input: String = "") async throws -> Workbench.Outcome {
      let folder = place.url.deletingLastPathComponent().path
      let outcome = try await Workbench.run(
        arguments, input: input,
        environment: [
          "XDG_CONFIG_HOME": folder, "AWS_CONFIG_FILE": place.path, "PATH": "\(folder)/bin:/usr/bin:/bin",
          "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent", "HOME": folder,
        ])
      #expect(Canary.place(of: Self.secret, in: Data((outcome.output + outcome.written).utf8)) == nil)
      return outcome
    }

    /// Whose keys signed what the server got.
    var keys: [String] {
      server.requests.compactMap { request in
        request.range(of: "Credential=").map { String(request[$0.upperBound...].prefix { $0 != "/" }) }
      }
    }
  }

  private static let typed = "GET s3:/bucket/a\nGET s3:/bucket/b\n"
  private static let steps = "GET s3:/bucket/a\n  expect 200\nGET s3:/bucket/b\n  expect 200\n"

  private static func printing(_ key: String) -> String {
    """
    printf '{"Version":1,"AccessKeyId":"\(key)","SecretAccessKey":"%s","SessionToken":"session-of-%s",' \
    '\(Person.secret)' '\(Person.secret)'
    echo '"Expiration":"2099-01-01T00:00:00Z"}'

    """
  }

  @Test func `the aws command signs in with SSO, once in a run, for the user's own profile`() async throws {
    let config = "[profile dev]\nsso_session = corp\nsso_account_id = 1\nsso_role_name = Dev\n"
    let aws = """
      #!/bin/sh
      echo "$@" >> "$HOME/asked"
      \(Self.printing("ASIASSO"))
      """
    let person = try Person(profile: "dev", config: config, aws: aws)
    let outcome = try await person.run(["prompt"], input: Self.typed)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(person.keys == ["ASIASSO", "ASIASSO"])
    let asked = person.place.url.deletingLastPathComponent().appending(path: "asked")
    #expect(
      try String(contentsOf: asked, encoding: .utf8)
        == "configure export-credentials --profile dev --format process\n")
  }

  @Test func `a session that is over says how to sign in, and nothing is sent`() async throws {
    let config = "[profile dev]\nsso_session = corp\n"
    let aws = "#!/bin/sh\necho 'Error loading SSO Token: Token for corp does not exist' >&2\nexit 255\n"
    let person = try Person(profile: "dev", config: config, aws: aws)
    let outcome = try await person.run(["send", "GET", "s3:/bucket/a"])
    #expect(outcome.code == 26 && outcome.errors.contains("aws sso login --profile dev"), "\(outcome)")
    #expect(person.server.requests.isEmpty)
    let broken = try Person(profile: "dev", config: config, aws: "#!/bin/sh\necho '{\"AccessKeyId\":\"A\"}'\n")
    let nothing = try await broken.run(["send", "GET", "s3:/bucket/a"])
    #expect(nothing.code == 26 && nothing.errors.contains("printed no keys of \"dev\""), "\(nothing)")
  }

  /// Version 2 of the aws command; earlier ones cannot export keys.
  private static let hasCommand =
    (try? String(contentsOfFile: "/usr/bin/aws", encoding: .utf8)) != nil
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/awscli/customizations/sso")

  @Test(.enabled(if: hasCommand, "SKIPPED: awscli 2 is not installed (apt-get install awscli)"))
  func `the real aws command runs a credential_process`() async throws {
    let place = try TemporaryFile("", name: "none")
    let keys = try place.writeProgram("#!/bin/sh\n\(Self.printing("ASIAPROCESS"))", as: "keys.given")
    let person = try Person(
      profile: "process", config: "[profile process]\ncredential_process = \(keys.path)\n", aws: nil)
    let outcome = try await person.run(["prompt"], input: Self.typed)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(person.keys == ["ASIAPROCESS", "ASIAPROCESS"])
    #expect(person.server.requests.allSatisfy { $0.lowercased().contains("x-amz-security-token: session-of-") })
  }

  // MARK: The machine

  private func onMachine(_ kind: String, _ auth: String) async throws -> (Workbench.Outcome, log: [String]) {
    let script = try TemporaryFile(
      """
      profile s3 { base http://127.0.0.1:8080
        auth sigv4 { \(auth), region: "us-east-1", service: "s3" } }
      \(Self.steps)
      """, name: "machine.wb")
    let command = Namespace.metadataService(kind, [Workbench.executable.path, "run", "-v", "--no-record", script.path])
    let input = try TemporaryFile(Person.secret + "\n", name: "secret.given")
    let outcome = try await Workbench.run(shell: command, input: input, environment: ["HOME": "/nonexistent"])
    #expect(Canary.place(of: Person.secret, in: Data((outcome.output + outcome.written).utf8)) == nil)
    return (outcome, outcome.written.split(separator: "\n").map(String.init))
  }

  @Test(
    .enabled(if: Namespace.isPossible && Python.program != nil, "SKIPPED: no network namespace can be made here"))
  func `the keys of the machine's role are asked for once, and only by version 2`() async throws {
    let (outcome, log) = try await onMachine("good", "from: \"imds\"")
    #expect(outcome.code == 0, "\(outcome)")
    let roles = "/latest/meta-data/iam/security-credentials/"
    #expect(
      log.filter { $0.hasPrefix("imds ") } == [
        "imds PUT /latest/api/token", "imds GET \(roles)", "imds GET \(roles)uploader",
      ])
    #expect(
      log.filter { $0.hasPrefix("s3 ") } == ["a", "b"].map { "s3 GET /bucket/\($0) ASIAMACHINE True" }, "\(outcome)")
  }

  @Test(
    .enabled(if: Namespace.isPossible && Python.program != nil, "SKIPPED: no network namespace can be made here"),
    arguments: [
      ("old", "from: \"imds\"", 26, "is this a machine of EC2 with IMDSv2?", 1),
      ("no-role", "from: \"imds\"", 26, "responded 404", 2),
      // Nothing is tried that is not written.
      ("good", "from: \"env\"", 2, "there is no AWS_ACCESS_KEY_ID", 0),
    ])
  func `a machine without them`(
    kind: String, auth: String, code: Int, sentence: String, asked: Int
  ) async throws {
    let (outcome, log) = try await onMachine(kind, auth)
    #expect(Int(outcome.code) == code && outcome.errors.contains(sentence), "\(outcome)")
    #expect(log.count { $0.hasPrefix("imds ") } == asked && !log.contains { $0.hasPrefix("s3 ") }, "\(log)")
  }

  @Test(
    .enabled(if: Namespace.isPossible && Python.program != nil, "SKIPPED: no network namespace can be made here"))
  func `keys that end soon are replaced`() async throws {
    let (outcome, log) = try await onMachine("ending", "from: \"imds\"")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(log.count { $0 == "imds PUT /latest/api/token" } == 2, "\(log)")
  }
}
