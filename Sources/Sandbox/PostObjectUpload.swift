import Crypto
import JSONValue
import NIOHTTP1

/// Takes the form of one POST upload as it arrives and stores its file if everything about it is right.
///
/// The decision is made when the file begins: by then all fields are there. After a refusal the rest of the form is
/// still read, but not kept, so that the log has the file's digest and the client gets to read its response.
struct PostObjectUpload: BodyReceiver {
  private enum Part {
    case none
    case field(name: String, value: [UInt8])
    case file
  }

  private let storage: StorageService
  private var parser: MultipartParser
  private var form = PostForm()
  private var part = Part.none

  /// The first thing that was wrong.
  private var refusal: S3Error?
  /// Whether the body is still well-formed.
  private var isReadable = true

  private var admission: (key: String, limits: SizeLimits)?
  private var file: IncomingFile?
  private var fileSize = 0
  private let keptSize: Int
  private var sha256 = SHA256()
  private var md5 = Insecure.MD5()
  private(set) var fileSHA256: String?

  /// - Parameters:
  ///   - refusal: what was wrong before the body came.
  ///   - keptSize: how many bytes of the file are stored at most; the rest is lost, which is a fault.
  init(parser: MultipartParser, storage: StorageService, refusal: S3Error? = nil, keptSize: Int? = nil) {
    self.keptSize = keptSize ?? .max
    self.parser = parser
    self.storage = storage
    self.refusal = refusal
  }

  var isWaiting: Bool { refusal == nil }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard isReadable else { return }
    do throws(MultipartError) {
      for event in try parser.feed(bytes) { take(event) }
    } catch {
      isReadable = false
      refuse(.malformedForm(error))
    }
  }

  mutating func finish() async -> Response {
    do throws(S3Error) {
      if refusal == nil {
        do throws(MultipartError) { try parser.finish() } catch { throw S3Error.malformedForm(error) }
      }
      if let refusal { throw refusal }
      guard let admission, let file else { throw S3Error.fileMissing }
      try admission.limits.check(fileSize)
      let etag = md5.finalize().hex
      do throws(FileError) {
        try await storage.store.keep(file, asKey: admission.key, size: min(fileSize, keptSize), etag: etag)
      } catch { throw S3Error.notStored(error) }
      return form.response(
        location: storage.location(ofKey: admission.key), bucket: storage.signer.bucket, key: admission.key,
        etag: "\"\(etag)\"")
    } catch {
      return error.response
    }
  }

  private mutating func refuse(_ error: S3Error) {
    if refusal == nil { refusal = error }
    file = nil
  }

  private mutating func take(_ event: MultipartParser.Event) {
    switch event {
    case .partBegan(let part, let offset): begin(part, offset: offset)
    case .content(let bytes):
      switch part {
      case .none: break
      case .field(let name, var value):
        part = .none
        value += bytes
        if value.count > PostForm.limit {
          refuse(.preDataTooLong)
          value = []
        }
        part = .field(name: name, value: value)
      case .file: takeFile(bytes)
      }
    case .partEnded: endPart()
    }
  }

  private mutating func begin(_ next: MultipartPart, offset: Int) {
    let isFile = next.name.lowercased() == "file"
    guard fileSHA256 == nil else {
      refuse(isFile ? .fileRepeated : .fieldAfterFile(next.name))
      part = .none
      return
    }
    guard isFile else {
      part = .field(name: next.name, value: [])
      return
    }
    part = .file
    form.filename = next.filename
    guard refusal == nil else { return }
    do throws(S3Error) {
      guard offset <= PostForm.limit else { throw S3Error.preDataTooLong }
      admission = try storage.signer.admit(form, now: storage.now())
      do throws(FileError) { file = try storage.store.makeIncomingFile() } catch { throw S3Error.notStored(error) }
    } catch {
      refuse(error)
    }
  }

  private mutating func takeFile(_ bytes: ArraySlice<UInt8>) {
    let kept = bytes.prefix(max(0, keptSize - fileSize))
    fileSize += bytes.count
    bytes.withUnsafeBytes { sha256.update(bufferPointer: $0) }
    guard let file, let admission else { return }
    kept.withUnsafeBytes { md5.update(bufferPointer: $0) }
    // A file that is already too large is not kept; its whole size is known at the end.
    guard fileSize <= admission.limits.maximum else { return }
    do throws(FileError) { try file.write(kept) } catch { refuse(.notStored(error)) }
  }

  private mutating func endPart() {
    switch part {
    case .none: break
    case .field(let name, let value):
      guard refusal == nil else { break }
      do throws(S3Error) {
        guard let text = String(validating: value, as: UTF8.self) else { throw S3Error.fieldNotText(name) }
        try form.append(PostForm.Field(name: name, value: text))
      } catch {
        refuse(error)
      }
    case .file: fileSHA256 = sha256.finalize().hex
    }
    part = .none
  }
}
