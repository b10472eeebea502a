import type { Answer } from '../../app/answer.js';
import { compareCheckpoints } from '../../app/comparison/compareCheckpoints.js';
import type { Platform } from '../../app/platform.js';
import { FormatError } from '../../core/bytes/formatError.js';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { SideProgress } from '../../protocol/messages.js';
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
  inspecting(progress: SideProgress): void;
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
  let last: Answer<ComparisonReport> | undefined;
  const answer = (): Answer<ComparisonReport> => {
    if (last === undefined) throw new FormatError('unsupported', 'nothing was compared');
    return last;
  };
  return {
    async compare({ values }, signal) {
      const input = { ...paths, ...(values === null ? {} : { values: true, sampleShare: values }) };
      const onInspecting = throttle((one: SideProgress) => progress.inspecting(one), progressIntervalMs);
      last = await compareCheckpoints(platform, input, {
        signal,
        pause: createPause(),
        onInspecting: (side, one) => onInspecting({ side, ...one }),
        onProgress: throttle((one: ValuesProgress) => progress.valuesRead(one), progressIntervalMs),
      });
      return last.report;
    },
    markdown: () => answer().markdown(),
    json: () => answer().json(),
  };
}
