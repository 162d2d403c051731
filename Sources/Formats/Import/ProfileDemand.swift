internal import Presentation
internal import RequestSyntax
internal import Requests

/// What an option of a line for another tool does that here only a profile says: the line is performed where the profile
/// of its URL says so, and refused where it does not.
struct ProfileDemand {
  enum Setting {
    /// `curl -k`, `http --verify=no`
    case anyCertificate
    /// `curl -b jar -c jar`, `http --session=ann`
    case cookies
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
    }
  }

  /// Why the line is not performed, and what to type.
  ///
  /// - Parameters:
  ///   - profile: the one that the URL is of; nil: there is none.
  ///   - isProfileInUse: whether paths go to a profile, which they still do after what is to be typed.
  func refusal(profile: String?, isProfileInUse: Bool) -> ErrorReport {
    let url = target.contains("://") ? target : nil
    switch setting {
    case .anyCertificate:
      let base = URLReference.base(of: url ?? "https://…")
      return ErrorReport(
        "\(option) is refused: only a profile says which certificates are accepted",
        notes: [
          "to trust one more authority: profile name { base \(base) tls { ca: \"file.pem\" } }",
          "to accept any certificate, as -k does: profile name { base \(base) tls { insecure: true } }",
        ])
    case .cookies:
      let message = "\(option) is refused: only a profile keeps cookies"
      guard let url, profile == nil else {
        return ErrorReport(message, notes: ["type profile \(profile ?? "name") { cookies on }, then the line again"])
      }
      return ErrorReport(
        message,
        notes: [
          "type profile name { \(isProfileInUse ? "origin" : "base") \(URLReference.base(of: url)) cookies on }, then the line again"
        ])
    }
  }

  /// Why it is refused where nothing is sent after it; nil: it is not.
  var refusalAlone: ErrorReport? {
    switch setting {
    case .anyCertificate: nil
    case .cookies:
      ErrorReport(
        "\(option) is refused: no cookies are kept after one request",
        notes: ["at the prompt and in a script a profile keeps them: profile name { base https://… cookies on }"])
    }
  }

  /// What is different where the profile says so.
  var remark: String? {
    switch setting {
    case .anyCertificate: nil
    case .cookies: "\(option): the profile keeps the cookies, and no file of them is read or written"
    }
  }
}
