import Canaries
import Foundation
import RealServers
import Testing

@testable import Sandbox

/// Scripts that sign, against a third-party storage server that checks every signature.
@Suite(
  .enabled(if: Rclone.isInstalled, "rclone is not installed: see Scripts/prepare-servers"), .timeLimit(.minutes(2)))
struct StorageTests {
  private static let secretKey = Canary.secret("storage")

  private func run(
    _ script: String, on server: Rclone, secretKey: String = secretKey, files: [String: Data] = [:]
  ) async throws -> Workbench.Outcome {
    let profile = """
      profile s3 {
        base \(server.url)/\(Rclone.bucket)
        auth sigv4 { key: "\(Rclone.accessKey)", secret: $env.SECRET_KEY, region: "us-east-1", service: "s3" }
      }

      """
    let file = try TemporaryFile(profile + script, name: "storage.wb")
    for (name, content) in files {
      try content.write(to: file.url.deletingLastPathComponent().appending(path: name))
    }
    return try await Workbench.run(["run", file.path], environment: ["SECRET_KEY": secretKey])
  }

  @Test func `objects with difficult names are put, listed, fetched and deleted`() async throws {
    let server = try Rclone(secretKey: Self.secretKey)
    let plan = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let outcome = try await run(
      """
      let key = "A 101/plan+é=(1).png"
      put: PUT s3:/{+$key}
        body file("plan.png")
        expect 200
      list: GET \(server.url)/\(Rclone.bucket)?prefix=A%20&list-type=2&delimiter=
        expect text contains "plan+é=(1).png"
      get: GET s3:/{+$key}
        expect size == 300000
      head: HEAD s3:/{+$key}
        expect 200
        expect headers.content-length == "300000"
      DELETE s3:/{+$key}
        expect 204
      GET s3:/{+$key}
        expect 404
      PUT s3:/kept.png
        body file("plan.png")
      """, on: server, files: ["plan.png": plan])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.object("kept.png") == Array(plan))
    #expect(!(outcome.output + outcome.errors).contains(Self.secretKey))
  }

  @Test func `a wrong key signs nothing`() async throws {
    let server = try Rclone(secretKey: Self.secretKey)
    let outcome = try await run(
      """
      PUT s3:/x.txt
        text "x"
        expect 403
        expect text contains "SignatureDoesNotMatch"
      """, on: server, secretKey: Canary.secret("not-the-storage's"))
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.object("x.txt") == nil)
  }

  @Test func `a large object goes in parts, side by side`() async throws {
    let server = try Rclone(secretKey: Self.secretKey)
    let film = Data((0..<11_000_000).map { UInt8(truncatingIfNeeded: $0 / 255) })
    let outcome = try await run(
      """
      start: POST s3:/film.bin?uploads
        expect 200
      let id = $start.text | regex('<UploadId>(.+?)</UploadId>')
      for $chunk in file("film.bin") | chunks(5MiB) parallel 2 {
        put: PUT s3:/film.bin?partNumber={$chunk.number}&uploadId={$id}
          body $chunk
        let part = "<Part><PartNumber>{$chunk.number}</PartNumber><ETag>{$put.headers.etag}</ETag></Part>"
      }
      complete: POST s3:/film.bin?uploadId={$id}
        text "<CompleteMultipartUpload>{$part | join('')}</CompleteMultipartUpload>"
        expect 200
        expect not text contains "<Error>"
      """, on: server, files: ["film.bin": film])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.object("film.bin") == Array(film))
  }

  @Test(arguments: [
    (0.0, "first.txt", "200"), (-3600, "late.txt", "400"),
  ])
  func `a presigned URL is sent as it is, without a credential`(age: Double, key: String, status: String) async throws {
    let server = try Rclone(secretKey: Self.secretKey)
    let signer = URLSigner(
      credentials: SigV4.Credentials(accessKey: Rclone.accessKey, secretKey: Self.secretKey), region: "us-east-1")
    func url(_ method: String) -> String {
      signer.url(
        method, path: "/\(Rclone.bucket)/\(key)", at: server.url, headers: [], now: Date.now + age, lifetime: 600)
    }
    let script = try TemporaryFile(
      """
      let target = "http://nowhere.invalid/"
      PUT $target
        text "presigned"
        expect \(status)
      """, name: "presigned.wb")
    let outcome = try await Workbench.run(["run", script.path, "--set", "target=\(url("PUT"))"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.object(key) == (status == "200" ? Array("presigned".utf8) : nil))

    // Signed for another method, or for another object.
    guard status == "200" else { return }
    let wrong = try await Workbench.run(["run", script.path, "--set", "target=\(url("GET"))"])
    #expect(wrong.output.contains("403 Forbidden"))
    let moved = url("PUT").replacing(key, with: "other.txt")
    let other = try await Workbench.run(["run", script.path, "--set", "target=\(moved)"])
    #expect(other.output.contains("403 Forbidden"))
    #expect(server.object("other.txt") == nil)
  }
}
