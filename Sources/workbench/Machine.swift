internal import LibcurlTransport
internal import LineEditing
internal import POSIX
internal import Prompt
internal import RequestProgram
internal import Requests
internal import Sessions
internal import SignIn

extension World {
  /// The real world around this process.
  static func real(color: ColorChoice, interrupts: Interrupts = Interrupts()) -> World {
    let environment = currentEnvironment()
    var world = World(
      output: .descriptor(STDOUT_FILENO, color: color, environment: environment),
      errorOutput: .descriptor(STDERR_FILENO, color: color, environment: environment).hidingCommandLine,
      environment: environment, workingDirectory: currentDirectory(), readFile: readScript,
      writeFile: OutputFile.write, replaceFile: replaceFile, listDirectory: listDirectory, transport: CurlTransport(),
      interrupts: interrupts)
    world.draftFile = { path throws(FileError) in try OutputDraft(path) }
    world.draftPrivateFile = { path throws(FileError) in try OutputDraft(path, isPrivate: true) }
    world.openRows = openRows
    world.checkFile = OutputFile.check
    world.makeDirectories = { path, root throws(FileError) in try MissingDirectories.make(for: path, below: root) }
    world.bodyPipe = StandardOutput.pipe
    world.makePrivate = makePrivate
    world.readDocument = readDocument
    world.readPipedInput = readPipedInput
    world.hasUnreadInput = hasUnreadInput
    world.ask = { question in try? SecretSource.prompt(question).text() }
    world.runCommand = { command throws(CommandError) in
      do throws(SecretSourceError) {
        return try SecretSource.command(command).text()
      } catch {
        throw CommandError("\(error)")
      }
    }
    // Nobody can sign in where nobody sees what is said, or can reply.
    if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 { world.interaction = SignInInteraction.real(world) }
    let run: @Sendable (String) throws -> String = { line in try SecretSource.command(line).text() }
    world.signIn = SignInService(directory: world.tokenDirectory, interaction: world.interaction, run: run)
    return world
  }

  private static func currentEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }

  /// The longest script, in bytes.
  private static let scriptLimit = 64 << 20
  /// The longest document that is read whole, in bytes: `select` reads longer ones in place.
  private static let documentLimit = 256 << 20

  /// A script, or anything else people write by hand: a regular file, or standard input.
  private static func readScript(_ path: String) throws(FileError) -> [UInt8] {
    try read(path, limit: scriptLimit) { $0 == S_IFREG }
  }

  /// A document, which may also come through a pipe.
  private static func readDocument(_ path: String) throws(FileError) -> [UInt8] {
    try read(path, limit: documentLimit) { $0 == S_IFREG || $0 == S_IFIFO || $0 == S_IFSOCK }
  }

  /// A regular file, or a pipe, a piece at a time.
  private static func openRows(_ path: String) throws(FileError) -> RowInput {
    let file = try OpenDocument(path)
    return RowInput(size: file.size, isFile: file.size != nil && path != "-") { () throws(FileError) in try file.read()
    }
  }

  /// Standard input, if a shell connected it with a pipe or a file; a terminal or `/dev/null` is not read.
  private static func readPipedInput(_ remark: () -> Void) throws(FileError) -> [UInt8]? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT) else { return nil }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    if poll(&input, 1, 2_000) == 0 { remark() }
    return try read("-", limit: documentLimit) { _ in true }
  }

  private static func hasUnreadInput() -> Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return lseek(STDIN_FILENO, 0, SEEK_CUR) < status.st_size
    case S_IFIFO:
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      return poll(&input, 1, 0) > 0 && input.revents & Int16(POLLIN) != 0
    default: return false
    }
  }

  private static func read(
    _ path: String, limit: Int, where isAllowed: (mode_t) -> Bool
  ) throws(FileError) -> [UInt8] {
    // Do not wait here for a pipe that nobody writes to.
    var status = stat()
    if path != "-", stat(path, &status) == 0, !isAllowed(status.st_mode & S_IFMT) {
      throw status.st_mode & S_IFMT == S_IFDIR
        ? .unreadable(path: path, reason: SystemError(number: EISDIR)) : .notAFile(path: path)
    }
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: .current) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      guard status.st_size <= limit else { throw .tooLong(path: path, limit: limit) }
      bytes.reserveCapacity(Int(status.st_size))
    }
    try FileBytes.forEachChunk(of: descriptor, failure: { .unreadable(path: path, reason: $0) }) {
      chunk throws(FileError) in
      guard bytes.count + chunk.count <= limit else { throw .tooLong(path: path, limit: limit) }
      bytes += chunk
    }
    return bytes
  }

  private static func makePrivate(_ path: String) throws(FileError) {
    guard path != "-" else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
      throw .unwritable(path: path, reason: .current)
    }
  }

  /// The bytes are written beside the file, with its mode, and then renamed; a link stays a link.
  private static func replaceFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    guard let resolved = realpath(path, nil) else { throw .unwritable(path: path, reason: .current) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    var status = stat()
    guard stat(target, &status) == 0 else { throw .unwritable(path: path, reason: .current) }
    let temporary = "\(target).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o777)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
    fchmod(descriptor, status.st_mode & 0o777)
    var reason: SystemError?
    do throws(SystemError) {
      try FileBytes.write(bytes, to: descriptor)
      if fsync(descriptor) != 0 { throw .current }
    } catch {
      reason = error
    }
    if close(descriptor) == 0, reason == nil, rename(temporary, target) == 0 { return }
    let last = SystemError.current
    unlink(temporary)
    throw .unwritable(path: path, reason: reason ?? last)
  }

  private static func listDirectory(_ path: String) -> [String] {
    guard let directory = opendir(path.isEmpty ? "." : path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      // A link to a directory counts as a directory when typing its path.
      var status = stat()
      let isDirectory =
        stat(path.isEmpty ? name : "\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      names.append(isDirectory ? "\(name)/" : name)
    }
    return names.sorted()
  }

  private static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}

extension World.Output {
  /// The same without the secrets of the command line.
  fileprivate var hidingCommandLine: World.Output {
    var output = self
    output.write = { [write] text in write(CommandLineSecrets.hidden(in: text)) }
    return output
  }

  /// A stream of this process. If it cannot be written because nobody reads it anymore, the process ends quietly.
  fileprivate static func descriptor(
    _ descriptor: Int32, color: ColorChoice, environment: [String: String]
  ) -> World.Output {
    let isTerminal = isatty(descriptor) == 1
    var output = World.Output(
      isColored: color.isColored(onTerminal: isTerminal, environment: environment), isTerminal: isTerminal
    ) { text in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { POSIX.write(descriptor, $0.baseAddress, $0.count) }
        if written > 0 {
          rest = rest.dropFirst(written)
        } else if errno != EINTR, errno != EAGAIN {
          exit(Sessions.ExitCode.failed.rawValue)
        }
      }
    }
    if isTerminal { output.columns = { Terminal(descriptor: descriptor)?.size.columns } }
    return output
  }
}
