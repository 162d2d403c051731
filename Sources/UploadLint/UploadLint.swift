public import Requests

/// Examines an upload, one that failed or one that is about to be sent, by every rule there is.
public struct UploadLint: Sendable {
  /// The current identity of a file; nil if there is none.
  let identify: @Sendable (_ path: String) -> FileSlice.Identity?
  /// The earlier exchanges: where the URL and the fields came from.
  let earlier: [Exchange]
  /// How the form of the step at a place was written; nil if that is not known.
  let written: @Sendable (_ place: TextPlace) -> WrittenForm?

  /// - Parameters:
  ///   - earlier: the exchanges before the upload, which may state what has to be sent with its URL.
  ///   - identify: the current identity of a file, by its path; by default the system is asked.
  ///   - written: how the form of the step at a place was written, so that advice has the names of the script.
  public init(
    after earlier: [Exchange] = [],
    identify: @escaping @Sendable (String) -> FileSlice.Identity? = { try? FileSlice(path: $0).identity },
    written: @escaping @Sendable (TextPlace) -> WrittenForm? = { _ in nil }
  ) {
    self.earlier = earlier
    self.written = written
    self.identify = identify
  }

  /// Everything that is wrong, the likely cause first. Nothing about a request that is not an upload to storage, except
  /// for a file that changed and an error that is reported as a success.
  public func findings(in attempt: UploadAttempt) -> [UploadFinding] {
    Self.rules.flatMap { $0.findings(attempt, self) }
  }

  private static var rules: [any UploadRule.Type] {
    [
      ErrorInSuccess.self, NotMultipart.self, PresignedPut.self, MissingBody.self, GivenUpload.self,
      AuthorizationBesideSignature.self,
      PresignedURLExpired.self, PolicyExpired.self, MissingPolicy.self, MissingFile.self, RepeatedField.self,
      TextForFile.self,
      PolicyConditions.self, FileNotLast.self, SignedHeaders.self, SharedAccess.self, ChunkedUpload.self,
      Checksum.self, WrongPlace.self, SizeRefused.self, FileChanged.self, ClockSkew.self, StoredDigest.self,
    ]
  }
}

/// One rule: pure except for the current identity of a file.
protocol UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding]
}
