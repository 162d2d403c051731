import JSONValue
internal import POSIX
import Requests

/// XPath 1.0 over XML and HTML, by libxml2 on a short leash: no network, no entities, no DTD, no huge documents.
struct XPath: Sendable {
  enum Failure: Error, Hashable {
    /// libxml2 is not installed.
    case unavailable
    case expression(String)
    case namespace(String)
    case document(String)
    case tooMany(Int)
    /// It was not done when it had to be.
    case stopped
    /// Too many that were stopped are still at it.
    case busy
  }

  /// What it is over.
  enum Kind: Hashable, Sendable {
    case xml, html
  }

  let expression: String
  /// URIs by prefix.
  var namespaces: [(prefix: String, uri: String)] = []

  /// The largest document, in bytes, and the longest expression.
  static let sizeLimit = 16 << 20
  static let expressionLimit = 4 << 10
  /// The most nodes that one expression may find.
  static let nodeLimit = 100_000

  /// XML_PARSE_NONET, _NOERROR, _NOWARNING, _NO_XXE, _COMPACT; neither _NOENT nor _HUGE nor any _DTD.
  private static let xmlOptions: Int32 = 1 << 11 | 1 << 5 | 1 << 6 | 1 << 16
  /// HTML_PARSE_RECOVER, _NOERROR, _NOWARNING, _NONET, _COMPACT.
  private static let htmlOptions: Int32 = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 16

  /// Why the expression is none; nil: it is one, or libxml2 is not here to say so.
  func fault() -> Failure? {
    guard let library = LibXML.shared else { return nil }
    do {
      try withContext(library, document: nil) { _, _ in }
      return nil
    } catch {
      return error
    }
  }

