import type { CheckpointReport, ResumeReport } from './checkpointReport.js';

/** The report with all its paths put somewhere else: a checkpoint within a larger directory. */
export function placeReport(report: CheckpointReport, place: (path: string) => string): CheckpointReport {
  return {
    ...report,
    files: report.files.map((file) => ({
      ...file,
      path: place(file.path),
      ...(file.sameFileAs === undefined ? {} : { sameFileAs: place(file.sameFileAs) }),
    })),
    storedTwice: {
      ...report.storedTwice,
      items: report.storedTwice.items.map((item) => ({ ...item, paths: item.paths.map(place) })),
    },
    facts: report.facts.map((fact) => ({ ...fact, path: place(fact.path) })),
    objects: report.objects.map((object) => ({ ...object, path: place(object.path) })),
    resume: placeResume(report.resume, place),
    findings: report.findings.map((finding) => ({ ...finding, path: finding.path === null ? null : place(finding.path) })),
    ...(report.run === undefined ? {} : { run: placeRun(report.run, place) }),
    pickleImports: report.pickleImports.map((item) => ({ ...item, paths: item.paths.map(place) })),
  };
}

function placeResume(resume: ResumeReport, place: (path: string) => string): ResumeReport {
  const { pointer } = resume;
  return pointer === undefined ? resume : { ...resume, pointer: { ...pointer, path: place(pointer.path) } };
}

function placeRun(
  run: NonNullable<CheckpointReport['run']>,
  place: (path: string) => string,
): NonNullable<CheckpointReport['run']> {
  return {
    checkpoints: run.checkpoints.map((checkpoint) => ({
      ...checkpoint,
      path: place(checkpoint.path),
      ...(checkpoint.copyOf === undefined ? {} : { copyOf: place(checkpoint.copyOf) }),
    })),
    pointers: run.pointers.map((pointer) => ({ ...pointer, path: place(pointer.path) })),
    ...(run.loaded && { loaded: { path: place(run.loaded.path), pointer: place(run.loaded.pointer) } }),
  };
}
