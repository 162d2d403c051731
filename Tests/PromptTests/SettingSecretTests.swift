import Canaries
import Foundation
import RunStore
import Sessions
import Testing

/// The callers that record what a run was given.
enum SettingCaller: CaseIterable {
  case run, debug, queue
}

@Suite struct SettingSecretTests {
  private static let laterSecret = """
    profile api { base https://api.example.com }
    let key = "none"
    let page = "1"
    let header = "key {$key}"
    GET https://other.example.com/first
    run later(token: $header)
    sequence later(token) {
      secret inner = $token for api
      GET api:/second header X-Key: $inner
    }
    """

  /// Secrets by being given to a step.
  private static let laterCredentials = [
    "auth bearer $key", "auth basic \"ann\", \"x{$key}\"", "auth basic $key, \"\"",
    "auth sigv4 { key: \"AKIA0\", secret: $header, region: $page, service: \"s\" }",
  ].map { clause in
    """
    let key = "none"
    let page = "1"
    let header = "key {$key}"
    GET https://other.example.com/first
    sequence later(page) { GET https://api.example.com/second \(clause) }
    run later($page)
    """
  }

  @Test(arguments: SettingCaller.allCases, [laterSecret] + laterCredentials)
  func `a setting that a later secret is made from is not recorded before it`(
    caller: SettingCaller, script: String
  ) async throws {
    let secret = Canary.secret("setting-of-a-later-secret")
    let world = CallerWorld()
    let (code, files) = try await world.stored(script, settings: ["key": secret, "page": "2"], by: caller)
    #expect(!files.isEmpty)
    #expect(files.allSatisfy { Canary.place(of: secret, in: $0) == nil })
    switch caller {
    case .run, .debug:
      let settings = try world.recordedSettings()
      #expect(settings["page"] == "2")
      #expect(settings["key"]?.utf8.first == 1)
    case .queue: #expect(code == .usage)
    }
  }
}
