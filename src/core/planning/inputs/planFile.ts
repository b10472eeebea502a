/** Reading of plan files. They are edited by hand and come from elsewhere: nothing in them is taken unchecked. */
import { limits } from '../../bytes/limits.js';
import type { MeasuredPart } from '../size/plannedSize.js';
import {
  planFileVersion,
  planKind,
  planReportVersion,
  type InputOrigin,
  type PlanDocument,
  type SavedCheckpoint,
} from './planDocument.js';
import { makePlan } from '../storagePlan.js';
import { documentOfPreset, presetOf } from './presets.js';
import { isPlanKey, readInputs, type InputProblem, type PlanInputs, type PlanKey } from './planInputs.js';

export interface ReadPlan {
  document: PlanDocument;
  /** What could not be used, each left at its standard. */
  problems: InputProblem[];
}

/** Why a text is no plan at all. */
export type PlanFailure = { failure: string };

/** Reads a plan file's text. Invalid entries are reported and ignored; only what is no plan at all fails. */
export function readPlanFile(text: string): ReadPlan | PlanFailure {
  if (text.length > limits.planCharacters) return { failure: `it has ${text.length} characters, more than any plan` };
  const file = parsed(text);
  if (!isRecord(file)) return { failure: 'it is no JSON object' };
  // What `stowage plan --json` prints has the same inputs, all of them.
  const isReport = file['kind'] === 'plan';
  if (file['kind'] !== planKind && !isReport) return { failure: 'its kind is not stowage-plan' };
  const version = file['schemaVersion'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return { failure: 'it has no schemaVersion' };
  const newest = isReport ? planReportVersion : planFileVersion;
  if (version > newest)
    return { failure: `it is of version ${version}, and this Stowage reads up to ${newest}; a newer one opens it` };
  const { inputs, problems } = readInputs(isRecord(file['inputs']) ? file['inputs'] : {});
  if (file['inputs'] !== undefined && !isRecord(file['inputs'])) problems.push({ key: 'inputs', text: 'must be an object' });
  const base = basedOn(file['preset'], problems);
  const origins = { ...base?.origins, ...originsOf(file['origins']) };
  const measured = listOf(file['measured'], measuredOf, 'measured', problems);
  const document: PlanDocument = {
    name: typeof file['name'] === 'string' ? file['name'].slice(0, limits.planNameCharacters) : (base?.name ?? ''),
    inputs: isReport ? givenOf(inputs, { origins, measured }) : { ...base?.inputs, ...inputs },
    origins,
    measured,
    saved: listOf(file['saved'], savedOf, 'saved', problems),
  };
  return { document, problems };
}

/**
 * The inputs of a report that were given. It lists all of them: one without an origin was assumed, and stays so, unless this Stowage would
 * assume another value.
 */
function givenOf(
  inputs: Partial<PlanInputs>,
  { origins, measured }: Pick<PlanDocument, 'origins' | 'measured'>,
): Partial<PlanInputs> {
  const entries = Object.entries(inputs) as [PlanKey, PlanInputs[PlanKey]][];
  const withOrigin = Object.fromEntries(entries.filter(([key]) => origins[key] !== undefined)) as Partial<PlanInputs>;
  const assumed = makePlan({ inputs: withOrigin, origins, measured, saved: [] }).inputs;
  return Object.fromEntries(entries.filter(([key, value]) => origins[key] !== undefined || assumed[key] !== value));
}

/** A file may name a preset and say only what differs. It is written with all of its numbers. */
function basedOn(preset: unknown, problems: InputProblem[]): PlanDocument | null {
  if (preset === undefined) return null;
  const known = typeof preset === 'string' ? presetOf(preset) : null;
  if (known === null) problems.push({ key: 'preset', text: 'is none that there is' });
  return known === null ? null : documentOfPreset(known);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function originsOf(value: unknown): PlanDocument['origins'] {
  const origins: PlanDocument['origins'] = {};
  if (!isRecord(value)) return origins;
  for (const [key, origin] of Object.entries(value)) {
    if (!isPlanKey(key) || !isRecord(origin)) continue;
    const { kind, text } = origin;
    if (isOriginKind(kind) && typeof text === 'string') origins[key] = { kind, text: text.slice(0, limits.planNameCharacters) };
  }
  return origins;
}

function isOriginKind(kind: unknown): kind is InputOrigin['kind'] {
  return kind === 'measured' || kind === 'read' || kind === 'preset' || kind === 'set' || kind === 'site';
}

function listOf<T>(
  value: unknown,
  read: (item: Record<string, unknown>) => T | null,
  key: string,
  problems: InputProblem[],
): T[] {
  if (value === undefined) return [];
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const good = items.slice(0, limits.planListItems).flatMap((item) => (isRecord(item) ? [read(item)] : [null]));
  const kept = good.filter((item) => item !== null);
  if (!Array.isArray(value) || kept.length < items.length) problems.push({ key, text: 'has entries that could not be used' });
  return kept;
}

function measuredOf({ label, bytes, isWeights }: Record<string, unknown>): MeasuredPart | null {
  if (typeof label !== 'string' || !isByteCount(bytes)) return null;
  return { label: label.slice(0, limits.planNameCharacters), bytes, isWeights: isWeights === true };
}

function savedOf(item: Record<string, unknown>): SavedCheckpoint | null {
  const { path, step, bytes, savedAtSeconds, isFinished, isLatest } = item;
  if (typeof path !== 'string' || !isByteCount(bytes)) return null;
  return {
    path: path.slice(0, limits.planNameCharacters),
    step: isByteCount(step) ? step : null,
    bytes,
    savedAtSeconds: typeof savedAtSeconds === 'number' && Number.isFinite(savedAtSeconds) ? savedAtSeconds : null,
    isFinished: isFinished !== false,
    isLatest: isLatest === true,
  };
}

function isByteCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
