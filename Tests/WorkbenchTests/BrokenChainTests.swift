import Canaries
import Foundation
import LoopbackServer
import Sandbox
import Testing

/// Uploads that are wrong in one way each: lint, or storage itself, names that way, and lint names no other.
@Suite(.timeLimit(.minutes(2))) struct BrokenChainTests {
  private static let token = Canary.secret("broken-chain")
  private static let storageToken = Canary.secret("broken-storage")

  struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var size = "$image.size"
    var target = "$allocate.body.snapshot.url"
    var body = "multipart { ...$allocate.body.snapshot.fields, file: $image }"
    var faults: [SandboxFault] = []
    /// What lint says, and what it suggests.
    let message: String
    let advice: String
  }

  private static let fields = "$allocate.body.snapshot.fields"

  static let chains: [Chain] = [
    Chain(
      testDescription: "order", body: "multipart { file: $image, ...\(fields) }",
      message: "the file is not the last part of the form", advice: "multipart { ...\(fields), file: $image }"),
    Chain(
      testDescription: "extra field", body: "multipart { ...\(fields), acl: \"private\", file: $image }",
      message: "the policy has no condition for \"acl\"", advice: "leave it out"),
    Chain(
      testDescription: "size", size: "1", message: " bytes, and the policy allows exactly 1",
      advice: "go back to step \"allocate\", which returned it"),
    Chain(
      testDescription: "expiry", faults: [try? SandboxFault(parsing: "expired-policy")].compactMap(\.self),
      message: "the policy expired ", advice: "go back to step \"allocate\", which returned it"),
    Chain(
      testDescription: "token", body: "multipart { ...\(fields), file: $image } auth bearer $env.STORAGE_TOKEN",
      message: "an Authorization header is sent too, and storage accepts only one proof", advice: "auth none"),
    Chain(
      testDescription: "path", target: "$storage/drawings",
      message: "there is no bucket \"drawings\" there", advice: "the URL that was given is http://127.0.0.1:"),
    Chain(
      testDescription: "repeated field", body: "multipart { ...\(fields), \"Key\": \(fields).key, file: $image }",
      message: "the form has \"Key\" more than once", advice: "without(\"Key\")"),
    Chain(
      testDescription: "a file of another name", body: "multipart { ...\(fields), image: $image }",
      message: "the file is in the field \"image\", and storage looks for it in \"file\"",
      advice: "call the field file, and put it last"),
    Chain(
      testDescription: "missing policy", body: "multipart { ...(\(fields) | without(\"policy\")), file: $image }",
      message: "the form has no policy", advice: "multipart { ...\(fields), file: $image }"),
    Chain(
      testDescription: "form", body: "form { ...\(fields) }",
      message: "the fields are sent as application/x-www-form-urlencoded, and storage takes multipart/form-data only",
      advice: "multipart instead of form: multipart { ...\(fields), file: file("),
    Chain(
      testDescription: "text for file", body: "multipart { ...\(fields), file: \"blueprint.png\" }",
      message: "\"file\" is the text \"blueprint.png\", and not the file of that name",
      advice: "file: file(\"blueprint.png\")"),
  ]

  @Test(arguments: chains) func `what is wrong with an upload is named`(_ chain: Chain) async throws {
    var options = SandboxOptions()
    options.token = Self.token
    options.faults = chain.faults
    let outcome = try await Sandbox.run(options) { endpoints in
      let script = try TemporaryFile(
        """
        let storage = "\(endpoints.storage)"
        profile api { base \(endpoints.api) auth bearer $env.API_TOKEN }
        let image = file("\(Workbench.examples)/blueprint.png")
        allocate: POST api:/sheets/A-101/snapshots
          json { filesize: \(chain.size) }
          expect 201
        upload: POST \(chain.target)
          \(chain.body)
          expect headers.etag is string

        """, name: "chain.wb")
      let directory = script.url.deletingLastPathComponent()
      try FileManager.default.copyItem(
        atPath: "\(Workbench.examples)/blueprint.png", toPath: directory.appending(path: "blueprint.png").path)
      return try await Workbench.run(
        ["run", script.path], environment: ["API_TOKEN": Self.token, "STORAGE_TOKEN": Self.storageToken])
    }
    #expect(outcome.code == 1, "\(outcome)")
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    let found = lines.filter { $0.hasPrefix("  lint  ") }
    #expect(found.count == 1, "\(outcome.errors)")
    #expect(found.first?.contains(chain.message) == true, "\(outcome.errors)")
    #expect(lines.contains { $0.hasPrefix("        → ") && $0.contains(chain.advice) }, "\(outcome.errors)")
    #expect(![Self.token, Self.storageToken].contains { (outcome.output + outcome.errors).contains($0) })
  }

  /// The same form with the names that scripts have for what is in it.
  static let named: [(body: String, form: String)] = [
    ("multipart { file: $image, ...$fields }", "...$fields, file: $image"),
    ("multipart { file: $image, ...($snapshot.fields) }", "...$snapshot.fields, file: $image"),
    ("multipart { ...($fields | without(\"policy\")), file: $image }", "...$fields, file: $image"),
    ("multipart { key: $fields.key, \"x-amz-signature\": \"x\", file: $image }", "...$fields, file: $image"),
    ("form $fields", "...$fields, file: file(\"…\")"),
    ("run upload($fields, $image)", "...$form, file: $plan"),
    // A mistake is no reason to name it.
    ("multipart { file: $image, \"x-amz-date\": \"k\", ...$wrong }", "...$allocate.body.snapshot.fields, file: $image"),
  ]

  @Test(arguments: named) func `the example has the script's own names`(body: String, form: String) async throws {
    var options = SandboxOptions()
    options.token = Self.token
    let outcome = try await Sandbox.run(options) { endpoints in
      let isRun = body.hasPrefix("run ")
      let script = try TemporaryFile(
        """
        profile api { base \(endpoints.api) auth bearer $env.API_TOKEN }
        let image = file("\(Workbench.examples)/blueprint.png")
        sequence upload(form, plan) {
          POST \(endpoints.storage)/drawings
            multipart { file: $plan, ...$form }
        }
        allocate: POST api:/sheets/A-101/snapshots
          json { filesize: $image.size }
          expect 201
        let snapshot = $allocate.body.snapshot
        let fields = $snapshot.fields
        let wrong = { "x-amz-signature": "x" }
        \(isRun ? body : "POST $snapshot.url\n  \(body)")

        """, name: "chain.wb")
      return try await Workbench.run(["run", script.path], environment: ["API_TOKEN": Self.token])
    }
    #expect(outcome.errors.contains("multipart { \(form) }"), "\(outcome.errors)")
  }

  @Test func `another region is named by what storage says`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(
          "400 Bad Request", headers: ["Content-Type: application/xml"],
          body: """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is malformed; the region \
            'us-east-1' is wrong; expecting 'eu-west-1'</Message><Region>eu-west-1</Region></Error>
            """)
      }
    }
    let script = try TemporaryFile(
      """
      profile s3 {
        base \(server.url)
        auth sigv4 { key: "AKID", secret: $env.STORAGE_SECRET, region: "us-east-1", service: "s3" }
      }
      PUT s3:/plans/a.png text "x"

      """, name: "region.wb")
    let outcome = try await Workbench.run(["run", script.path], environment: ["STORAGE_SECRET": Self.token])
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains(
        "lint  the bucket is in the region \"eu-west-1\", and the signature is for \"us-east-1\"\n"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("name that region in auth sigv4 { region: \"eu-west-1\", … }"), "\(outcome.errors)")
  }
}
