// `interpret run --python FILE.pyc`: what `ptc run --python` does, without MLIR, so that the
// programs of test/Python run under the sanitizers at little cost. Exit code: as ptc's.
#include "ptc/Capture/Capture.h"
#include "ptc/Support/Error.h"

using namespace ptc;

static int report(const Diagnostic &diag) {
  printDiagnostic(llvm::errs(), diag);
  return int(diag.info().exitCode);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return int(ExitCode::Usage);
  capture::CaptureRequest request;
  request.file = argv[3];
  auto result = capture::runPython(request, llvm::outs(), llvm::errs());
  llvm::outs().flush();
  if (!result) {
    int code = 0;
    for (const Diagnostic &diag : takeDiagnostics(result.takeError()))
      code = report(diag);
    return code;
  }
  llvm::errs() << result->uncaught;
  if (!result->exitCode)
    return 0;
  return report(makeDiagnostic(DiagId::ProgramRaised, result->raisedAt, result->raisedType,
                               result->raisedText));
}
