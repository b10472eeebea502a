import type { FindingDefinition, Severity } from './defineFinding.js';
import type { findingTable } from './findingTable.js';

type FindingTable = typeof findingTable;

export type FindingCode = keyof FindingTable;

/** What a finding of this code has to name. */
export type FactsOf<Code extends FindingCode> = FindingTable[Code] extends FindingDefinition<infer Facts> ? Facts : never;

/** Something that was noticed in one file: its code and the facts that its words are made of. */
export type FileFinding = {
  [Code in FindingCode]: {
    code: Code;
    /** Byte offset in the file. */
    offset?: number;
    /** Findings of the same code and file that are counted instead of kept. */
    more?: number;
  } & (FactsOf<Code> extends null ? { facts?: never } : { facts: FactsOf<Code> });
}[FindingCode];

/** Something that was noticed, as facts; findingTable.ts has the words. `path` is relative to the root, and absent for what concerns all of it. */
export type Finding = FileFinding & {
  path?: string;
  /** Set for damage to a file that loading the checkpoint does not open: one that no loader opens, or one in whose place others are taken. */
  aside?: 'unused' | 'other';
};

/** A finding in words. */
export interface FindingReport {
  /** Stable identifier, see docs/findings.md. */
  code: string;
  severity: Severity;
  path: string | null;
  /** Byte offset in `path`. */
  offset: number | null;
  /** What was found. */
  message: string;
  /** Why it matters. */
  effect: string;
  /** What to do about it. */
  advice: string;
  /** Of a line that counts findings of its code that are not listed: how many. */
  more?: number;
}
