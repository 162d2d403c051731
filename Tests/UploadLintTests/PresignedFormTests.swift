import Foundation
import HTTPTypes
import JSONValue
import Requests
import Testing
import UploadLint
import UploaderCore

/// Forms and URLs as boto3 and the documentation of others make them (`Fixtures/make-forms.py`), whole and broken.
@Suite struct PresignedFormTests {
  /// 2026-01-02T03:04:05Z, when they were made.
  private static let signed = Duration.seconds(1_767_323_045)
  private static let made: JSON = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/forms.json")
    return (try? Data(contentsOf: file)).flatMap { try? JSON(parsing: Array($0)) } ?? .null
  }()

  static let forms = ["post-v2", "post-v4", "google-post"]
  static let urls = ["put-v2", "put-v4", "google-put", "azure-put"]

  private static func url(_ name: String) -> String { made[name]?["url"]?.string ?? made[name]?.string ?? "" }

  private static func parts(_ name: String) -> [MultipartPart] {
    (made[name]?["fields"]?.object?.members ?? []).map { MultipartPart.text($0.key, $0.value.string ?? "") }
      + [MultipartPart(name: "file", content: .bytes(Array("hello".utf8)), fileName: "a.png")]
  }

  /// The response that brought a form or a URL.
  private static func allocation(_ name: String) -> Exchange {
    let head = RequestHead(.post, .url("https://api.example.com/x")) { $0.label = "allocate" }
    let value = made[name].map { $0.string == nil ? $0 : .object(["url": $0]) } ?? .null
    let body = JSONPrinter.compact.print(.object(["upload": value]))
    return Exchange(
      description: .inMemory(InMemoryRequestDescription(head)),
      request: SentRequest(
        method: .post, url: "https://api.example.com/x", origin: Origin(scheme: .https, host: "api.example.com")),
      response: Response(
        status: .created, headers: [.contentType: "application/json"], body: ResponseBody(Array(body))))
  }

  private static func exchange(
    _ description: RequestDescription, _ url: String, headers: HTTPFields = [:], status: Int = 403, body: String = "",
    answerHeaders: HTTPFields = [:], at time: Duration = signed
  ) -> Exchange {
    Exchange(
      description: description,
      request: SentRequest(
        method: description.head.method, url: url, origin: Origin(scheme: .https, host: "x"), headers: headers),
      response: Response(
        status: .init(code: status), headers: answerHeaders, body: ResponseBody(Array(body.utf8))),
      started: time)
  }

  private static func post(
    _ name: String, _ parts: [MultipartPart]? = nil, url: String? = nil, headers: HTTPFields = [:], body: String = "",
    answerHeaders: HTTPFields = [:], at time: Duration = signed
  ) -> Exchange {
    let url = url ?? self.url(name)
    return exchange(
      .multipart(MultipartRequestDescription(RequestHead(.post, .url(url)), parts: parts ?? self.parts(name))), url,
      headers: headers, body: body, answerHeaders: answerHeaders, at: time)
  }

  private static func put(
    _ name: String, url: String? = nil, headers: HTTPFields = [:], body: String = "", sent: String = "hello",
    at time: Duration = signed
  ) -> Exchange {
    let url = url ?? self.url(name)
    var all: HTTPFields = [.contentType: "image/png"]
    if name.hasPrefix("azure") { all[.init("x-ms-blob-type") ?? .accept] = "BlockBlob" }
    for field in headers { all[field.name] = field.value }
    let request = InMemoryRequestDescription(
      RequestHead(.put, .url(url)), body: .init(Array(sent.utf8), contentType: "image/png"))
    return exchange(.inMemory(request), url, headers: all, body: body, at: time)
  }

  private static func findings(_ exchange: Exchange, _ name: String) -> [UploadFinding] {
    UploadLint(after: [allocation(name)], identify: { _ in nil }).findings(in: UploadAttempt(exchange))
  }

  @Test(arguments: forms) func `a form as it was made has nothing wrong`(name: String) {
    #expect(Self.findings(Self.post(name), name).isEmpty, "\(Self.findings(Self.post(name), name))")
  }

  @Test(arguments: forms) func `what a form leads to is no upload`(name: String) throws {
    let form = Self.post(name)
    let redirect = Response(status: .seeOther, headers: [.location: "https://app.test/done"])
    let page = SentRequest(method: .get, url: "https://app.test/done", origin: try Origin("https://app.test"))
    let exchange = Exchange(
      description: form.description, request: page, response: Response(status: .notFound), started: form.started,
      redirects: [RedirectHop(request: form.request, response: redirect)])
    #expect(Self.findings(exchange, name).isEmpty, "\(Self.findings(exchange, name))")
  }

  @Test(arguments: urls) func `a URL as it was made has nothing wrong`(name: String) {
    #expect(Self.findings(Self.put(name), name).isEmpty, "\(Self.findings(Self.put(name), name))")
  }

  private static func expect(
    _ exchange: Exchange, _ name: String, _ rule: String, _ message: String, advice: String = "",
    location: SourceLocation = #_sourceLocation
  ) {
    let found = findings(exchange, name)
    #expect(found.map(\.rule) == [rule], "\(name): \(found)", sourceLocation: location)
    guard let finding = found.first else { return }
    #expect(finding.message.contains(message), "\(finding.message)", sourceLocation: location)
    #expect(advice.isEmpty || finding.advice.contains(advice), "\(finding.advice)", sourceLocation: location)
  }

  @Test(arguments: forms) func `each mistake in a form is the one that is named`(name: String) {
    let parts = Self.parts(name)
    let form = "multipart { ...$allocate.body.upload.fields, file: file("
    Self.expect(
      Self.post(name, [parts[parts.count - 1]] + parts.dropLast()), name, "file-not-last", "not the last", advice: form)
    Self.expect(
      Self.post(name, [.text("x-extra", "1")] + parts), name, "policy-condition", "no condition for \"x-extra\"",
      advice: "step \"allocate\"")
    Self.expect(
      Self.post(name, parts.filter { $0.name != "key" }), name, "policy-condition", "\"key\" is missing", advice: form)
    Self.expect(
      Self.post(name, parts.dropLast() + [MultipartPart(name: "file", content: .bytes(Array("hello!".utf8)))]), name,
      "policy-condition", "6 bytes, and the policy allows 1 to 5", advice: "step \"allocate\"")
    Self.expect(
      Self.post(name, at: Self.signed + .seconds(904)), name, "policy-expired", "4 s before",
      advice: "step \"allocate\"")
    Self.expect(
      Self.post(name, headers: [.authorization: "Bearer x"]), name, "authorization-beside-signature", "only one proof")
    Self.expect(Self.post(name, [parts[0]] + parts), name, "repeated-field", "\"\(parts[0].name)\" more than once")
    let files = Self.post(name, parts + [parts[parts.count - 1]])
    Self.expect(files, name, "repeated-field", "\"file\" more than once", advice: "one file in each form")
    Self.expect(
      Self.post(name, parts.filter { $0.name != "policy" }), name, "missing-policy", "no policy", advice: form)
    Self.expect(Self.post(name, parts.dropLast()), name, "missing-file", "no file", advice: form)
    let signatures = ["x-amz-signature", "x-goog-signature", "signature"]
    Self.expect(
      Self.post(name, parts.filter { !signatures.contains($0.name.lowercased()) }), name, "missing-signature",
      "no signature of it", advice: form)
    Self.expect(
      Self.post(name, url: "https://drawings.s3.eu-west-1.amazonaws.com/"), name, "wrong-bucket",
      "for the bucket \"plans\", and the URL names another")
    let fields = parts.dropLast().map { "\($0.name)=x" }.joined(separator: "&")
    Self.expect(
      Self.exchange(
        .inMemory(
          InMemoryRequestDescription(
            RequestHead(.post, .url(Self.url(name))),
            body: .init(Array(fields.utf8), contentType: "application/x-www-form-urlencoded"))), Self.url(name)),
      name, "not-multipart", "multipart/form-data only", advice: "multipart instead of form")
  }

  @Test func `the name of a file is not the file`() throws {
    let parts = Self.parts("post-v4").dropLast() + [.text("file", "a.png")]
    let identity = try FileSlice(path: #filePath).identity
    let lint = UploadLint(after: [Self.allocation("post-v4")]) { path in path == "a.png" ? identity : nil }
    let found = lint.findings(in: UploadAttempt(Self.post("post-v4", Array(parts))))
    #expect(found.map(\.rule) == ["text-for-file"], "\(found)")
    #expect(found.first?.message == "\"file\" is the text \"a.png\", and not the file of that name")
    #expect(found.first?.advice == "file: file(\"a.png\")")
  }

  @Test(arguments: forms) func `what was given is where a form goes, and how`(name: String) {
    let url = Self.url(name)
    let write = "POST $allocate.body.upload.url multipart { ...$allocate.body.upload.fields, file: file("
    Self.expect(
      Self.post(name, url: "\(url)\(url.hasSuffix("/") ? "" : "/")wrong/place"), name, "given-upload", "another URL",
      advice: "POST $allocate.body.upload.url")
    let form = MultipartRequestDescription(RequestHead(.put, .url(url)), parts: Self.parts(name))
    Self.expect(
      Self.exchange(.multipart(form), url, status: 405), name, "given-upload",
      "sent with PUT, and storage takes a form",
      advice: write)
    for method in [HTTPRequest.Method.post, .put] {
      let raw = InMemoryRequestDescription(
        RequestHead(method, .url(url)), body: .init(Array("hello".utf8), contentType: "image/png"))
      Self.expect(
        Self.exchange(.inMemory(raw), url), name, "given-upload", "fields of a form, and none of them is sent",
        advice: write)
    }
    // What was uploaded is read from there, too.
    let read = InMemoryRequestDescription(RequestHead(.get, .url(url)))
    #expect(Self.findings(Self.exchange(.inMemory(read), url), name).isEmpty)
  }

  @Test(arguments: urls) func `what was given is where a file goes, and how`(name: String) {
    let url = Self.url(name)
    func put(
      _ method: HTTPRequest.Method = .put, to url: String, parts: [MultipartPart]? = nil, status: Int = 403
    ) -> Exchange {
      let head = RequestHead(method, .url(url))
      let description = parts.map { RequestDescription.multipart(MultipartRequestDescription(head, parts: $0)) }
      let exchange = Self.put(name)
      return Self.exchange(
        description
          ?? .inMemory(InMemoryRequestDescription(head, body: .init(Array("hello".utf8), contentType: "image/png"))),
        url, headers: exchange.request.headers, status: status)
    }
    Self.expect(
      put(.post, to: url, status: 405), name, "presigned-put", "with PUT, and this is a POST", advice: "body file(")
    #expect(Self.findings(put(.post, to: url, status: 200), name).isEmpty)
    #expect(Self.findings(put(.post, to: "\(url)&uploadId=1"), name).map(\.rule) == ["given-upload"])
    let file = MultipartPart(name: "file", content: .bytes(Array("hello".utf8)), fileName: "a.png")
    Self.expect(put(to: url, parts: [file]), name, "presigned-put", "and this is a form", advice: "body file(")
    let other = url.replacing("?", with: "-2?")
    Self.expect(put(to: other), name, "given-upload", "another URL", advice: "PUT $allocate.body.upload.url")
    Self.expect(put(to: "\(url)&x=1"), name, "given-upload", "part of what is signed")
    Self.expect(
      put(to: "\(url)/x"), name, "given-upload", "written after the URL", advice: "PUT $allocate.body.upload.url")
  }

  @Test func `the name of a file is not the body either`() throws {
    let identity = try FileSlice(path: #filePath).identity
    let lint = UploadLint { path in path == "a.png" ? identity : nil }
    let found = lint.findings(in: UploadAttempt(Self.put("put-v2", sent: "a.png")))
    #expect(found.map(\.rule) == ["text-for-file"], "\(found)")
    #expect(found.first?.advice == "body file(\"a.png\")")
  }

  @Test(arguments: urls) func `each mistake with a URL is the one that is named`(name: String) {
    Self.expect(
      Self.put(name, at: Self.signed + .seconds(904)), name, "presigned-url-expired", "expired 4 s before",
      advice: "step \"allocate\"")
    Self.expect(
      Self.put(name, headers: [.authorization: "Bearer x"]), name, "authorization-beside-signature", "only one proof")
  }

  @Test func `a version 4 URL allows no other header of its kind`() {
    for (name, header) in [("put-v4", "x-amz-acl"), ("google-put", "x-goog-acl")] {
      Self.expect(
        Self.put(name, headers: [HTTPField.Name(header) ?? .accept: "private"]), name, "signed-header",
        "not allowed: \(header)")
    }
  }

  @Test func `Azure wants its blob type, and permission to write`() {
    let request = InMemoryRequestDescription(
      RequestHead(.put, .url(Self.url("azure-put"))), body: .init(Array("hello".utf8), contentType: "image/png"))
    Self.expect(
      Self.exchange(.inMemory(request), Self.url("azure-put")), "azure-put", "shared-access",
      "x-ms-blob-type is missing",
      advice: "header x-ms-blob-type: BlockBlob")
    Self.expect(
      Self.put("azure-read-only"), "azure-read-only", "shared-access", "does not permit writing", advice: "sp=cw")
  }

  /// `hello`, by what Python and the AWS command line compute.
  @Test(arguments: [
    ("content-md5", "XUFAKrxLKna5cZ2REBfFkg=="), ("x-amz-checksum-sha1", "qvTGHdzF6KLavt4PO0gs2a6pQ00="),
    ("x-amz-checksum-sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
    ("x-amz-content-sha256", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
    ("x-amz-checksum-crc32", "NhCmhg=="), ("x-amz-checksum-crc32c", "mnG7TA=="),
  ]) func `a checksum of other bytes is found`(name: String, digest: String) throws {
    let field = try #require(HTTPField.Name(name))
    // In version 2 of the signature any header may be sent.
    #expect(Self.findings(Self.put("put-v2", headers: [field: digest]), "put-v2").isEmpty)
    Self.expect(Self.put("put-v2", headers: [field: digest], sent: "hellO"), "put-v2", "checksum", name)
  }

  @Test(arguments: [
    "<Error><Code>TemporaryRedirect</Code><Message>Please re-send this request.</Message></Error>",
    "<Error><Code>AuthorizationHeaderMalformed</Code><Message>The date is wrong.</Message></Error>",
    "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
  ]) func `what has another reason is not explained by a wrong one`(document: String) {
    #expect(Self.findings(Self.post("post-v4", body: document), "post-v4").isEmpty)
    #expect(Self.findings(Self.put("put-v4", body: document), "put-v4").isEmpty)
  }

  @Test func `a host of another region than the signature's is named, before anything is sent too`() {
    let host = "https://plans.s3.dualstack.eu-central-1.amazonaws.com/"
    let message = "the host is in the region \"eu-central-1\", and the signature is for \"eu-west-1\""
    let url = Self.url("put-v4").replacing("s3.eu-west-1.", with: "s3-eu-central-1.")
    for (exchange, name) in [
      (Self.post("post-v4", url: host), "post-v4"), (Self.put("put-v4", url: url), "put-v4"),
    ] {
      let found = Self.findings(exchange, name)
      #expect(found.contains { $0.rule == "wrong-region" && $0.message == message }, "\(found)")
    }
    for host in ["plans.s3.amazonaws.com", "plans.s3-accelerate.amazonaws.com", "eu-central-1.s3.example.com"] {
      let found = Self.findings(Self.post("post-v4", url: "https://\(host)/"), "post-v4")
      #expect(!found.contains { $0.rule == "wrong-region" }, "\(found)")
    }
  }

  struct Refusal: Sendable {
    let document: String
    let rule: String
    let message: String
  }

  @Test(arguments: [
    Refusal(
      document: """
        <Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is malformed; the region \
        'eu-west-1' is wrong; expecting 'eu-central-1'</Message><Region>eu-central-1</Region></Error>
        """, rule: "wrong-region", message: "in the region \"eu-central-1\", and the signature is for \"eu-west-1\""),
    Refusal(
      document: """
        <Error><Code>PermanentRedirect</Code><Message>The bucket you are attempting to access must be addressed using \
        the specified endpoint.</Message><Endpoint>plans.s3.amazonaws.com</Endpoint></Error>
        """, rule: "wrong-region", message: "in \"plans.s3.amazonaws.com\", and the signature is for \"eu-west-1\""),
    Refusal(
      document: """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message>\
        <BucketName>plans</BucketName></Error>
        """, rule: "wrong-bucket", message: "there is no bucket \"plans\" there"),
    Refusal(
      document: """
        <Error><Code>RequestTimeTooSkewed</Code><Message>The difference between the request time and the current time \
        is too large.</Message><RequestTime>20260102T030405Z</RequestTime><ServerTime>2026-01-02T04:04:05Z</ServerTime>\
        <MaxAllowedSkewMilliseconds>900000</MaxAllowedSkewMilliseconds></Error>
        """, rule: "clock-skew", message: "signed for another time than storage's, by more than 15 min"),
    Refusal(
      document: """
        <Error><Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message>\
        <ProposedSize>6</ProposedSize><MaxSizeAllowed>5</MaxSizeAllowed></Error>
        """, rule: "size-refused", message: "more bytes than are allowed: at most 5"),
    Refusal(
      document: """
        <Error><Code>InvalidArgument</Code><Message>The value of the POST field 'x-amz-credential' is not valid here.\
        </Message><ArgumentName>x-amz-credential</ArgumentName>\
        <ArgumentValue>TESTKEYOFNOBODY/20260102/eu-west-1/s3/aws4_request</ArgumentValue></Error>
        """, rule: "wrong-region",
      message: "storage does not accept the credential, which is for the region \"eu-west-1\""),
    Refusal(
      document: """
        <Error><Code>EntityTooSmall</Code><Message>Your proposed upload is smaller than the minimum allowed size\
        </Message><ProposedSize>0</ProposedSize><MinSizeAllowed>1</MinSizeAllowed></Error>
        """, rule: "size-refused", message: "fewer bytes than are allowed: at least 1"),
  ]) func `what storage says is understood`(refusal: Refusal) {
    for exchange in [Self.post("post-v4", body: refusal.document), Self.put("put-v4", body: refusal.document)] {
      Self.expect(exchange, "post-v4", refusal.rule, refusal.message)
    }
  }

  @Test func `signed for the right region and sent to the wrong host, the URL is the fault`() {
    func document(_ endpoint: String) -> String {
      """
      <Error><Code>PermanentRedirect</Code><Message>The bucket you are attempting to access must be addressed using the \
      specified endpoint.</Message><Endpoint>\(endpoint)</Endpoint></Error>
      """
    }
    let endpoint = "plans.s3.eu-west-1.amazonaws.com"
    Self.expect(
      Self.post("post-v4", body: document(endpoint)), "post-v4", "wrong-endpoint", "the bucket is at \"\(endpoint)\"",
      advice: "send the form to https://\(endpoint)/")
    Self.expect(
      Self.put("put-v4", body: document(endpoint)), "post-v4", "wrong-endpoint", "the bucket is at \"\(endpoint)\"",
      advice: "have it signed for that host")
    Self.expect(
      Self.post("post-v4", body: document("plans.s3.us-west-2.amazonaws.com")), "post-v4", "wrong-region",
      "in the region \"us-west-2\", and the signature is for \"eu-west-1\"")
  }

  @Test func `a bucket that does not exist is not blamed on a URL that is as it was given`() {
    let document = "<Error><Code>NoSuchBucket</Code><Message>m</Message><BucketName>plans</BucketName></Error>"
    let advice = "the URL is as it was given, and names a bucket that does not exist: go back to"
    Self.expect(
      Self.post("post-v4", body: document), "post-v4", "wrong-bucket", "there is no bucket \"plans\"", advice: advice)
    Self.expect(
      Self.put("put-v4", body: document), "put-v4", "wrong-bucket", "there is no bucket \"plans\"", advice: advice)
  }
}
