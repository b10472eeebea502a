import type { DatasetReport } from './datasetReport.js';

/** The report with all its paths put somewhere else: a data set within a larger directory. */
export function placeDatasetReport(report: DatasetReport, place: (path: string) => string): DatasetReport {
  return {
    ...report,
    files: report.files.map((file) => ({ ...file, path: place(file.path) })),
    shards: report.shards.map((shard) => ({ ...shard, path: place(shard.path) })),
    facts: report.facts.map((fact) => ({ ...fact, path: place(fact.path) })),
    findings: report.findings.map((finding) => ({ ...finding, path: finding.path === null ? null : place(finding.path) })),
    text: report.text && { ...report.text, tokenizer: report.text.tokenizer === null ? null : place(report.text.tokenizer) },
  };
}
