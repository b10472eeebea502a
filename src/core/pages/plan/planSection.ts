/**
 * What a plan says, ready to be shown: the panel, Markdown and the terminal render the same sections. Numbers are words already; charts
 * hold their numbers, as each renderer scales them itself.
 */
import type { PageChart } from '../chart.js';
import type { Statement, StatementKind } from '../statement.js';
import type { PageTable } from '../table.js';

export const sectionIds = [
  'frontier',
  'size',
  'interval',
  'settings',
  'bandwidth',
  'levels',
  'restore',
  'emergency',
  'retention',
  'tiers',
  'data',
  'memory',
  'sensitivity',
] as const;
export type SectionId = (typeof sectionIds)[number];

export interface CodeLines {
  language: string;
  text: string;
}

export interface PlanSection {
  id: SectionId;
  title: string;
  /** The answer. */
  lead: Statement;
  more: Statement[];
  /** Lines to paste. */
  code?: CodeLines;
  charts: PageChart[];
  tables: PageTable[];
  /** What is to be known besides: traps, claims that are judged. */
  notes: string[];
}

/** A number of the first page, and the section that has its reasons. */
export interface KeyNumber {
  id: 'goodput' | 'storage' | 'room';
  section: SectionId;
  amount: string;
  text: string;
  kind: StatementKind;
}

/** What to do: a title that says it, why, and lines to paste. */
export interface PlanStep {
  /** Stable. */
  id: string;
  title: string;
  text: string;
  code?: CodeLines;
}

/** A whole plan in words. */
export interface PlanPage {
  title: string;
  /** When the run is taken to begin, milliseconds since 1970; null where only durations are shown. */
  madeAtMs: number | null;
  /** The decision, in a sentence. */
  headline: string;
  /** Three. */
  numbers: KeyNumber[];
  /** The most important first; at most three. */
  actions: PlanStep[];
  /** The headline and its reasons: two to seven sentences. */
  recommendation: string[];
  /** What rests on values that are given and is most worth removing, the worst first; at most three. */
  risks: PlanRisk[];
  /** What makes the plan impossible, with the smallest change that helps; empty where it is possible. */
  impossible: PlanRisk[];
  sections: PlanSection[];
}

export interface PlanRisk {
  /** Stable. */
  id: string;
  title: string;
  /** Why, with numbers. */
  text: string;
  /** What to do. */
  advice: string;
}

/** All charts of a page, in its order. */
export function chartsOf({ sections }: PlanPage): PageChart[] {
  return sections.flatMap(({ charts }) => charts);
}
