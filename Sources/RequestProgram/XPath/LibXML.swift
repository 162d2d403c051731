internal import POSIX

/// libxml2, opened when the first document is looked into: whoever uses no XPath needs none, and starts no slower.
///
/// A class because it is the loaded library; there is one, and it is never closed.
final class LibXML: Sendable {
  /// nil if it is not installed.
  static let shared = LibXML()

  typealias Pointer = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>

  let readMemory: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?
  let readHTML: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer?
  let freeDocument: @convention(c) (Pointer?) -> Void
  let internalSubset: @convention(c) (Pointer?) -> Pointer?
  let newContext: @convention(c) (Pointer?) -> Pointer?
  let freeContext: @convention(c) (Pointer?) -> Void
  let register: @convention(c) (Pointer?, Text?, Text?) -> Int32
  let compile: @convention(c) (Pointer?, Text?) -> Pointer?
  let freeCompiled: @convention(c) (Pointer?) -> Void
  let evaluate: @convention(c) (Pointer?, Pointer?) -> Pointer?
  let freeObject: @convention(c) (Pointer?) -> Void
  let nodeText: @convention(c) (Pointer?) -> Pointer?
  let lastError: @convention(c) () -> UnsafeRawPointer?
  /// Whether a context has `opLimit`, which 2.9.9 brought.
  let hasOperationLimit: Bool

  /// The sonames, the newest last: 2.14 changed it.
  private static let names = ["libxml2.so.2", "libxml2.so.16", "libxml2.2.dylib"]

  private init?() {
    var library: UnsafeMutableRawPointer?
    for name in Self.names where library == nil { library = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
    guard let library else { return nil }
    // SAFETY: the types above are those of libxml2's headers, the same in all versions with these sonames.
    func symbol<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let readMemory: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer? = symbol("xmlReadMemory"),
      let readHTML: @convention(c) (Text?, Int32, Text?, Text?, Int32) -> Pointer? = symbol("htmlReadMemory"),
      let freeDocument: @convention(c) (Pointer?) -> Void = symbol("xmlFreeDoc"),
      let internalSubset: @convention(c) (Pointer?) -> Pointer? = symbol("xmlGetIntSubset"),
      let newContext: @convention(c) (Pointer?) -> Pointer? = symbol("xmlXPathNewContext"),
      let freeContext: @convention(c) (Pointer?) -> Void = symbol("xmlXPathFreeContext"),
      let register: @convention(c) (Pointer?, Text?, Text?) -> Int32 = symbol("xmlXPathRegisterNs"),
      let compile: @convention(c) (Pointer?, Text?) -> Pointer? = symbol("xmlXPathCtxtCompile"),
      let freeCompiled: @convention(c) (Pointer?) -> Void = symbol("xmlXPathFreeCompExpr"),
      let evaluate: @convention(c) (Pointer?, Pointer?) -> Pointer? = symbol("xmlXPathCompiledEval"),
      let freeObject: @convention(c) (Pointer?) -> Void = symbol("xmlXPathFreeObject"),
      let nodeText: @convention(c) (Pointer?) -> Pointer? = symbol("xmlXPathCastNodeToString"),
      let lastError: @convention(c) () -> UnsafeRawPointer? = symbol("xmlGetLastError"),
      let forgetError: @convention(c) () -> Void = symbol("xmlResetLastError"),
      let quiet: @convention(c) (Pointer?, Pointer?) -> Void = symbol("xmlSetStructuredErrorFunc"),
      let start: @convention(c) () -> Void = symbol("xmlInitParser")
    else { return nil }
    self.readMemory = readMemory
    self.readHTML = readHTML
    self.freeDocument = freeDocument
    self.internalSubset = internalSubset
    self.newContext = newContext
    self.freeContext = freeContext
    self.register = register
    self.compile = compile
    self.freeCompiled = freeCompiled
    self.evaluate = evaluate
    self.freeObject = freeObject
    self.nodeText = nodeText
    self.lastError = lastError
    // The text of the version, as in 20914 or 21203-GITv2.12.3.
    let version = dlsym(library, "xmlParserVersion")?.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
    hasOperationLimit = version.flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }.map { $0 >= 20_909 } ?? false
    start()
    setQuiet = {
      quiet(nil, unsafeBitCast(Self.ignore, to: Pointer.self))
      forgetError()
    }
  }

  /// Nothing is printed of what it finds wrong: the errors are ours. libxml2 keeps the handler for each thread, and also
  /// the last error, which may be of another document.
  let setQuiet: @Sendable () -> Void
  private static let ignore: @convention(c) (Pointer?, UnsafeRawPointer?) -> Void = { _, _ in }
}

/// Whether XML and HTML can be read here.
package enum XMLReading {
  /// Whether there is a libxml2.
  package static var isAvailable: Bool { LibXML.shared != nil }
}
