internal import Requests

extension RedirectRefusal {
  /// Why it was not followed.
  var reason: String {
    switch self {
    case .limit(0): "none was to be followed when it was recorded"
    case .limit(let limit): "\(limit) \(limit == 1 ? "was" : "were") followed, which is the limit"
    case .insecure(let origin): "it leads from https to \(origin)"
    case .bodyElsewhere(let origin): "the body is not for \(origin)"
    case .unusable(""): "its Location is empty"
    case .unusable(let location): "\"\(location)\" is not a URL that can be sent to"
    }
  }

  /// What to do about it, besides taking the redirect itself as the response.
  var advice: String? {
    switch self {
    case .limit(let limit): "to follow more: redirects \(limit + 5), in the step or the profile"
    case .insecure(let origin), .bodyElsewhere(let origin): "to send it there anyway, write \(origin) in the step"
    case .unusable: nil
    }
  }
}
