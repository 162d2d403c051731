// A release begins with what is in it, which nothing here calls.
internal import CPackedRelocations

/// Where the process begins.
@main
enum Program {
  static func main() {
    MainThread.run { await Workbench.perform() }
  }
}
