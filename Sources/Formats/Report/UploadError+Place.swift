internal import Diagnostics
internal import RequestProgram
package import Requests
package import UploaderCore

extension UploadError {
  /// Where in a script it happened.
  package var place: TextPlace? {
    if case .sequence(let error as ProgramError) = fact {
      return TextPlace(source: error.source.name, range: error.range.lowerBound..<error.range.upperBound)
    }
    return step?.place
  }
}
