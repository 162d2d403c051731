/// Secrets of tests, with texts by which `Scripts/canary-search` recognizes them wherever they turn up.
///
/// Each name is used once, so that a find tells whose secret it was.
public enum Canary {
  /// A secret that may not be shown anywhere and is sent to its own origins only.
  public static func secret(_ name: String) -> String { "c4n+ry/7~f3-\(name)" }

  /// The value of a session cookie, which a store keeps as long as its run is not done. Nothing else may have it.
  public static func cookie(_ name: String) -> String { "k5p+ok/2~e8-\(name)" }

  /// A secret that is on a screen before anybody can know that it is one: typed there, or part of a response that comes
  /// before it is declared. Nothing else may show it.
  public static func onScreen(_ name: String) -> String { "t7p+ed/9~k4-\(name)" }

  /// A text in a script or a response that no script has called a secret when it comes: it is on the screen and in the
  /// record of that run. Nothing else may have it, and nothing that is made from it may be anywhere.
  public static func early(_ name: String) -> String { "e6r+ly/4~m9-\(name)" }
}
