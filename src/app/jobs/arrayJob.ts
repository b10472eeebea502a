/** `job.json` of an array's folder: what each of its tasks does. */
import * as v from 'valibot';
import { JobError } from '../../core/jobs/jobError.js';
import { sharesOf } from '../../core/jobs/shares.js';
import type { Platform } from '../platform.js';
import type { ArrayWork } from './arrayWork.js';
import { count } from './outcomeSchema.js';
import { valuesWork } from './valuesWork.js';
import { verifyWork } from './verifyWork.js';

/** The use cases that can be shared. */
export const arrayWorks = { verify: verifyWork, values: valuesWork };
export type ArrayUse = keyof typeof arrayWorks;

const arraySystems = ['slurm', 'kubernetes'] as const;
export type ArraySystem = (typeof arraySystems)[number];

/** A use case whose types its name stands for. */
// oxlint-disable-next-line typescript/no-explicit-any -- the schemas of a work are those of its own plan and results
export type AnyArrayWork = ArrayWork<any, any, any, any>;

export interface ArrayJob {
  use: ArrayUse;
  /** Who runs its tasks. */
  system: ArraySystem;
  /** Of the use case. */
  plan: unknown;
  /** Numbers of the items of each task. */
  shares: number[][];
}

const jobSchema = v.object({
  kind: v.literal('stowage-array-job'),
  schemaVersion: v.literal(1),
  use: v.picklist(['verify', 'values']),
  system: v.picklist(arraySystems),
  shares: v.array(v.array(count)),
  plan: v.unknown(),
});

/**
 * Plans a job.
 * @throws InputError, PathError; JobError `bad-setting` where there is nothing to do
 */
export async function planArrayJob(
  platform: Platform,
  use: ArrayUse,
  input: unknown,
  { system, nodes }: { system: ArraySystem; nodes: number },
): Promise<ArrayJob> {
  const work: AnyArrayWork = arrayWorks[use];
  const plan: unknown = await work.plan(platform, input);
  const shares = sharesOf(work.sizesBytes(plan), nodes);
  if (shares.length === 0) throw new JobError('bad-setting', `there are no ${work.noun[1]} to share`);
  return { use, system, plan, shares };
}

export function arrayJobText({ use, system, plan, shares }: ArrayJob): string {
  return `${JSON.stringify({ kind: 'stowage-array-job', schemaVersion: 1, use, system, shares, plan })}\n`;
}

/** @throws JobError `bad-setting` for what is no job of this version */
export function parseArrayJob(text: string): ArrayJob {
  const job = v.safeParse(jobSchema, jsonOf(text));
  if (!job.success) throw noJob(job.issues[0]);
  const { use, system, shares, plan } = job.output;
  const work: AnyArrayWork = arrayWorks[use];
  const parsed = v.safeParse(work.planSchema, plan);
  if (!parsed.success) throw noJob(parsed.issues[0]);
  const items = work.sizesBytes(parsed.output).length;
  const dealt = shares.flat();
  if (dealt.length !== items || new Set(dealt).size !== items || dealt.some((item) => item >= items))
    throw new JobError('bad-setting', 'job.json does not deal out each item once');
  return { use, system, plan: parsed.output, shares };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JobError('bad-setting', 'job.json is no JSON');
  }
}

function noJob(issue: v.BaseIssue<unknown>): JobError {
  return new JobError('bad-setting', `job.json is no job of version 1: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
}

/** A line of a task's results. */
export function resultLine(item: number, result: unknown): string {
  return `${JSON.stringify({ item, result })}\n`;
}

const lineSchema = v.object({ item: count, result: v.unknown() });

/** Reads lines of results; null for one that was cut when its task was killed. */
export function resultOfLine(work: AnyArrayWork, line: string): { item: number; result: unknown } | null {
  try {
    const parsed = v.safeParse(lineSchema, JSON.parse(line));
    if (!parsed.success) return null;
    const result = v.safeParse(work.resultSchema, parsed.output.result);
    return result.success ? { item: parsed.output.item, result: result.output } : null;
  } catch {
    return null;
  }
}
