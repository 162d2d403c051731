internal import CBuildInfo
internal import LibcurlTransport
internal import LineEditing
internal import Requests
internal import RunStore
internal import Sessions

/// What `--version` prints: the first line is for programs.
enum VersionText {
  static var current: String {
    let library = CurlLibrary.current.map { "\($0.version) (\($0.parts.joined(separator: " ")))" }
    let commit = String(cString: build_info_commit())
    return """
      workbench \(ProgramVersion.current)
      commit   \(commit.isEmpty ? "not known: not built with Scripts/build" : commit)
      libcurl  \(library ?? "not here")
      SQLite   \(StoreHealth.libraryVersion)
      libedit  \(EditLineLibrary.version)
      Swift    \(compiler)
      store    format \(StoreHealth.format)
      """
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }
}
