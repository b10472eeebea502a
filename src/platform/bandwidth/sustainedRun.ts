import { fallOf } from '../../core/bandwidth/sustained/fall.js';
import { RateCurve, type RateBin } from '../../core/bandwidth/sustained/rateCurve.js';
import type { SustainedEnd, SustainedMeasurement } from '../../core/bandwidth/sustained/sustainedReport.js';
import {
  allSustainedFileNames,
  sustainedFileNames,
  type SustainedRequest,
} from '../../core/bandwidth/sustained/sustainedRequest.js';
import type { PhaseRunner } from './phaseRunner.js';
import type { CheckControl } from './sharedMemory.js';
import type { SustainedDone } from './streamJobs.js';

/** Between two looks at the bytes that were written. */
const lookMs = 100;
/** A fall is looked for once a second: it takes longer to settle. */
const looksOfVerdict = 10;

/** Whether the rate has fallen and settled. */
export type IsSettled = (bins: readonly RateBin[]) => boolean;

const hasSettled: IsSettled = (bins) => fallOf(bins).outcome === 'fell';

/**
 * Lets all streams write without a pause until the rate has settled, or a bound is reached. Files are used again, so that no more than the request's room
 * is taken; they are removed at the end.
 */
export async function runSustained(
  runner: PhaseRunner,
  request: SustainedRequest,
  isDirect: boolean,
  isSettled: IsSettled = hasSettled,
): Promise<SustainedMeasurement> {
  const { streams, fileBytes, mostBytes, mostSeconds } = request;
  const writtenBeforeBytes = runner.effort.written;
  const watch = new RateWatch(runner.control, isSettled);
  runner.control.allowBytes(mostBytes);
  runner.enter('sustained', 1, mostBytes, 1);
  try {
    const done = await runner.write<SustainedDone>(
      streams,
      'sustained',
      (stream, turn) => ({ kind: 'sustained', turn, names: sustainedFileNames(stream), fileBytes, isDirect }),
      mostSeconds,
      () => watch.begin(),
    );
    await runner.removeFiles(allSustainedFileNames(request));
    return {
      bins: watch.bins,
      bytes: done.reduce((sum, part) => sum + part.bytes, 0),
      seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
      endedBy: watch.endedBy,
      isDirect,
      writtenBeforeBytes,
    };
  } finally {
    watch.end();
  }
}

/** Looks at how much all streams have written, and ends the phase once the rate has settled. */
class RateWatch {
  private readonly curve = new RateCurve();
  private timer: NodeJS.Timeout | null = null;
  private looks = 0;
  private isSettled = false;

  constructor(
    private readonly control: CheckControl,
    private readonly decide: IsSettled,
  ) {}

  /** Right before the clock of the phase starts. */
  begin(): void {
    // The clock of the phase before runs until then: the first look is a tenth of a second later.
    this.timer = setInterval(() => this.look(), lookMs);
  }

  end(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  get bins(): RateBin[] {
    return this.curve.bins;
  }

  get endedBy(): SustainedEnd {
    if (this.isSettled) return 'settled';
    return this.control.hasRefusedBytes() ? 'bytes' : 'seconds';
  }

  private look(): void {
    // Streams that come to their end one after the other are no fall.
    if (this.control.isPastDeadline() || this.control.hasRefusedBytes()) return this.end();
    this.curve.look(this.control.secondsSinceStart(), this.control.doneOfAll());
    this.looks += 1;
    if (this.looks % looksOfVerdict !== 0 || !this.decide(this.curve.bins)) return;
    this.isSettled = true;
    this.control.endPhase();
    this.end();
  }
}
