extension Interrupts {
  /// Evaluates in a task of its own, which ^C ends: a filter can take forever.
  package func evaluating<Output: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    let result = await withCancellation { () -> Result<Output, Failure> in
      do throws(Failure) {
        return .success(try work())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
