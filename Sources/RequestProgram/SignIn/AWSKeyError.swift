/// Why there are no keys where `auth sigv4` says they are.
public enum AWSKeyError: Error, Hashable, Sendable {
  /// `from` is none of the places.
  case place(String)
  /// More than one place is written.
  case twoPlaces
  case noVariable(String)
  case noProfile(String, known: [String])
  /// The profile has no keys, and nothing that would bring some.
  case noKeys(profile: String)
  /// The roles of these profiles need each other.
  case circle(String)
  /// A program would have to be run for them, and only the user's own profiles may do that.
  case program(profile: String)
  /// They come when a request is sent, which only a profile can wait for.
  case outsideProfile

  /// What is wrong and what to write instead, for people.
  var words: (message: String, label: String?) {
    switch self {
    case .place(let text): ("keys cannot be had from \"\(text)\"", "from: \"env\" or from: \"imds\"")
    case .twoPlaces: ("the keys are said to be in two places", "key and secret, or from, or aws-profile")
    case .noVariable(let name): ("there is no \(name) in the environment", "export it, or write aws-profile: \"…\"")
    case .noProfile(let name, let known):
      (
        "the files of AWS have no profile \"\(name)\"",
        known.isEmpty ? "~/.aws/config and ~/.aws/credentials have none" : "they have \(known.joined(separator: ", "))"
      )
    case .noKeys(let profile):
      ("the AWS profile \"\(profile)\" has no keys", "aws_access_key_id and aws_secret_access_key, or role_arn")
    case .circle(let profile): ("the role of the AWS profile \"\(profile)\" needs itself", nil)
    case .program(let profile):
      (
        "the AWS profile \"\(profile)\" gets its keys from a program, which a script may not run",
        "declare this profile in ~/.config/workbench/profiles.wb"
      )
    case .outsideProfile: ("keys that have to be asked for are a setting of a profile", nil)
    }
  }
}
