import Foundation
import Testing

@testable import Sandbox

@Suite("Signature version 4")
struct SigV4Tests {
  static let credentials = SigV4.Credentials(
    accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

  /// "Example: Browser-Based Upload using HTTP POST (Using AWS Signature Version 4)", Amazon S3 API Reference.
  static let publishedPolicy = """
    eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJz\
    aWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJw\
    dWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6\
    b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2Uv\
    Il0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRp\
    b24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRl\
    bnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXot\
    YWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9
    """

  static let publishedSignature = "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"

  @Test("The published example's policy gets the published signature")
  func publishedExample() {
    let scope = SigV4.Scope(day: "20151229", region: "us-east-1", service: "s3")
    let key = SigV4.SigningKey(secretKey: Self.credentials.secretKey, scope: scope)
    #expect(key.signature(of: Self.publishedPolicy) == Self.publishedSignature)
  }

  @Test("A form made like the published example is admitted, until the policy expires")
  func publishedForm() throws {
    let signer = PostSigner(credentials: Self.credentials, region: "us-east-1", bucket: "sigv4examplebucket")
    let form = PostForm(
      [
        ("key", "user/user1/${filename}"), ("acl", "public-read"),
        ("success_action_redirect", "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"),
        ("Content-Type", "image/jpeg"), ("x-amz-meta-uuid", "14365123651274"),
        ("x-amz-server-side-encryption", "AES256"),
        ("X-Amz-Credential", "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"),
        ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Date", "20151229T000000Z"), ("x-amz-meta-tag", ""),
        ("Policy", Self.publishedPolicy), ("X-Amz-Signature", Self.publishedSignature),
      ].map { PostForm.Field(name: $0, value: $1) }, filename: "me.jpg")
    let expiration = try #require(DateText.parseExtended("2015-12-30T12:00:00.000Z"))

    let admitted = try signer.admit(form, now: expiration - 1)
    #expect(admitted.key == "user/user1/me.jpg")
    #expect(throws: S3Error.policyExpired) { try signer.admit(form, now: expiration) }
  }

  @Test(
    "A credential is an access key and a scope, nothing else",
    arguments: [
      ("A/20151229/us-east-1/s3/aws4_request", true), ("A/20151229/us-east-1/s3/aws5_request", false),
      ("A/20151229/us-east-1/s3", false), ("/20151229/us-east-1/s3/aws4_request", false),
      ("A/B/20151229/us-east-1/s3/aws4_request", false), ("", false),
    ])
  func credential(text: String, isValid: Bool) {
    #expect(SigV4.Credential(text)?.description == (isValid ? text : nil))
  }
}
