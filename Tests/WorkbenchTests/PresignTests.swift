import Canaries
import Foundation
import Testing

/// Signed URLs: printed by the command and at the prompt, and by nothing else.
@Suite(.timeLimit(.minutes(1))) struct PresignTests {
  private static let secret = Canary.secret("presign")
  private static let profile = """
    profile s3 { base https://b.s3.test
      auth sigv4 { key: "AKIA1", secret: $env.KEY, region: "eu-west-1", service: "s3" } }

    """

  private func run(_ arguments: [String], _ script: String, input: String = "") async throws -> Workbench.Outcome {
    let file = try TemporaryFile(script, name: "presign.wb")
    let outcome = try await Workbench.run(
      arguments.map { $0 == "FILE" ? file.path : $0 }, input: input, environment: ["KEY": Self.secret])
    #expect(Canary.place(of: Self.secret, in: Data((outcome.output + outcome.written).utf8)) == nil)
    return outcome
  }

  @Test func `the command prints the URL, with the time that was asked for`() async throws {
    let outcome = try await run(
      ["presign", "s3", "PUT", "/a%20b?x=1", "--expires", "1h", "--script", "FILE"], Self.profile)
    let pattern =
      #/https://b\.s3\.test/a%20b\?x=1&X-Amz-Algorithm=.*&X-Amz-Expires=3600&.*X-Amz-Signature=[0-9a-f]{64}\n/#
    #expect(outcome.code == 0 && outcome.output.wholeMatch(of: pattern) != nil, "\(outcome)")
  }

  @Test(arguments: [
    (["presign", "s3", "GET", "/k", "--expires", "8d", "--script", "FILE"], "one second to seven days"),
    (["presign", "s3", "GET", "k", "--script", "FILE"], "\"k\" is not a path"),
    (["presign", "s4", "GET", "/k", "--script", "FILE"], "there is no profile \"s4\""),
    (["presign", "s3", "GET", "/k", "--expires", "soon", "--script", "FILE"], "--expires is a time such as"),
  ])
  func `what cannot be signed is an error of the command line`(arguments: [String], sentence: String) async throws {
    let outcome = try await run(arguments, Self.profile)
    #expect(outcome.code == 2 && outcome.errors.contains(sentence), "\(outcome)")
  }

  @Test func `the prompt prints it when it is asked to, and hides it otherwise`() async throws {
    let input = Self.profile + "let u = presign(\"GET\", \"/k\", 15m)\n:print $u\n:presign GET /k 5m\n"
    let outcome = try await run(["prompt"], "", input: input)
    #expect(
      outcome.output.contains("X-Amz-Expires=300&") && !outcome.output.contains("X-Amz-Expires=900"), "\(outcome)")
  }

  @Test func `a signed URL goes to its own origin only`() async throws {
    let script = Self.profile + "let u = presign(\"GET\", \"/k\", 15m)\nGET http://127.0.0.1:9/ query u: $u\n"
    let outcome = try await run(["run", "FILE"], script)
    #expect(outcome.code == 23 && outcome.errors.contains("may go to https://b.s3.test only"), "\(outcome)")
  }
}
