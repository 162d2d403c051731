import Canaries
import HTTPTypes
import JSONValue
import Requests
import Testing
import UploadLint
import UploaderCore

@Suite struct UploadLintTests {
  private static let token = Canary.secret("lint")
  private static let origin = Origin(scheme: .https, host: "b.s3.example.com")
  /// 2026-01-02T03:04:05Z.
  private static let signed = Duration.seconds(1_767_323_045)

  private static func policy(_ conditions: String = "") -> String {
    let own = #"{"bucket": "b"}, {"key": "u/a.png"}, ["starts-with", "$x-amz-meta-tag", "t-"]"#
    return Base64.encode(
      Array(#"{"expiration": "2026-01-02T03:19:05.000Z", "conditions": [\#(own)\#(conditions)]}"#.utf8))
  }

  /// A form that has nothing wrong with it.
  private static func parts(_ conditions: String = #", ["content-length-range", 1, 5]"#) -> [MultipartPart] {
    [
      .text("key", "u/a.png"), .text("x-amz-meta-tag", "t-1"), .text("policy", policy(conditions)),
      .text("x-amz-signature", "00"), MultipartPart(name: "file", content: .bytes(Array("hello".utf8))),
    ]
  }

  private static func exchange(
    _ description: RequestDescription, url: String = "https://b.s3.example.com/", headers: HTTPFields = [:],
    status: Int = 403, answer: String = "", answerHeaders: HTTPFields = [:], at time: Duration = signed
  ) -> Exchange {
    Exchange(
      description: description, request: SentRequest(method: .post, url: url, origin: origin, headers: headers),
      response: Response(
        status: .init(code: status), headers: answerHeaders, body: ResponseBody(Array(answer.utf8))),
      started: time)
  }

  private static func form(_ parts: [MultipartPart], headers: HTTPFields = [:], at time: Duration = signed) -> Exchange
  {
    exchange(
      .multipart(MultipartRequestDescription(RequestHead(.post, .url("https://b.s3.example.com/")), parts: parts)),
      headers: headers, at: time)
  }

  private static let presigned =
    "https://b.s3.example.com/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A%2F20260102%2Fr%2Fs3%2Faws4_request"
    + "&X-Amz-Date=20260102T030405Z&X-Amz-Expires=900&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-meta-a"
    + "&X-Amz-Signature=00"
  private static let signedHeaders: HTTPFields = [
    .contentType: "image/png", HTTPField.Name("x-amz-meta-a") ?? .accept: "1",
  ]

  private static func put(
    _ headers: HTTPFields = signedHeaders, body: String = "hello", status: Int = 403, answer: String = "",
    at time: Duration = signed
  ) -> Exchange {
    exchange(
      .inMemory(
        InMemoryRequestDescription(
          RequestHead(.put, .url(presigned)), body: .init(Array(body.utf8), contentType: "image/png"))),
      url: presigned, headers: headers, status: status, answer: answer, at: time)
  }

  /// Something wrong, and the message about it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var exchange: Exchange
    var rule: String
    var message: String
    var evidence: String
  }

  static let cases: [Case] = {
    func reordered() -> [MultipartPart] {
      var parts = parts()
      parts.insert(parts.removeLast(), at: 2)
      return parts
    }
    func changed(_ name: String, _ value: String?) -> [MultipartPart] {
      parts().compactMap { part in part.name == name ? value.map { .text(name, $0) } : part }
    }
    var other = signedHeaders
    other[.contentType] = "text/plain"
    var missing = signedHeaders
    missing[HTTPField.Name("x-amz-meta-a") ?? .accept] = nil
    var more = signedHeaders
    more[HTTPField.Name("x-amz-acl") ?? .accept] = "private"
    let failed = "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>a &lt; b</Message></Error>"
    return [
      Case(
        testDescription: "an expired policy", exchange: form(parts(), at: signed + .seconds(904)),
        rule: "policy-expired", message: "the policy expired 4 s before this request was sent",
        evidence: "2026-01-02T03:19:05.000Z"),
      Case(
        testDescription: "a changed field", exchange: form(changed("key", "other")), rule: "policy-condition",
        message: "the field \"key\" is not what the policy requires", evidence: "requires \"u/a.png\", sent: \"other\""),
      Case(
        testDescription: "another prefix", exchange: form(changed("x-amz-meta-tag", "s-1")), rule: "policy-condition",
        message: "the field \"x-amz-meta-tag\" is not what", evidence: "begins with \"t-\""),
      Case(
        testDescription: "a missing field", exchange: form(changed("key", nil)), rule: "policy-condition",
        message: "the field \"key\" is missing", evidence: "u/a.png"),
      Case(
        testDescription: "a field too many", exchange: form([.text("acl", "private")] + parts()),
        rule: "policy-condition",
        message: "no condition for \"acl\"", evidence: "every field"),
      Case(
        testDescription: "a file too long", exchange: form(parts(#", ["content-length-range", 1, 4]"#)),
        rule: "policy-condition", message: "5 bytes, and the policy allows 1 to 4", evidence: "[1, 4]"),
      Case(
        testDescription: "a file that is not last", exchange: form(reordered()), rule: "file-not-last",
        message: "not the last part", evidence: "\"policy\", \"x-amz-signature\""),
      Case(
        testDescription: "a token beside a form",
        exchange: form(parts(), headers: [.authorization: "Bearer \(token)"]),
        rule: "authorization-beside-signature", message: "an Authorization header is sent too", evidence: "Bearer ••••"),
      Case(
        testDescription: "a token beside a URL",
        exchange: put(signedHeaders + [.init(name: .authorization, value: "Basic \(token)")]),
        rule: "authorization-beside-signature", message: "storage accepts only one proof", evidence: "Basic ••••"),
      Case(
        testDescription: "chunks", exchange: form(parts(), headers: [.transferEncoding: "chunked"]),
        rule: "chunked-upload", message: "in chunks", evidence: "Transfer-Encoding: chunked"),
      Case(
        testDescription: "an expired URL", exchange: put(at: signed + .seconds(4500)), rule: "presigned-url-expired",
        message: "expired 60 min before it was used", evidence: "valid for 15 min"),
      Case(
        testDescription: "a signed header that is missing", exchange: put(missing), rule: "signed-header",
        message: "\"x-amz-meta-a\" was signed and is missing", evidence: "X-Amz-SignedHeaders lists it"),
      Case(
        testDescription: "a header that was not signed", exchange: put(more), rule: "signed-header",
        message: "not allowed: x-amz-acl", evidence: "content-type;host;x-amz-meta-a"),
      Case(
        testDescription: "a signature that is wrong for no known reason",
        exchange: put(other, answer: "<Error><Code>SignatureDoesNotMatch</Code></Error>"), rule: "signed-header",
        message: "may not be what was signed", evidence: "content-type: text/plain"),
      Case(
        testDescription: "a body that is missing",
        exchange: put(
          signedHeaders + [.init(name: .contentLength, value: "0")], body: "",
          answer: "<Error><Code>SignatureDoesNotMatch</Code></Error>"), rule: "missing-body",
        message: "nothing is sent", evidence: "a PUT stores its body"),
      Case(
        testDescription: "a signature that is missing", exchange: form(changed("x-amz-signature", nil)),
        rule: "missing-signature", message: "no signature", evidence: "\"x-amz-signature\""),
      Case(
        testDescription: "a success that is an error",
        exchange: exchange(
          .inMemory(InMemoryRequestDescription(RequestHead(.post, .url("https://a")))), status: 200, answer: failed),
        rule: "error-in-success", message: "the response is 200", evidence: "InternalError: a < b"),
      Case(
        testDescription: "another clock",
        exchange: exchange(
          .inMemory(InMemoryRequestDescription(RequestHead(.post, .url("https://a")))),
          answerHeaders: [.date: "Fri, 02 Jan 2026 03:24:05 GMT"]),
        rule: "clock-skew", message: "its clock is 20 min ahead of this machine's", evidence: "03:24:05"),
    ]
  }()

  @Test(arguments: cases) func `every mistake is named, with its evidence, and nothing else is`(wrong: Case) throws {
    let findings = UploadLint().findings(in: UploadAttempt(wrong.exchange))
    let finding = try #require(findings.first)
    #expect(findings.count == 1, "\(findings)")
    #expect(finding.rule == wrong.rule)
    #expect(finding.message.contains(wrong.message), "\(finding.message)")
    #expect(finding.evidence.joined(separator: "\n").contains(wrong.evidence), "\(finding.evidence)")
    #expect(!finding.advice.isEmpty)
    #expect(!"\(findings)".contains(Self.token))
  }

  @Test(arguments: [form(parts()), put(), put(body: "", status: 200)])
  func `an upload with nothing wrong has no findings`(exchange: Exchange) {
    #expect(UploadLint().findings(in: UploadAttempt(exchange)).isEmpty)
  }

  @Test(arguments: [(404, 0), (403, 2)])
  func `who only looks whether it is there need not send what was signed`(status: Int, count: Int) {
    let look = Self.exchange(
      .inMemory(InMemoryRequestDescription(RequestHead(.get, .url(Self.presigned)))), url: Self.presigned,
      status: status, answer: "<Error><Code>NoSuchKey</Code></Error>")
    let findings = UploadLint().findings(in: UploadAttempt(look))
    #expect(findings.filter { $0.rule == "signed-header" }.count == count, "\(findings)")
  }

  @Test func `the value of a signed header is known from the response with the URL`() {
    let answer = #"{"upload": {"url": "\#(Self.presigned)", "headers": {"Content-Type": "image/png"}}}"#
    let allocated = Self.exchange(
      .inMemory(InMemoryRequestDescription(RequestHead(.post, .url("https://a")))), status: 201, answer: answer,
      answerHeaders: [.contentType: "application/json"])
    var headers = Self.signedHeaders
    headers[.contentType] = "text/plain"
    let findings = UploadLint(after: [allocated]).findings(in: UploadAttempt(Self.put(headers)))
    #expect(findings.map(\.message) == ["the header \"content-type\" is not what was signed"])
    #expect(findings.first?.evidence == ["the URL came with content-type: image/png, sent: text/plain"])
  }

  @Test(arguments: [
    (#"{"name": "a", "type": "image/png"}"#, #"{"snapshot": {"url": "URL"}}"#, "text/plain", true),
    (#"{"name": "a"}"#, #"{"url": "URL", "content_type": "image/png"}"#, "text/plain", true),
    (#"{"name": "a", "type": "image/png"}"#, #"{"url": "URL"}"#, "image/png; a=b", false),
    (#"{"name": "a", "type": "snapshot"}"#, #"{"url": "URL"}"#, "text/plain", false),
    (#"{"type": "image/png"}"#, #"{"other": "URL"}"#, "text/plain", true),
    (#"{"type": "image/png"}"#, #"{"other": "https://a"}"#, "text/plain", false),
  ])
  func `the type that a URL was asked for was signed with it`(
    asked: String, answer: String, sent: String, isFound: Bool
  ) {
    let body = InMemoryRequestDescription.Body(Array(asked.utf8), contentType: "application/json")
    let allocated = Self.exchange(
      .inMemory(InMemoryRequestDescription(RequestHead(.post, .url("https://a")), body: body)), status: 201,
      answer: answer.replacing("URL", with: Self.presigned), answerHeaders: [.contentType: "application/json"])
    var headers = Self.signedHeaders
    headers[.contentType] = sent
    let findings = UploadLint(after: [allocated]).findings(in: UploadAttempt(Self.put(headers, status: 200)))
    let message = "the header \"content-type\" is probably not what was signed"
    #expect(findings.map(\.message) == (isFound ? [message] : []))
    #expect(!isFound || findings.first?.evidence == ["the URL was given for image/png, sent: text/plain"])
  }

  @Test func `a changed file is found, and so are bytes that storage does not have`() throws {
    let path = "/tmp/workbench-lint-\(UInt64.random(in: 0 ... .max))"
    try #require(write(path, "hello"))
    defer { remove(path) }
    let file = try FileSlice(path: path)
    let description = RequestDescription.stream(
      StreamRequestDescription(RequestHead(.put, .url(Self.presigned)), file: file))
    func stored(_ tag: String) -> Exchange {
      Self.exchange(
        description, url: Self.presigned, headers: Self.signedHeaders, status: 200, answerHeaders: [.eTag: "\"\(tag)\""]
      )
    }
    let lint = UploadLint()
    #expect(lint.findings(in: UploadAttempt(stored("5d41402abc4b2a76b9719d911017c592"))).isEmpty)
    let findings = lint.findings(in: UploadAttempt(stored("00000000000000000000000000000000")))
    #expect(findings.map(\.rule) == ["stored-digest"])

    try #require(write(path, "hello, longer"))
    let changed = lint.findings(in: UploadAttempt(stored("5d41402abc4b2a76b9719d911017c592")))
    #expect(changed.map(\.rule) == ["file-changed"])
    #expect(changed.first?.evidence == ["5 bytes then, 13 now"])
    remove(path)
    #expect(lint.findings(in: UploadAttempt(stored(""))).first?.evidence == ["it is no longer there"])
  }
}

extension HTTPFields {
  fileprivate static func + (fields: HTTPFields, more: [HTTPField]) -> HTTPFields { HTTPFields(Array(fields) + more) }
}
