internal import HTTPTypes
public import Requests
internal import UploaderCore

extension RecordedStep {
  /// The values of the cookies that these steps were given: code that shows the steps hides them.
  public static func cookieSecrets(in steps: some Sequence<RecordedStep>) -> Set<Secret> {
    steps.reduce(into: []) { secrets, step in
      guard let response = step.response else { return }
      for headers in [response.headers] + response.redirects.map(\.headers) {
        secrets.formUnion(CookieSecrets.found(in: headers.filter { $0.isNamed("set-cookie") }.map(\.value)))
      }
    }
  }
}

extension RecordedRequest.Field {
  /// - Parameter name: in lowercase.
  package func isNamed(_ name: String) -> Bool { self.name.lowercased() == name }
}
