internal import HTTPTypes
public import Requests
internal import UploaderCore

extension RecordedStep {
  /// The values of the cookies that these steps were given: code that shows the steps hides them.
  public static func cookieSecrets(in steps: some Sequence<RecordedStep>) -> Set<Secret> {
    steps.reduce(into: []) { secrets, step in
      guard let answer = step.answer else { return }
      for headers in [answer.headers] + answer.redirects.map(\.headers) {
        secrets.formUnion(CookieSecrets.found(in: headers.filter { $0.isNamed("set-cookie") }.map(\.value)))
      }
    }
  }
}

extension RecordedRequest.Field {
  /// - Parameter name: in lowercase.
  package func isNamed(_ name: String) -> Bool { self.name.lowercased() == name }
}