  /// A string, a number, true or false; an array of texts for nodes.
  ///
  /// - Parameters:
  ///   - isUTF8: whether it is a text of ours, which is UTF-8 whatever it says about itself.
  ///   - evaluation: is told of the context that libxml2 evaluates it in, as long as there is one.
  func value(in bytes: [UInt8], _ kind: Kind, isUTF8: Bool, by evaluation: XPathEvaluation) throws(Failure) -> JSON {
    guard let library = LibXML.shared else { throw .unavailable }
    guard bytes.count <= Self.sizeLimit else { throw .document("it is larger than 16 MiB") }
    library.setQuiet()
    let document = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      switch kind {
      case .xml:
        library.readMemory(buffer.baseAddress, Int32(buffer.count), nil, isUTF8 ? "UTF-8" : nil, Self.xmlOptions)
      case .html:
        library.readHTML(buffer.baseAddress, Int32(buffer.count), nil, isUTF8 ? "UTF-8" : nil, Self.htmlOptions)
      }
    }
    guard let document else { throw .document(Self.lastMessage(library) ?? "it is empty") }
    defer { library.freeDocument(document) }
    // HTML is read however wrong it is, but of what is nested too deeply only the beginning.
    if kind == .html, Self.wasStopped(library) { throw .document("it is nested too deeply") }
    if let subset = library.internalSubset(document), Self.declaresEntities(subset) {
      throw .document("it declares entities of its own, which are not read")
    }
    return try withContext(library, document: document) { context, compiled throws(Failure) in
      guard let object = evaluation.in(context, { library.evaluate(compiled, context) }) else {
        throw .expression(Self.lastMessage(library) ?? "it has no value")
      }
      defer { library.freeObject(object) }
      return try Self.json(object, library)
    }
  }

  private func withContext<Result>(
    _ library: LibXML, document: LibXML.Pointer?,
    _ body: (_ context: LibXML.Pointer, _ compiled: LibXML.Pointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard expression.utf8.count <= Self.expressionLimit, !expression.utf8.contains(0) else {
      throw .expression("it is longer than \(Self.expressionLimit) bytes")
    }
    library.setQuiet()
    guard let context = library.newContext(document) else { throw .unavailable }
    defer { library.freeContext(context) }
    for (prefix, uri) in namespaces where library.register(context, prefix, uri) != 0 { throw .namespace(prefix) }
    guard let compiled = library.compile(context, expression) else {
      throw .expression(Self.lastMessage(library) ?? "it is not an XPath expression")
    }
    defer { library.freeCompiled(compiled) }
    return try body(context, compiled)
  }

  /// Whether an entity is declared between the brackets of `<!DOCTYPE a [ … ]>`: entities can make a small document huge.
  ///
  /// - Parameter subset: an xmlDtd: `_private`, `type`, `name`, `children`; what it declares has `next` after `parent`.
  private static func declaresEntities(_ subset: LibXML.Pointer) -> Bool {
    var next = subset.load(fromByteOffset: 24, as: LibXML.Pointer?.self)
    while let declaration = next {
      if declaration.load(fromByteOffset: 8, as: Int32.self) == entityDeclaration { return true }
      next = declaration.load(fromByteOffset: 48, as: LibXML.Pointer?.self)
    }
    return false
  }

  /// `XML_ENTITY_DECL` of `xmlElementType`.
  private static let entityDeclaration: Int32 = 17

  /// xmlXPathObject: `type`, `nodesetval`, `boolval`, `floatval`, `stringval`.
  private static func json(_ object: LibXML.Pointer, _ library: LibXML) throws(Failure) -> JSON {
    switch object.load(as: Int32.self) {
    case 1: return try nodes(object.load(fromByteOffset: 8, as: LibXML.Pointer?.self), library)
    case 2: return .bool(object.load(fromByteOffset: 16, as: Int32.self) != 0)
    case 3:
      let number = object.load(fromByteOffset: 24, as: Double.self)
      if let whole = Int(exactly: number) { return .number(JSONNumber(whole)) }
      // As XPath has them as texts, since JSON has none of them.
      let other = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
      return JSONNumber(number).map(JSON.number) ?? .string(other)
    case 4:
      let text = object.load(fromByteOffset: 32, as: UnsafePointer<CChar>?.self)
      return .string(text.map { String(cString: $0) } ?? "")
    default: throw .expression("its value is of no known type")
    }
  }

  /// xmlNodeSet: `nodeNr`, `nodeMax`, `nodeTab`.
  private static func nodes(_ set: LibXML.Pointer?, _ library: LibXML) throws(Failure) -> JSON {
    guard let set else { return .array([]) }
    let count = Int(set.load(as: Int32.self))
    guard count <= nodeLimit else { throw .tooMany(count) }
    guard let table = set.load(fromByteOffset: 8, as: UnsafeMutablePointer<LibXML.Pointer?>?.self) else {
      return .array([])
    }
    var texts: [JSON] = []
    var size = 0
    for index in 0..<count {
      guard let text = library.nodeText(table[index]) else { continue }
      defer { free(text) }
      let string = String(cString: text.assumingMemoryBound(to: CChar.self))
      size += string.utf8.count
      // Nested nodes repeat the text of what is in them.
      guard size <= 4 * sizeLimit else { throw .tooMany(count) }
      texts.append(.string(string))
    }
    return .array(texts)
  }

  /// Whether the last error is that a limit was reached, which ends a document before its end.
  private static func wasStopped(_ library: LibXML) -> Bool {
    guard let error = library.lastError() else { return false }
    let (code, level) = (error.load(fromByteOffset: 4, as: Int32.self), error.load(fromByteOffset: 16, as: Int32.self))
    return level == fatal && (code == internalError || code == nameTooLong || code == resourceLimit)
  }

  /// `XML_ERR_FATAL` of `xmlErrorLevel`; `XML_ERR_INTERNAL_ERROR`, `XML_ERR_NAME_TOO_LONG` and
  /// `XML_ERR_RESOURCE_LIMIT` of `xmlParserErrors`.
  private static let (fatal, internalError, nameTooLong, resourceLimit) = (Int32(3), Int32(1), Int32(110), Int32(116))

  /// xmlError: `domain`, `code`, `message`.
  private static func lastMessage(_ library: LibXML) -> String? {
    guard let error = library.lastError(),
      let message = error.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
    else { return nil }
    let text = String(cString: message).trimmed
    return text.isEmpty ? nil : text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension XPath.Failure {
  /// One sentence, for people.
  var sentence: String {
    switch self {
    case .unavailable: "libxml2 is not installed, which XPath needs"
    case .expression(let reason): "this is not an XPath 1.0 expression that can be evaluated: \(reason)"
    case .namespace(let prefix): "the prefix \(prefix) cannot be used"
    case .document(let reason): "the document cannot be read: \(reason)"
    case .tooMany(let count): "it finds \(count) nodes, which is too much"
    case .stopped: "it was not finished in time"
    case .busy: "others that were not finished in time are still being worked on"
    }
  }
}
