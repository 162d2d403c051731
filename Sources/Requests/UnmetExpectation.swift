import HTTPTypes

/// Something that was expected of an exchange and was not met.
public struct UnmetExpectation: Hashable, Sendable {
  /// What was checked: `status`, `body.state`.
  public let subject: String
  /// What it should have been: `201`, `"ready"`.
  public let expected: String
  /// What it was.
  public let actual: String
  /// Where it was written, if known.
  public let place: TextPlace?

  public init(subject: String, expected: String, actual: String, place: TextPlace? = nil) {
    self.subject = subject
    self.expected = expected
    self.actual = actual
    self.place = place
  }

  /// What a condition should have done that could not be looked into: `actual` says why.
  package static let holding = "to hold"

  /// `expected status 201, got 404`; `body.x == 1 does not hold: body has no "x"`.
  package var sentence: String {
    if expected == Self.holding { return "\(subject) does not hold: \(actual)" }
    // What it was looked into for, and did not have, is no value that came.
    if expected.hasPrefix("within "), actual.contains(" has no ") {
      return "\(subject) did not hold \(expected): \(actual)"
    }
    return "expected \(subject) \(expected), got \(actual)"
  }

  /// What a step that states nothing about its status expects: 2xx, or a 3xx that was not meant to be followed. A
  /// redirect that was refused is not a success: what was asked for did not happen.
  ///
  /// - Parameter takesRefusedRedirects: whether such a redirect is a response like any other, as for programs of the
  ///   first version of the language.
  public static func success(of exchange: Exchange, takesRefusedRedirects: Bool = false) -> [UnmetExpectation] {
    let status = exchange.response.status
    if exchange.refusedRedirect != nil, !takesRefusedRedirects {
      return [
        UnmetExpectation(subject: "status", expected: "2xx", actual: "\(status.code), a redirect that was not followed")
      ]
    }
    switch status.kind {
    case .successful, .redirection: return []
    case .invalid, .informational, .clientError, .serverError:
      return [UnmetExpectation(subject: "status", expected: "2xx or 3xx", actual: "\(status.code)")]
    }
  }
}

/// A place in a text, for code that has the text.
public struct TextPlace: Hashable, Sendable {
  /// The name of the text: a file's path.
  public let source: String
  /// UTF-8 offsets.
  public let range: Range<Int>

  public init(source: String, range: Range<Int>) {
    self.source = source
    self.range = range
  }
}
