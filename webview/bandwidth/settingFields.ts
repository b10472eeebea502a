/** The numbers that a check can be given, read by the same rules as a plan's. */
import type { CheckPreview } from '../../src/core/bandwidth/checkPreview.js';
import { usualSustainedBytes, usualSustainedSeconds } from '../../src/core/bandwidth/sustained/sustainedRequest.js';
import { usualBlockBytes } from '../../src/core/bandwidth/checkShape.js';
import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import { limits } from '../../src/core/bytes/limits.js';
import type { NumberField } from '../../src/core/planning/inputs/planField.js';
import type { Quantity } from '../../src/core/planning/inputs/quantities.js';
import { assumedIntervalSeconds } from '../../src/core/bandwidth/verdict/verdict.js';

export const amountKeys = [
  'sizeBytes',
  'intervalSeconds',
  'seconds',
  'spaceBytes',
  'repeats',
  'streams',
  'blockBytes',
  'sustainedBytes',
  'sustainedSeconds',
] as const;
export type AmountKey = (typeof amountKeys)[number] & keyof CheckSettings;
/** What may hold a text that is no value. */
export type TypedKey = AmountKey | 'sweepStreams';

/** The inputs that are not shown with these settings, as what they are for is not asked for. */
export function hiddenKeys({ replayOf, sweepStreams, isSustained }: CheckSettings): TypedKey[] {
  return [
    ...(replayOf === null ? [] : ['sizeBytes' as const]),
    ...(sweepStreams === null ? ['sweepStreams' as const] : []),
    ...(isSustained ? [] : ['sustainedBytes' as const, 'sustainedSeconds' as const]),
  ];
}

type Bounds = Pick<NumberField, 'minimum' | 'maximum' | 'shown' | 'whole' | 'standard'>;

function field(label: string, hint: string, quantity: Quantity, bounds: Bounds): NumberField {
  return { kind: 'number', group: 'saving', label, hint, quantity, ...bounds };
}

const mebibyte = 1024 * 1024;
const oneOrMore = (maximum: number, standard: number | null): Bounds => ({
  minimum: 1,
  maximum,
  standard,
  whole: true,
  shown: { unit: '', size: 1 },
});

export const settingFields: Readonly<Record<AmountKey, NumberField>> = {
  sizeBytes: field('Size of a save', 'all files of one checkpoint; scaled down where the space is less', 'bytes', {
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    standard: null,
    whole: true,
    shown: { unit: 'GB', size: 1e9 },
  }),
  intervalSeconds: field('Interval of saves', 'training time between two saves, which the verdict compares with', 'seconds', {
    minimum: 1e-3,
    maximum: 1e9,
    standard: null,
    shown: { unit: 'min', size: 60 },
  }),
  seconds: field('Time, at most', 'for all repeats together', 'seconds', {
    minimum: 1,
    maximum: limits.checkSeconds,
    // It has none, but an input that is emptied needs a value.
    standard: 30,
    shown: { unit: 's', size: 1 },
  }),
  spaceBytes: field('Space, at most', 'bytes there at once', 'bytes', {
    minimum: limits.checkSectorBytes,
    maximum: Number.MAX_SAFE_INTEGER,
    standard: null,
    whole: true,
    shown: { unit: 'GB', size: 1e9 },
  }),
  repeats: field('Repeats', 'times that everything is written and read', 'count', oneOrMore(limits.checkRepeats, 3)),
  streams: field('Streams', 'threads that write at the same time, as ranks do', 'count', oneOrMore(limits.checkStreams, null)),
  blockBytes: field('Block', 'bytes of one write and one read', 'bytes', {
    minimum: limits.checkSectorBytes,
    maximum: limits.checkBlockBytes,
    standard: null,
    whole: true,
    shown: { unit: 'MiB', size: mebibyte },
  }),
  sustainedBytes: field('Bytes, at most', 'written in all for the sustained rate; the room is used again', 'bytes', {
    minimum: limits.checkSectorBytes,
    maximum: Number.MAX_SAFE_INTEGER,
    standard: null,
    whole: true,
    shown: { unit: 'GB', size: 1e9 },
  }),
  sustainedSeconds: field('Duration, at most', 'for the sustained rate', 'seconds', {
    minimum: 1,
    maximum: limits.sustainedSeconds,
    standard: null,
    shown: { unit: 'min', size: 60 },
  }),
};

/** What a check uses where nothing is set; null while that is unknown. */
export function derivedSetting(key: AmountKey, preview: CheckPreview | null): number | null {
  switch (key) {
    case 'sizeBytes':
      return preview?.request?.shape.realBytes ?? null;
    case 'spaceBytes':
      return preview?.space.bytes ?? null;
    case 'streams':
      return preview?.request?.shape.streams ?? null;
    case 'blockBytes':
      return preview?.request?.shape.blockBytes ?? usualBlockBytes;
    case 'sustainedBytes':
      return usualSustainedBytes;
    case 'sustainedSeconds':
      return usualSustainedSeconds;
    case 'intervalSeconds':
      return assumedIntervalSeconds;
    case 'seconds':
    case 'repeats':
      return null;
  }
}
