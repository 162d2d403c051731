internal import ArgumentParser
internal import LibcurlTransport
internal import LineEditing
internal import POSIX
internal import PostgresQueue
internal import RequestProgram
internal import Sessions
internal import Subcommands

/// `workbench doctor`: what the program depends on here.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Workbench.name,
    abstract: "Check what workbench depends on here, and say what is missing and what to do.",
    discussion: """
      Looks at the terminal, the locale, libedit, libcurl, libxml2, libpq, the certificates, the store of recorded runs and your \
      profiles. Nothing is sent or changed. Exit codes: 0 everything works, 1 something does not.
      """)

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func run() throws {
    let doctor = DoctorRun(
      world: .real(color: colors.color), surroundings: .current(library: .current), directory: options.store)
    try doctor.run().check()
  }
}

extension Surroundings {
  fileprivate static func current(library: CurlLibrary?) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.isInputTerminal = isatty(STDIN_FILENO) == 1
    surroundings.isOutputTerminal = isatty(STDOUT_FILENO) == 1
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 {
      surroundings.columns = Int(size.ws_col)
      surroundings.rows = Int(size.ws_row)
    }
    surroundings.hasUTF8Locale = EditLineLibrary.hasUTF8Locale
    surroundings.hasLineEditing = EditLineLibrary.isAvailable
    surroundings.curlVersion = library.map { ([$0.version] + $0.parts).joined(separator: " ") }
    surroundings.curlFeatures = CurlLibrary.Feature.allCases.map { feature in
      Feature(
        name: feature.rawValue, isThere: library?.features.contains(feature) ?? false, loss: feature.loss,
        isEssential: feature == .tls)
    }
    surroundings.hasXML = XMLReading.isAvailable
    surroundings.hasPostgres = ServerQueue.isPossible
    surroundings.authorityFile = library?.authorityFile
    surroundings.authorityDirectory = library?.authorityDirectory
    return surroundings
  }
}

extension CurlLibrary.Feature {
  /// What does not work without it.
  fileprivate var loss: String {
    switch self {
    case .tls: "nothing can be sent to https:// addresses"
    case .http2: "all requests are HTTP/1.1"
    case .gzip: "servers are not asked for gzip, and responses in it cannot be read"
    case .brotli: "servers are not asked for brotli"
    case .zstd: "servers are not asked for zstd"
    case .internationalNames: "host names must be written in ASCII (xn--…)"
    case .publicSuffixes: "a server may set cookies for a whole domain such as co.uk"
    case .asynchronousNames: "looking up a host name cannot be interrupted"
    }
  }
}
