/// The version of the language: what a script means in one version, it means in every later one.
///
/// Files carry no version. Recordings do, so that nobody runs them as something else.
public enum LanguageVersion {
  /// The version of whatever was recorded before versions were written down.
  public static let first = 1
  /// The version since which a redirect that was refused fails its step, and the text of a file that is not UTF-8 is an
  /// error.
  public static let second = 2
  /// The version of this program.
  public static let current = second
}
