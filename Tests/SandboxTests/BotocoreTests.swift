import Foundation
import Testing

@testable import Sandbox

/// What botocore's `generate_presigned_post` returns, recorded in Golden/presigned-posts.json by the script beside it.
struct PresignedPostGolden: Decodable, CustomTestStringConvertible {
  struct Answer: Decodable {
    var url: String
    var fields: [String: String]
  }

  var name: String
  var now: String
  var key: String
  var answer: Answer

  var testDescription: String { name }

  var date: Date { DateText.parseExtended("\(now)Z") ?? .distantPast }

  var form: PostForm {
    PostForm(answer.fields.map { PostForm.Field(name: $0, value: $1) }, filename: "a.png")
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static func all() throws -> [Self] {
    try JSONDecoder().decode([Self].self, from: Data(contentsOf: folder.appending(path: "presigned-posts.json")))
  }
}

@Suite("Against botocore")
struct BotocoreTests {
  static let signer = PostSigner(credentials: SigV4Tests.credentials, region: "us-east-1", bucket: "sandbox")

  @Test("Its forms are admitted, but not with any one field changed", arguments: try PresignedPostGolden.all())
  func admission(golden: PresignedPostGolden) throws {
    let admitted = try Self.signer.admit(golden.form, now: golden.date)
    #expect(admitted.key == golden.key.replacingOccurrences(of: "${filename}", with: "a.png"))

    for name in golden.answer.fields.keys {
      var fields = golden.answer.fields
      fields[name] = "!" + (fields[name] ?? "")
      let form = PostForm(fields.map { PostForm.Field(name: $0, value: $1) })
      // A condition `starts-with ""` is one that any value meets.
      if name == "x-amz-meta-tag" { continue }
      #expect(throws: S3Error.self, "\(name) changed") { try Self.signer.admit(form, now: golden.date) }
    }
  }

  @Test("Its signature over its policy is ours", arguments: try PresignedPostGolden.all())
  func signature(golden: PresignedPostGolden) throws {
    let credential = try #require(SigV4.Credential(golden.form.required("x-amz-credential")))
    let key = SigV4.SigningKey(secretKey: SigV4Tests.credentials.secretKey, scope: credential.scope)
    #expect(try key.signature(of: golden.form.required("policy")) == golden.form.required("x-amz-signature"))
  }

  @Test("Our fields for the same upload are the same, the policy compared by its contents")
  func sameFields() throws {
    let golden = try #require(PresignedPostGolden.all().first { $0.name == "bare" })
    let ours = Self.signer.fields(
      key: golden.key, conditions: [], now: golden.date, expiration: golden.date + 3600)
    #expect(
      ours.map(\.name) == ["key", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "policy", "x-amz-signature"])
    for field in ours where !["policy", "x-amz-signature"].contains(field.name) {
      #expect(field.value == golden.answer.fields[field.name], "\(field.name)")
    }
    let policies = try (
      PostPolicy(base64: PostForm(ours).required("policy")), PostPolicy(base64: golden.form.required("policy"))
    )
    #expect(policies.0.expiration == policies.1.expiration)
    #expect(Set(policies.0.conditions) == Set(policies.1.conditions))
  }

  @Test(
    "The recording is what botocore returns today",
    .enabled("SKIPPED: needs python3 with botocore (pip install botocore)") { await hasBotocore() })
  func recordingIsFresh() async throws {
    let result = try await runPython([PresignedPostGolden.folder.appending(path: "make-presigned-posts.py").path])
    #expect(result.status == 0)
    let recorded = try Data(contentsOf: PresignedPostGolden.folder.appending(path: "presigned-posts.json"))
    #expect(String(decoding: result.output, as: UTF8.self) == String(decoding: recorded, as: UTF8.self))
  }

  static func hasBotocore() async -> Bool {
    await (try? runPython(["-c", "import botocore"]).status) == 0
  }
}

/// Runs Python without blocking a thread; its output has to fit a pipe.
private func runPython(_ arguments: [String]) async throws -> (status: Int32, output: Data) {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["python3"] + arguments
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  let status = try await withCheckedThrowingContinuation { continuation in
    process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
    do { try process.run() } catch { continuation.resume(throwing: error) }
  }
  return (status, try output.fileHandleForReading.readToEnd() ?? Data())
}
