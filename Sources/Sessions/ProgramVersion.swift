/// What this program calls itself in what it writes.
package enum ProgramVersion {
  package static let current = "0.1.0"
}
