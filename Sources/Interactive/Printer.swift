internal import Presentation

/// The one way to the screen: everything that is printed passes here, loses its secrets, and keeps
/// no escape sequence but ours.
struct Printer: Sendable {
  let output: World.Output
  let errorOutput: World.Output
  let secrets: KnownSecrets
  private let page: (@Sendable (String) -> Void)?

  init(_ world: World, secrets: KnownSecrets) {
    output = world.output
    errorOutput = world.errorOutput
    page = world.page
    self.secrets = secrets
  }

  func result(_ text: StyledText) {
    write(text, to: output)
  }

  /// A result that may be long: a screen at a time, where somebody looks.
  func long(_ text: StyledText) {
    guard let page else { return result(text) }
    if !text.isEmpty { page(rendered(text, for: output)) }
  }

  func error(_ text: StyledText) {
    write(text, to: errorOutput)
  }

  /// Text that a renderer of ours has made safe for a terminal.
  func errorText(_ text: String) {
    errorOutput.write(secrets.redact(text))
  }

  private func write(_ text: StyledText, to output: World.Output) {
    guard !text.isEmpty else { return }
    output.write(rendered(text, for: output))
  }

  private func rendered(_ text: StyledText, for output: World.Output) -> String {
    text.mapText(secrets.redact).rendered(isColored: output.isColored)
  }
}
