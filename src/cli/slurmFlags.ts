import type { SlurmOptions } from '../core/jobs/slurmOptions.js';
import { limits } from '../core/bytes/limits.js';
import { visibleText } from '../core/text/visibleText.js';
import { amountOf } from './amountFlags.js';
import { UsageError } from './usageError.js';

/** Flags of commands that several nodes share. */
export const slurmFlags = {
  nodes: { type: 'string' },
  partition: { type: 'string' },
  account: { type: 'string' },
  qos: { type: 'string' },
  constraint: { type: 'string' },
  reservation: { type: 'string' },
  'time-limit': { type: 'string' },
  'share-nodes': { type: 'boolean' },
  'job-folder': { type: 'string' },
} as const;

type SlurmValues = { [Flag in keyof typeof slurmFlags]?: (typeof slurmFlags)[Flag]['type'] extends 'string' ? string : boolean };

/** What these flags say of a job; null without `--nodes`. @throws UsageError */
export function slurmOf(values: SlurmValues): SlurmOptions | null {
  const { nodes: text } = values;
  if (text === undefined) {
    const idle = (Object.keys(slurmFlags) as (keyof typeof slurmFlags)[]).find((flag) => values[flag] !== undefined);
    if (idle !== undefined) throw new UsageError(`--${idle} goes with --nodes`);
    return null;
  }
  const nodes = nodeCount(text);
  const seconds = amountOf('--time-limit', values['time-limit'], 'seconds', '30min');
  return {
    nodes,
    partition: values.partition ?? null,
    account: values.account ?? null,
    qos: values.qos ?? null,
    constraint: values.constraint ?? null,
    reservation: values.reservation ?? null,
    timeMinutes: seconds === null ? null : Math.max(1, Math.ceil(seconds / 60)),
    isExclusive: values['share-nodes'] !== true,
  };
}

/** @throws UsageError */
function nodeCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--nodes takes a number, not ${visibleText(text)}`);
  const nodes = Number(text);
  if (nodes < 1 || nodes > limits.clusterNodes) throw new UsageError(`--nodes takes 1 to ${limits.clusterNodes}`);
  return nodes;
}
