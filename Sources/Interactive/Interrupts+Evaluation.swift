internal import RequestProgram

extension Interrupts {
  /// Evaluates in a task of its own, which ^C ends: a filter can take for ever.
  func evaluating<Output: Sendable>(
    _ work: @escaping @Sendable () throws(ProgramError) -> Output
  ) async throws(ProgramError) -> Output {
    let result = await withCancellation { () -> Result<Output, ProgramError> in
      do throws(ProgramError) {
        return .success(try work())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
