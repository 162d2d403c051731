/// The version of the language: what a script means in one version it means in every later one.
///
/// Files carry no version. What is recorded does, so that nobody runs it as something else.
public enum LanguageVersion {
  /// Of what was recorded before anybody wrote down the version.
  public static let first = 1
  /// That of this program.
  public static let current = 1
}
