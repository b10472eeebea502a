/** What is left of the write rate once the burst is spent. */
import { limits } from '../../bytes/limits.js';
import { fallOf, usualFallRule, type FallOutcome } from './fall.js';
import { mergedBins, rateOfBins, sumOfBins, type RateBin } from './rateCurve.js';
import { sustainedRoom, type SustainedRequest } from './sustainedRequest.js';

/** `settled`: the rate fell and stayed down. The others are the bounds. */
export const sustainedEnds = ['settled', 'bytes', 'seconds'] as const;
export type SustainedEnd = (typeof sustainedEnds)[number];

export interface SustainedMeasurement {
  bins: RateBin[];
  /** All that was written, the remainder after the last bin included. */
  bytes: number;
  seconds: number;
  endedBy: SustainedEnd;
  isDirect: boolean;
  /** Written by the same check before, which may have spent a part of the burst. */
  writtenBeforeBytes: number;
}

/** `spent-before`: there is no fall, but the rate is below that of the repeats, which had spent the burst. */
export const sustainedOutcomes = ['steady', 'fell', 'spent-before', 'unsettled'] as const;
export type SustainedOutcome = (typeof sustainedOutcomes)[number];

export interface SustainedReport {
  outcome: SustainedOutcome;
  /** What stays; where it is `unsettled` the rate at the end, which may still fall. */
  bytesPerSecond: number;
  /** Of the slowest and the fastest quarter of the time that counts. */
  minimumBytesPerSecond: number;
  maximumBytesPerSecond: number;
  /** Ahead of the fall; null where there is none. */
  burst: { bytesPerSecond: number; bytes: number; seconds: number } | null;
  bytes: number;
  seconds: number;
  endedBy: SustainedEnd;
  mostBytes: number;
  mostSeconds: number;
  /** Most bytes that were there at once: a cache that holds as many may have taken them all. */
  roomBytes: number;
  writtenBeforeBytes: number;
  streams: number;
  isDirect: boolean;
  /** The rate up to each moment since the start. */
  curve: { seconds: number; bytesPerSecond: number }[];
}

/** What the repeats of the same check wrote. */
interface Repeats {
  medianBytesPerSecond: number;
  samples: readonly RateBin[];
}

/** Below this share of the repeats' median the burst was spent before. */
const spentShare = 0.8;

export function sustainedReport(
  measurement: SustainedMeasurement,
  request: SustainedRequest,
  repeats: Repeats,
  rule = usualFallRule,
): SustainedReport {
  const { bins, bytes, seconds, endedBy, isDirect, writtenBeforeBytes } = measurement;
  // Written in less time than a look takes: the whole is all that is known.
  const known = bins.length > 0 ? bins : [{ bytes, seconds }];
  const { outcome, burst, tail } = fallOf(known, rule);
  const { mostBytes, mostSeconds, streams } = request;
  return {
    ...burstOf(outcome, burst, tail.bytesPerSecond, repeats),
    bytesPerSecond: tail.bytesPerSecond,
    minimumBytesPerSecond: tail.minimumBytesPerSecond,
    maximumBytesPerSecond: tail.maximumBytesPerSecond,
    bytes,
    seconds,
    endedBy,
    mostBytes,
    mostSeconds,
    roomBytes: Math.min(sustainedRoom(request), bytes),
    writtenBeforeBytes,
    streams,
    isDirect,
    curve: curveOf(known),
  };
}

function burstOf(
  outcome: FallOutcome,
  burst: SustainedReport['burst'],
  rate: number,
  { medianBytesPerSecond, samples }: Repeats,
): Pick<SustainedReport, 'outcome' | 'burst'> {
  if (outcome !== 'steady' || rate >= spentShare * medianBytesPerSecond) return { outcome, burst };
  return { outcome: 'spent-before', burst: { ...sumOfBins(samples), bytesPerSecond: medianBytesPerSecond } };
}

function curveOf(bins: readonly RateBin[]): SustainedReport['curve'] {
  let seconds = 0;
  return mergedBins(bins, limits.sustainedCurvePoints).map((bin) => {
    seconds += bin.seconds;
    return { seconds, bytesPerSecond: rateOfBins([bin]) };
  });
}
