import { changesMeanwhile } from '../../app/comparison/changesMeanwhile.js';
import {
  compareSides,
  openSides,
  type Compared,
  type ComparisonHooks,
  type OpenedSides,
} from '../../app/comparison/compareCheckpoints.js';
import type { Platform } from '../../app/platform.js';
import { FormatError } from '../../core/bytes/formatError.js';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import { swapped } from '../../core/comparison/values/heldValues.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { InspectionProgress } from '../../protocol/messages.js';
import type { RpcHandlers } from '../../protocol/rpc.js';
import { createPause } from '../pause.js';
import { throttle } from '../throttle.js';
import type { ComparerRequests } from './comparer.js';

const progressIntervalMs = 50;

/** What is compared. */
interface ComparedPlaces {
  /** What each side is called in the report. */
  paths: Record<SideName, string>;
  openTree(side: SideName): Promise<FileTree>;
  /** What reads values of both; null where nothing does. */
  readPairs: Platform['readPairs'] | null;
}

/** Receives progress. */
interface Progress {
  inspecting(progress: InspectionProgress): void;
  valuesRead(progress: ValuesProgress): void;
}

/** Answers a comparer's requests: inspects both sides, compares them, and keeps what came of it. */
export function createComparisonService(places: ComparedPlaces, progress: Progress): RpcHandlers<ComparerRequests> {
  const { paths, readPairs } = places;
  const platform: Pick<Platform, 'openTree' | 'readPairs'> = {
    openTree: (path) => places.openTree(path === paths.a ? 'a' : 'b'),
    readPairs: (reading, hooks) => {
      if (readPairs === null) throw new FormatError('unsupported', 'values are not read in a browser');
      return readPairs(reading, hooks);
    },
  };
  let held: Held | undefined;
  const last = (): Held => {
    if (held === undefined) throw new FormatError('unsupported', 'nothing was compared');
    return held;
  };
  const hooksOf = (signal: AbortSignal): ComparisonHooks => {
    return {
      signal,
      pause: createPause(),
      onInspecting: throttle((one: InspectionProgress) => progress.inspecting(one), progressIntervalMs),
      onProgress: throttle((one: ValuesProgress) => progress.valuesRead(one), progressIntervalMs),
    };
  };
  /** Those that were inspected, as long as nothing was written there. */
  const currentSides = async (hooks: ComparisonHooks): Promise<OpenedSides> => {
    const { sides } = held ?? {};
    if (sides === undefined) return openSides(platform, paths, hooks);
    const changes = [
      ...(await changesMeanwhile(platform, sides.a, 'a', hooks.signal)),
      ...(await changesMeanwhile(platform, sides.b, 'b', hooks.signal)),
    ];
    return changes.length === 0 ? sides : openSides(platform, { a: sides.a.opened.path, b: sides.b.opened.path }, hooks);
  };
  const keep = (sides: OpenedSides, input: Held['input'], compared: Compared): ComparisonReport => {
    held = { sides, input, ...compared };
    return compared.answer.report;
  };
  return {
    async compare({ values }, signal) {
      const input = values === null ? {} : { values: true, sampleShare: values };
      const hooks = hooksOf(signal);
      const sides = await currentSides(hooks);
      return keep(sides, input, await compareSides(platform, sides, input, hooks));
    },
    async swap(_, signal) {
      const { sides, input, values } = last();
      const turned = { ...sides, a: sides.b, b: sides.a };
      const known = values === null ? undefined : swapped(values);
      return keep(turned, input, await compareSides(platform, turned, input, hooksOf(signal), known));
    },
    markdown: () => last().answer.markdown(),
    json: () => last().answer.json(),
  };
}

/** What was compared last. */
interface Held extends Compared {
  sides: OpenedSides;
  input: { values?: boolean; sampleShare?: number };
}
