/// Where the process begins.
@main
enum Program {
  static func main() {
    MainThread.run { await Workbench.perform() }
  }
}
