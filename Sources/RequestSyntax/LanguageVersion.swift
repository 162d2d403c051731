/// The version of the language: what a script means in one version, it means in every later one.
///
/// Files carry no version. Recordings do, so that nobody runs them as something else.
public enum LanguageVersion {
  /// The version of whatever was recorded before versions were written down.
  public static let first = 1
  /// The version since which a redirect that was refused fails its step, the text of a file that is not UTF-8 is an
  /// error, a body has the charset of its content type, what is missing has no shape instead of being an error, and
  /// `repeat … until` waits out other statuses if it asks for one.
  public static let second = 2
  /// The version of this program.
  public static let current = second
}
