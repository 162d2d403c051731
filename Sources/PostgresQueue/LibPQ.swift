// A queue in PostgreSQL, for the workers of several machines. This module knows SQL and the lease of an operation. It
// knows neither script text nor how anything is sent; the steps of an operation are recorded by `RunStore`'s journal.

internal import POSIX

/// libpq, opened when the first server is asked for: whoever has no server needs none, and starts no slower.
///
/// A class because it is the loaded library; there is one, and it is never closed.
final class LibPQ: Sendable {
  /// nil if it is not installed.
  static let shared = LibPQ()

  typealias Pointer = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>

  let connect: @convention(c) (Texts?, Texts?, Int32) -> Pointer?
  let status: @convention(c) (Pointer?) -> Int32
  let finish: @convention(c) (Pointer?) -> Void
  let errorMessage: @convention(c) (Pointer?) -> Text?
  let socket: @convention(c) (Pointer?) -> Int32
  let execute:
    @convention(c) (
      Pointer?, Text?, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Pointer?
  let resultStatus: @convention(c) (Pointer?) -> Int32
  let resultField: @convention(c) (Pointer?, Int32) -> Text?
  let rowCount: @convention(c) (Pointer?) -> Int32
  let columnCount: @convention(c) (Pointer?) -> Int32
  let value: @convention(c) (Pointer?, Int32, Int32) -> Text?
  let length: @convention(c) (Pointer?, Int32, Int32) -> Int32
  let isNull: @convention(c) (Pointer?, Int32, Int32) -> Int32
  let clear: @convention(c) (Pointer?) -> Void
  let consume: @convention(c) (Pointer?) -> Int32
  let notifies: @convention(c) (Pointer?) -> Pointer?
  let free: @convention(c) (Pointer?) -> Void
  let setNotice: @convention(c) (Pointer?, Notice?, Pointer?) -> Pointer?
  /// The password that a connection was tried with, wherever it came from.
  let password: @convention(c) (Pointer?) -> Text?
  private let parse: @convention(c) (Text?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Pointer?
  private let freeParsed: @convention(c) (Pointer?) -> Void

  /// Why an address cannot be understood, without anything that is quoted of it; nil: it can.
  func fault(in address: String) -> String? {
    var reason: UnsafeMutablePointer<CChar>?
    if let parsed = parse(address, &reason) {
      freeParsed(parsed)
      return nil
    }
    defer { free(reason.map { Pointer($0) }) }
    let words = reason.map { String(cString: $0) } ?? "it cannot be understood"
    return String(words.prefix { $0 != "\"" && !$0.isNewline }.reversed().drop { ": ".contains($0) }.reversed())
  }

  typealias Notice = @convention(c) (Pointer?, Text?) -> Void

  private static let names = ["libpq.so.5", "libpq.5.dylib"]

  private init?() {
    var library: UnsafeMutableRawPointer?
    for name in Self.names where library == nil { library = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
    guard let library else { return nil }
    OpenSSLCleanup.prevent(in: library)
    // SAFETY: the types above are those of libpq's headers, the same in all versions with these sonames.
    func symbol<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let connect: @convention(c) (Texts?, Texts?, Int32) -> Pointer? = symbol("PQconnectdbParams"),
      let status: @convention(c) (Pointer?) -> Int32 = symbol("PQstatus"),
      let finish: @convention(c) (Pointer?) -> Void = symbol("PQfinish"),
      let errorMessage: @convention(c) (Pointer?) -> Text? = symbol("PQerrorMessage"),
      let socket: @convention(c) (Pointer?) -> Int32 = symbol("PQsocket"),
      let execute:
        @convention(c) (
          Pointer?, Text?, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Pointer? = symbol("PQexecParams"),
      let resultStatus: @convention(c) (Pointer?) -> Int32 = symbol("PQresultStatus"),
      let resultField: @convention(c) (Pointer?, Int32) -> Text? = symbol("PQresultErrorField"),
      let rowCount: @convention(c) (Pointer?) -> Int32 = symbol("PQntuples"),
      let columnCount: @convention(c) (Pointer?) -> Int32 = symbol("PQnfields"),
      let value: @convention(c) (Pointer?, Int32, Int32) -> Text? = symbol("PQgetvalue"),
      let length: @convention(c) (Pointer?, Int32, Int32) -> Int32 = symbol("PQgetlength"),
      let isNull: @convention(c) (Pointer?, Int32, Int32) -> Int32 = symbol("PQgetisnull"),
      let clear: @convention(c) (Pointer?) -> Void = symbol("PQclear"),
      let consume: @convention(c) (Pointer?) -> Int32 = symbol("PQconsumeInput"),
      let notifies: @convention(c) (Pointer?) -> Pointer? = symbol("PQnotifies"),
      let free: @convention(c) (Pointer?) -> Void = symbol("PQfreemem"),
      let setNotice: @convention(c) (Pointer?, Notice?, Pointer?) -> Pointer? = symbol("PQsetNoticeProcessor"),
      let password: @convention(c) (Pointer?) -> Text? = symbol("PQpass"),
      let parse: @convention(c) (Text?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Pointer? =
        symbol("PQconninfoParse"),
      let freeParsed: @convention(c) (Pointer?) -> Void = symbol("PQconninfoFree")
    else { return nil }
    (self.connect, self.status, self.finish, self.errorMessage) = (connect, status, finish, errorMessage)
    (self.socket, self.execute, self.resultStatus, self.resultField) = (socket, execute, resultStatus, resultField)
    (self.rowCount, self.columnCount, self.value, self.length) = (rowCount, columnCount, value, length)
    (self.isNull, self.clear, self.consume, self.notifies) = (isNull, clear, consume, notifies)
    (self.free, self.setNotice, self.password) = (free, setNotice, password)
    (self.parse, self.freeParsed) = (parse, freeParsed)
  }
}
