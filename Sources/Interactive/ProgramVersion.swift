/// What this program calls itself in what it writes.
public enum ProgramVersion {
  public static let current = "0.1.0"
}
