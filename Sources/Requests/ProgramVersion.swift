/// The version of the program, wherever it is said: `--version`, reports, `User-Agent`. A script checks that it is also
/// the newest one in CHANGELOG.md.
package enum ProgramVersion {
  package static let current = "0.2.0"
}
