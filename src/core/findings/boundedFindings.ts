import { limits } from '../bytes/limits.js';
import type { FileFinding, FindingCode } from './finding.js';

/** Findings of one file: of each code `limits.fileFindings`, the last of which counts the others, so that none of another code is pushed out. */
export class BoundedFindings {
  readonly kept: FileFinding[] = [];
  private readonly ofCode = new Map<FindingCode, { count: number; last: FileFinding }>();

  add(finding: FileFinding): void {
    const same = this.ofCode.get(finding.code);
    if (same !== undefined && same.count >= limits.fileFindings) {
      same.last.more = (same.last.more ?? 0) + 1 + (finding.more ?? 0);
      return;
    }
    const last = { ...finding };
    this.kept.push(last);
    this.ofCode.set(finding.code, { count: (same?.count ?? 0) + 1, last });
  }
}

/** A finding for each item, all of one code, as `BoundedFindings` keeps them. */
export function boundedFindings<Item>(items: readonly Item[], findingOf: (item: Item) => FileFinding): FileFinding[] {
  const findings = items.slice(0, limits.fileFindings).map(findingOf);
  const last = findings.at(-1);
  if (last !== undefined && items.length > findings.length) last.more = items.length - findings.length;
  return findings;
}
