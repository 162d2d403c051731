internal import Presentation
internal import RequestSyntax
internal import Requests

/// What an option of a line for another tool does that here only a profile says: the line is performed where the profile
/// of its URL says so, and refused where it does not.
struct ProfileDemand {
  enum Setting: Hashable {
    /// `curl -k`, `http --verify=no`
    case anyCertificate
    /// `curl -b jar -c jar`, `http --session=ann`
    case cookies
    /// `curl --resolve`, `http --cert`
    case connection(ConnectionDemand)
  }

  var setting: Setting
  /// As it was typed, `-k`.
  var option: String
  /// The URL or path of the request.
  var target: String

  func isMet(by network: NetworkSettings) -> Bool {
    switch setting {
    case .anyCertificate: network.tls.isInsecure
    case .cookies: network.keepsCookies
    case .connection(let demand): demand.isMet(by: network)
    }
  }

  /// Why the line is not performed, and what to type.
  ///
  /// - Parameters:
  ///   - profile: the one that the URL is of; nil: there is none.
  ///   - isProfileInUse: whether paths go to a profile, which they still do after what is to be typed.
  ///   - isAlone: whether there is no prompt to declare a profile at.
  func refusal(profile: String?, isProfileInUse: Bool, isAlone: Bool) -> ErrorReport {
    func declaration(_ settings: String) -> String {
      var place = ""
      if profile == nil, target.contains("://") {
        place = "\(isProfileInUse && !isAlone ? "origin" : "base") \(URLReference.base(of: target)) "
      }
      let text = "profile \(profile ?? "name") { \(place)\(settings) }"
      return isAlone ? "write \(text) into a file, then name it: --use FILE" : "type \(text), then the line again"
    }
    switch setting {
    case .anyCertificate:
      let base = URLReference.base(of: target.contains("://") ? target : "https://…")
      return ErrorReport(
        "\(option) is refused: only a profile says which certificates are accepted",
        notes: [
          "to trust one more authority: profile name { base \(base) tls { ca: \"file.pem\" } }",
          "to accept any certificate, as -k does: profile name { base \(base) tls { insecure: true } }",
        ])
    case .cookies:
      return ErrorReport("\(option) is refused: only a profile keeps cookies", notes: [declaration("cookies on")])
    case .connection(let demand):
      return ErrorReport(
        "\(option) \(demand.options.count == 1 ? "is" : "are") refused: a profile says how connections are made",
        notes: [declaration(demand.settings)])
    }
  }

  /// Why it is refused where nothing is sent after it; nil: it is not.
  var refusalAlone: ErrorReport? {
    switch setting {
    case .anyCertificate, .connection: nil
    case .cookies:
      ErrorReport(
        "\(option) is refused: no cookies are kept after one request",
        notes: ["at the prompt and in a script a profile keeps them: profile name { base https://… cookies on }"])
    }
  }

  /// What is different where the profile says so.
  var remark: String? {
    switch setting {
    case .anyCertificate, .connection: nil
    case .cookies: "\(option): the profile keeps the cookies, and no file of them is read or written"
    }
  }
}
