import { amountOf } from '../amountFlags.js';
import { checkSettings } from '../../app/bandwidth/checkSettings.js';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import { problemOfSettings } from '../../core/bandwidth/settingsProblem.js';
import { benchmarkTools, type BenchmarkTool } from '../../core/bandwidth/jobs/toolScript.js';
import { visibleText } from '../../core/text/visibleText.js';
import { isObjectStoreAddress, isRemoteAddress, remoteScheme } from '../../core/files/remote/remoteScheme.js';
import { sweepOf, withSweepValue } from './sweepFlag.js';
import { parseFlags, refuseTwoForms, reportFlags } from '../flags.js';
import { slurmFlags, slurmOf } from '../slurmFlags.js';
import { UsageError } from '../usageError.js';

/** `--like` and `--accept-cautions` are earlier names of `--replay` and `--accept-warnings`. */
const flags = {
  ...reportFlags,
  replay: { type: 'string' },
  like: { type: 'string' },
  size: { type: 'string' },
  streams: { type: 'string' },
  block: { type: 'string' },
  seconds: { type: 'string' },
  space: { type: 'string' },
  repeats: { type: 'string' },
  interval: { type: 'string' },
  sweep: { type: 'string' },
  sustained: { type: 'boolean' },
  'sustained-bytes': { type: 'string' },
  'sustained-seconds': { type: 'string' },
  output: { type: 'string' },
  ...slurmFlags,
  with: { type: 'string' },
  endpoint: { type: 'string' },
  region: { type: 'string' },
  profile: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  'accept-warnings': { type: 'boolean' },
  'accept-cautions': { type: 'boolean' },
  'remove-left': { type: 'boolean' },
} as const;

export type BandwidthFlags = ReturnType<typeof readBandwidthFlags>;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

const takenPlaces = 'bandwidth takes one directory, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix';

/** @throws UsageError */
export function readBandwidthFlags(args: readonly string[]) {
  const { values, positionals } = parseFlags(withSweepValue(args), flags);
  const [target, ...more] = positionals;
  if (target === undefined || more.length > 0) throw new UsageError(takenPlaces);
  if (isRemoteAddress(target) && !isObjectStoreAddress(target))
    throw new UsageError(`${takenPlaces}, not ${remoteScheme(target) ?? ''}://`);
  refuseTwoForms(values);
  if (values.output !== undefined && (values.json === true || values.with !== undefined))
    throw new UsageError('--output writes Markdown, without --json and --with');
  const replayOf = values.replay ?? values.like ?? null;
  if (replayOf !== null && values.size !== undefined) throw new UsageError('--replay and --size exclude each other');
  const seconds = secondsOf('--seconds', values.seconds);
  const repeats = countOf('--repeats', values.repeats);
  const settings = checkSettings({
    target,
    replayOf,
    sizeBytes: bytesOf('--size', values.size),
    streams: countOf('--streams', values.streams),
    blockBytes: bytesOf('--block', values.block),
    ...(seconds === null ? {} : { seconds }),
    ...(repeats === null ? {} : { repeats }),
    spaceBytes: bytesOf('--space', values.space),
    intervalSeconds: secondsOf('--interval', values.interval),
    ...sweepAndSustained(values),
  });
  const problem = problemOfSettings(settings) ?? problemOfPlace(target, values);
  if (problem !== null) throw new UsageError(problem);
  const acceptsWarnings = values['accept-warnings'] ?? values['accept-cautions'] ?? false;
  return { settings, values, acceptsWarnings, slurm: slurmOf(values), tool: toolOf(values.with) };
}

function sweepAndSustained(
  values: Values,
): Pick<CheckSettings, 'sweepStreams' | 'isSustained' | 'sustainedBytes' | 'sustainedSeconds'> {
  const isSustained = values.sustained === true;
  const idle = (['sustained-bytes', 'sustained-seconds'] as const).find((flag) => values[flag] !== undefined);
  if (!isSustained && idle !== undefined) throw new UsageError(`--${idle} goes with --sustained`);
  return {
    sweepStreams: values.sweep === undefined ? null : sweepOf(values.sweep),
    isSustained,
    sustainedBytes: bytesOf('--sustained-bytes', values['sustained-bytes']),
    sustainedSeconds: secondsOf('--sustained-seconds', values['sustained-seconds']),
  };
}

/** Flags that say something of an object store, and nothing of a directory; and the other way round. */
function problemOfPlace(target: string, values: Values): string | null {
  if (isObjectStoreAddress(target)) {
    const idle = (['nodes', 'with', 'sweep', 'sustained'] as const).find((flag) => values[flag] !== undefined);
    return idle === undefined ? null : `--${idle} goes with a directory`;
  }
  const part = (['sweep', 'sustained'] as const).find((flag) => values[flag] !== undefined);
  const without = (['nodes', 'with'] as const).find((flag) => values[flag] !== undefined);
  if (part !== undefined && without !== undefined) return `--${part} is measured on this machine, without --${without}`;
  const idle = (['endpoint', 'region', 'profile'] as const).find((flag) => values[flag] !== undefined);
  return idle === undefined ? null : `--${idle} goes with s3://bucket/prefix`;
}

function toolOf(text: string | undefined): BenchmarkTool | null {
  if (text === undefined) return null;
  const tool = benchmarkTools.find((known) => known === text);
  if (tool === undefined) throw new UsageError(`--with takes one of ${benchmarkTools.join(', ')}`);
  return tool;
}

function bytesOf(flag: string, text: string | undefined): number | null {
  return amountOf(flag, text, 'bytes', '4GiB');
}

function secondsOf(flag: string, text: string | undefined): number | null {
  return amountOf(flag, text, 'seconds', '30min');
}

function countOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`${flag} takes a number, not ${visibleText(text)}`);
  return Number(text);
}
