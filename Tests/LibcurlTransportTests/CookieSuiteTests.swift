import ConformanceSuites
import Foundation
import Requests
import Testing

@testable import LibcurlTransport
@testable import UploaderCore

/// The cases of the HTTP state working group (github.com/abarth/http-state).
@Suite(.enabled(if: CookieSuite.suite.isHere, "\(ConformanceSuite.absence)"))
struct CookieSuiteTests {
  /// The suite's dates are before 2020.
  private static let now = Duration.seconds(1_500_000_000)

  @Test(arguments: CookieSuite.cases)
  func `a case of the suite`(testCase: CookieSuite.Case) throws {
    var jar = CookieJar()
    let home = CookiePlace(origin: CookieSuite.home, path: "/cookie-parser")
    for header in testCase.received {
      jar.receive(header, from: home, now: Self.now, isPublicSuffix: PublicSuffixes.contains)
    }
    let sent = jar.cookies(for: try testCase.destination(), now: Self.now).map { "\($0.name)=\($0.value)" }
    #expect(sent == testCase.sent.map { "\($0.name)=\($0.value)" })
  }

  @Test func `there are 218 cases`() {
    #expect(CookieSuite.cases.count == 218)
  }
}

enum CookieSuite {
  /// The address of the suite's own server.
  static let home = Origin(scheme: .http, host: "home.example.org", port: 8888)

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Pair: Decodable, Sendable {
      let name: String
      let value: String
    }

    enum CodingKeys: String, CodingKey {
      case test, received, sent
      case sentTo = "sent-to"
    }

    let test: String
    let received: [String]
    let sent: [Pair]
    let sentTo: String?

    var testDescription: String { test }

    func destination() throws -> CookiePlace {
      guard let sentTo, let url = URLComponents(string: sentTo) else {
        return CookiePlace(origin: home, path: "/cookie-parser-result")
      }
      let origin = url.host.map { Origin(scheme: .http, host: $0, port: url.port) }
      return CookiePlace(origin: origin ?? home, path: url.percentEncodedPath)
    }
  }

  static let suite = ConformanceSuite(
    "cookies", file: "parser.json", purpose: "no cookie is checked against the HTTP state suite")

  /// All cases that the suite itself has not disabled.
  static let cases: [Case] = {
    guard let bytes = suite.bytes("parser.json"), let all = try? JSONDecoder().decode([Case].self, from: Data(bytes))
    else {
      return []
    }
    return all.filter { !$0.test.hasPrefix("DISABLED") }
  }()
}
