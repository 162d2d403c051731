internal import Requests
internal import UploaderCore

/// A run after one step, or one group that goes on at once, and what it came to: what an interruptible task hands back.
struct StepOutcome<Sequence: OperationRequestSequence>: Sendable {
  let run: SequenceRun<Sequence>
  let result: Result<StepRecord?, UploadError>

  init(of start: SequenceRun<Sequence>, by uploader: Uploader, groups: GroupPace = .atOnce) async {
    var run = start
    do {
      result = .success(try await uploader.step(&run, groups: groups))
    } catch {
      result = .failure(error)
    }
    self.run = run
  }

  /// Goes on until something fails or all is done. While nobody else holds the run, a step costs the same however many
  /// were before it.
  init(ofAll start: SequenceRun<Sequence>, by uploader: Uploader) async {
    var run = start
    do {
      try await uploader.advance(&run)
      result = .success(nil)
    } catch {
      result = .failure(error)
    }
    self.run = run
  }
}
