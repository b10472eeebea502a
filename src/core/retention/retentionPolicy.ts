/** What checkpoints of a run are to stay: `.stowage/retention.yaml`. A file with an error gives no policy. */
import { limits } from '../bytes/limits.js';
import type { ConfigNode } from '../configs/document/configNode.js';
import { rotationSettings, type RotationSetting } from './rotation/rotation.js';
import { StrictDocument } from './strictDocument.js';

/** Where a policy is found that is not named. */
export const policyPath = '.stowage/retention.yaml';

export interface BestRule {
  metric: string;
  mode: 'min' | 'max';
  count: number;
  /** A table of steps and values, relative to the policy; null where the run's own files have the metric. */
  csv: string | null;
}

export interface CopyRule {
  /** Manifests in which a checkpoint must be whole before it may go. */
  wanted: number;
  /** Relative to the policy, each of another place. */
  manifests: string[];
}

/** A rule that is null keeps nothing. */
export interface RetentionPolicy {
  keepLast: number | null;
  keepEverySteps: number | null;
  keepEveryHours: number | null;
  keepBest: BestRule | null;
  milestones: number[];
  /** 0 for no such rule. */
  minimumAgeHours: number;
  copies: CopyRule | null;
  /** Days in the trash before the second script removes it. */
  purgeAfterDays: number;
  /** What the framework keeps by itself, where the run's own files do not have it. */
  rotation: { setting: RotationSetting; limit: number } | null;
}

/** Bounds of the numbers of a policy, both included. */
export const policyNumbers = {
  keepLast: { minimum: 1, maximum: 1e6, isWhole: true, what: 'newest checkpoints that stay' },
  keepEverySteps: {
    minimum: 1,
    maximum: 1e15,
    isWhole: true,
    what: 'steps: the first checkpoint of each window of so many stays',
  },
  keepEveryHours: {
    minimum: 0.01,
    maximum: 1e6,
    isWhole: false,
    what: 'hours: the first checkpoint of each window of so many stays',
  },
  minimumAgeHours: {
    minimum: 0,
    maximum: 1e6,
    isWhole: false,
    what: 'hours since its last file, below which a checkpoint stays',
  },
  purgeAfterDays: {
    minimum: 0,
    maximum: 3650,
    isWhole: true,
    what: 'days in the trash before the second script removes it; 7 without it',
  },
} as const;

const keys = [
  'keepLast',
  'keepEverySteps',
  'keepEveryHours',
  'keepBest',
  'milestones',
  'minimumAgeHours',
  'copies',
  'purgeAfterDays',
  'rotation',
] as const;
const wholeFromOne = { minimum: 1, maximum: 1e6, isWhole: true };
const usualPurgeDays = 7;

/** @throws FormatError `corrupt` with the line and a sentence */
export async function readRetentionPolicy(text: string): Promise<RetentionPolicy> {
  const document = await StrictDocument.parse(text);
  const members = document.members(document.root, 'a retention policy', keys);
  const number = (key: keyof typeof policyNumbers): number | null => {
    const node = members[key];
    return node === undefined ? null : document.number(node, key, policyNumbers[key]);
  };
  const policy: RetentionPolicy = {
    keepLast: number('keepLast'),
    keepEverySteps: number('keepEverySteps'),
    keepEveryHours: number('keepEveryHours'),
    keepBest: members.keepBest === undefined ? null : bestRule(document, members.keepBest),
    milestones: members.milestones === undefined ? [] : milestones(document, members.milestones),
    minimumAgeHours: number('minimumAgeHours') ?? 0,
    copies: members.copies === undefined ? null : copyRule(document, members.copies),
    purgeAfterDays: number('purgeAfterDays') ?? usualPurgeDays,
    rotation: members.rotation === undefined ? null : rotationOf(document, members.rotation),
  };
  if (!keepsAnything(policy))
    document.refuse({ start: 0 }, 'no rule says what stays: keepLast, keepEverySteps, keepEveryHours, keepBest or milestones');
  return policy;
}

function keepsAnything({ keepLast, keepEverySteps, keepEveryHours, keepBest, milestones: steps }: RetentionPolicy): boolean {
  return [keepLast, keepEverySteps, keepEveryHours, keepBest].some((rule) => rule !== null) || steps.length > 0;
}

function bestRule(document: StrictDocument, node: ConfigNode): BestRule {
  const { metric, mode, count, csv } = document.members(node, 'keepBest', ['metric', 'mode', 'count', 'csv']);
  if (metric === undefined || mode === undefined || count === undefined)
    document.refuse(node.span, 'keepBest needs metric, mode and count');
  return {
    metric: document.line(metric, 'keepBest.metric'),
    mode: document.choice(mode, 'keepBest.mode', ['min', 'max']),
    count: document.number(count, 'keepBest.count', wholeFromOne),
    csv: csv === undefined ? null : document.line(csv, 'keepBest.csv'),
  };
}

function milestones(document: StrictDocument, node: ConfigNode): number[] {
  const step = { minimum: 0, maximum: 1e15, isWhole: true };
  return document.items(node, 'milestones', limits.retentionItems).map((item) => document.number(item, 'a milestone', step));
}

function rotationOf(document: StrictDocument, node: ConfigNode): { setting: RotationSetting; limit: number } {
  const settings = Object.keys(rotationSettings) as RotationSetting[];
  const members = document.members(node, 'rotation', settings);
  const [setting, ...more] = settings.filter((one) => members[one] !== undefined);
  if (setting === undefined || more.length > 0) document.refuse(node.span, `rotation must have one of ${settings.join(', ')}`);
  const bounds = { minimum: -1, maximum: 1e6, isWhole: true };
  return { setting, limit: document.number(members[setting] as ConfigNode, `rotation.${setting}`, bounds) };
}

function copyRule(document: StrictDocument, node: ConfigNode): CopyRule {
  const { wanted, manifest } = document.members(node, 'copies', ['wanted', 'manifest']);
  if (wanted === undefined || manifest === undefined) document.refuse(node.span, 'copies needs wanted and manifest');
  const nodes = manifest.kind === 'list' ? document.items(manifest, 'copies.manifest', limits.copyManifests) : [manifest];
  const manifests = nodes.map((one) => document.line(one, 'copies.manifest'));
  const count = document.number(wanted, 'copies.wanted', wholeFromOne);
  if (new Set(manifests).size < count)
    document.refuse(wanted.span, `copies.wanted is ${count}, which needs as many different manifests, one of each place`);
  return { wanted: count, manifests };
}
