import HTTPTypes
import JSONValue
import Requests
import Testing

/// A typed request says what is sent, and what its response means.
@Suite struct TypedRequestTests {
  static let values: [(RequestAddress, RequestTarget)] = {
    let (id, sheet, number) = ("s-1", "A 101/b?", 7)
    return [
      ("/jobs", .path("/jobs", profile: nil)),
      ("/jobs/\(number)", .path("/jobs/7", profile: nil)),
      ("/sheets/\(sheet)/snapshots/\(id)", .path("/sheets/A%20101%2Fb%3F/snapshots/s-1", profile: nil)),
      ("/search?q=\(sheet)&page=\(number)", .path("/search?q=A%20101%2Fb%3F&page=7", profile: nil)),
      ("/search?q=\("")&path=a/\("..")", .path("/search?q=&path=a/..", profile: nil)),
      ("/a/\("%2e%2e")", .path("/a/%252e%252e", profile: nil)),
      ("/files/v\(".")\(".")", .path("/files/v..", profile: nil)),
      ("https://api.example.com/users/\("ö")", .url("https://api.example.com/users/%C3%B6")),
      (
        .url("https://b.s3.example.com/?X-Amz-Signature=a%2Fb"), .url("https://b.s3.example.com/?X-Amz-Signature=a%2Fb")
      ),
    ]
  }()

  @Test(arguments: values)
  func `a value in an address is one segment or one query value`(address: RequestAddress, target: RequestTarget) throws
  {
    #expect(try address.target.get() == target)
  }

  static let refused: [(RequestAddress, RequestAddressError)] = [
    ("/jobs/\("")", .segment("", in: "/jobs/")),
    ("/jobs/\(".")/x", .segment(".", in: "/jobs/./x")),
    ("/jobs/\("..")?a=b", .segment("..", in: "/jobs/..?a=b")),
    ("/jobs/\(".")\(".")", .segment("..", in: "/jobs/..")),
    ("/jobs/.\(".")/x", .segment("..", in: "/jobs/../x")),
    ("https://\("")/x", .segment("", in: "https:///x")),
    ("jobs", .beginning("jobs")),
    ("\("https://evil.example.com/")", .beginning("https%3A%2F%2Fevil.example.com%2F")),
    ("/a b", .character("/a b")),
    ("/a\r\nb", .character("/a\r\nb")),
    ("/a#b", .character("/a#b")),
  ]

  @Test(arguments: refused)
  func `an address that a value would distort is refused before anything is sent`(
    address: RequestAddress, error: RequestAddressError
  ) {
    #expect(throws: error) { try Request<Void>.empty(.delete, address).description }
  }

  @Test func `a GET has query items in order, and those without a value are left out`() throws {
    let state: String? = nil
    let request: Request<JSON> = .json(.get(["tag": "a", "tag": "b", "state": state]), "/jobs", label: "list")
    let description = try request.description
    #expect(description.head.method == .get)
    #expect(description.head.query == [QueryItem(name: "tag", value: "a"), QueryItem(name: "tag", value: "b")])
    #expect(description.head.label == "list")
    #expect(description == .inMemory(InMemoryRequestDescription(description.head)))
  }

  static let payloads: [(RequestMethod, String?, String)] = [
    (.post(["id": 1, "tags": ["a", nil]]), "application/json", #"{"id":1,"tags":["a",null]}"#),
    (.put([1, "two"]), "application/json", #"[1,"two"]"#),
    (.patch(.json("text")), "application/json", #""text""#),
    (.post(.form(["a b": "c&d", "e": "ü"])), "application/x-www-form-urlencoded", "a+b=c%26d&e=%C3%BC"),
    (.put(.bytes(Array("x".utf8), contentType: "text/plain")), "text/plain", "x"),
    (.post(.bytes([])), nil, ""),
  ]

  @Test(arguments: payloads)
  func `a payload is the body, with its type`(method: RequestMethod, type: String?, body: String) throws {
    let description = try Request<Void>.empty(method, "/jobs").description
    guard case .inMemory(let request) = description else {
      Issue.record("\(description)")
      return
    }
    #expect(description.contentType(boundary: "") == type)
    #expect(String(decoding: request.body?.bytes ?? [], as: UTF8.self) == body)
  }

  @Test func `files stay files`() throws {
    let file = try FileSlice(path: #filePath)
    let stream = try Request<Void>.empty(.put(.file(file, contentType: "text/x-swift")), "/f").description
    #expect(stream == .stream(StreamRequestDescription(stream.head, file: file, contentType: "text/x-swift")))
    let parts: [MultipartPart] = [.text("key", "k"), .file("file", file)]
    let form = try Request<Void>.empty(.post(.multipart(parts)), "/f").description
    #expect(form == .multipart(MultipartRequestDescription(form.head, parts: parts)))
  }

  private func exchange(_ body: String) throws -> Exchange {
    Exchange(
      description: try Request<Void>.empty(.get, "/").description,
      request: SentRequest(method: .get, url: "http://h/", origin: Origin(scheme: .http, host: "h")),
      response: Response(status: .ok, body: ResponseBody(Array(body.utf8))))
  }

  @Test func `a response is parsed, and the result can be mapped`() throws {
    struct Job: Decodable { let id: Int }
    struct Odd: Error {}
    let job: Request<Job> = .json(.get, "/job")
    let id = job.map(\.id).map { id in
      guard id.isMultiple(of: 2) else { throw Odd() }
      return "job \(id)"
    }
    #expect(try id.output(of: exchange(#"{"id": 2}"#)) == "job 2")
    #expect(throws: Odd.self) { try id.output(of: exchange(#"{"id": 3}"#)) }
    #expect(throws: DecodingError.self) { try job.output(of: exchange("{}")) }
    #expect(throws: JSONSyntaxError.self) { try job.output(of: exchange("{")) }
    #expect(throws: MissingResponse(label: nil)) { try job.output(of: nil) }
    #expect(throws: Response.NotUTF8.self) {
      try Request<String>.text(.get, "/").parse(Response(status: .ok, body: ResponseBody([0xFF])))
    }
  }

  @Test func `a mapped request is sent as it was`() throws {
    var request: Request<String> = .text(.post(["a": 1]), "/x", label: "x", headers: [.accept: "text/plain"])
    request.timeout = .seconds(1)
    request.effect = .idempotent
    request.operationID = "op"
    request.affectedModelID = "m"
    let head = try request.description.head
    #expect(try request.map(\.count).description == request.description)
    #expect(head.timeout == .seconds(1) && head.effect == .idempotent)
    #expect(head.operationID == "op" && head.affectedModelID == "m")
  }
}
