/// The version of the program: a script checks that it is also the newest one in CHANGELOG.md.
package enum ProgramVersion {
  package static let current = "0.2.0"
}
