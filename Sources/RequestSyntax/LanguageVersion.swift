/// The version of the language: what a script means in one version, it means in every later one.
///
/// Files carry no version. Recordings do, so that nobody runs them as something else.
public enum LanguageVersion {
  /// The version of whatever was recorded before versions were written down.
  public static let first = 1
  /// The version of this program.
  public static let current = 1
}
