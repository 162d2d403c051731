import Foundation
import Testing

@testable import Sandbox

@Suite("The route table")
struct SandboxRouteTests {
  static let routes = [
    Route("GET", "/a", 1), Route("POST", "/a/{x}/b", 2), Route("GET", "/a/{x}/b", 3), Route("GET", "/o/{key...}", 4),
  ]

  @Test(
    "A request finds its route and its decoded parameters",
    arguments: [
      ("GET", "/a", 1, [:]), ("HEAD", "/a?b=/c", 1, [:]), ("GET", "http://127.0.0.1:1/a", 1, [:]),
      ("POST", "/a/A%20101%2Fb/b", 2, ["x": "A 101/b"]), ("GET", "/a/b/b", 3, ["x": "b"]),
      ("GET", "/o/x/y//z%2f", 4, ["key": "x/y//z/"]),
    ] as [(String, String, Int, [String: String])])
  func found(method: String, target: String, action: Int, parameters: [String: String]) {
    let match: RouteMatch<Int> = Self.routes.match(method: method, target: target)
    guard case .found(let foundAction, let foundParameters) = match else {
      Issue.record("\(match)")
      return
    }
    #expect(foundAction == action)
    #expect(foundParameters == parameters)
  }

  @Test(
    "A path that matches no pattern is not found",
    arguments: ["/", "", "*", "/b", "/a/", "/a//b", "/a/x/b/", "/a/x", "/o", "/o/", "a", "/A"])
  func notFound(target: String) {
    let match: RouteMatch<Int> = Self.routes.match(method: "GET", target: target)
    guard case .notFound = match else {
      Issue.record("\(match)")
      return
    }
  }

  @Test("Another method gets the list of existing ones")
  func methods() {
    let match: RouteMatch<Int> = Self.routes.match(method: "PUT", target: "/a/x/b")
    guard case .methodNotAllowed(let allowed) = match else {
      Issue.record("\(match)")
      return
    }
    #expect(allowed == ["POST", "GET", "HEAD"])
  }

  @Test(
    "Percent-encoding survives a round trip",
    arguments: [
      ("a b", "a%20b"), (".", "%2E"), ("..", "%2E."), ("a.png", "a.png"), ("ä/", "%C3%A4%2F"), ("%", "%25"), ("", ""),
      ("\u{0}\r\n", "%00%0D%0A"),
    ])
  func percentEncoding(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded[...]) == text)
  }

  @Test("Invalid percent-encoding is refused", arguments: ["%", "%1", "%g0", "%0g", "a%ff", "%+1", "%c3"])
  func malformedEncoding(text: String) {
    #expect(PercentEncoding.decode(text[...]) == nil)
  }

  @Test("Dates are written as S3 and HTTP do")
  func dates() throws {
    let date = try #require(DateText.parseExtended("2024-02-29T23:59:58.250Z"))
    #expect(DateText.basic(date) == "20240229T235958Z")
    #expect(DateText.extended(date) == "2024-02-29T23:59:58.250Z")
    #expect(DateText.http(date) == "Thu, 29 Feb 2024 23:59:58 GMT")
    #expect(DateText.http(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(DateText.parseBasic("20240229T235958Z") == DateText.parseExtended("2024-02-29T23:59:58Z"))
  }

  @Test(
    "Any other date is refused", arguments: ["20240229", "20240230T000000Z", "2024-02-29T23:59:58Z", "x", ""])
  func badDates(text: String) {
    #expect(DateText.parseBasic(text) == nil)
  }
}
