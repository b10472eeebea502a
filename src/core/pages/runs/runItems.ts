/** Runs and their checkpoints as the lines of a tree. */
import { baseName } from '../../files/paths.js';
import type { ReportedRun, RunsReport } from '../../runs/runsReport.js';
import type { SavedCheckpoint } from '../../runs/savedCheckpoint.js';
import { counted, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { pathInRun } from '../../runs/pathInRun.js';
import { visibleText } from '../../text/visibleText.js';
import { saveState } from './checkpointTable.js';
import { headlineOf, reasonsOf, wrongOf } from './runWords.js';

export interface TreeItem {
  /** Relative to the listed directory; empty for that itself. */
  path: string;
  label: string;
  description: string;
  tooltip: string;
  isWrong: boolean;
  isHeld: boolean;
  /** Of a run whose directory has another one (`TrainingRun.names`); null for all else. */
  names: string | null;
}

export interface RunItem extends TreeItem {
  /** The newest first. */
  checkpoints: TreeItem[];
}

/**
 * @param nowMs milliseconds since 1970
 * @param held reasons for which checkpoints are held, by their paths
 */
export function runItems(
  { path, runs }: Pick<RunsReport, 'path' | 'runs'>,
  nowMs: number,
  held: ReadonlyMap<string, string> = new Map(),
): RunItem[] {
  return runs.map((run) => ({
    path: run.path,
    names: run.names,
    label: labelOf(run, path),
    description: `${counted(run.checkpoints.length, 'checkpoint')}, ${formatBytes(run.bytes)}`,
    tooltip: [headlineOf(run), ...reasonsOf(run)].join('\n'),
    isWrong: wrongOf(run).length > 0,
    isHeld: false,
    checkpoints: [...run.checkpoints].reverse().map((one) => checkpointItem(one, run, nowMs, held.get(one.path))),
  }));
}

function labelOf({ path, names }: ReportedRun, root: string): string {
  const directory = visibleText(baseName(path === '' ? root.replaceAll('\\', '/') : path));
  return names === null ? directory : `${directory} (${visibleText(names)})`;
}

function checkpointItem(one: SavedCheckpoint, run: ReportedRun, nowMs: number, hold: string | undefined): TreeItem {
  const { path, step, bytes, finishedMs, files } = one;
  const age = finishedMs === null || finishedMs > nowMs ? '' : `${shortTime((nowMs - finishedMs) / 1000)} ago`;
  const state = saveState(one);
  const name = visibleText(pathInRun(run, path)) || 'the model here';
  return {
    path,
    label: name,
    description: [
      step === null ? '' : `step ${formatCount(step)}`,
      formatBytes(bytes),
      age,
      state,
      hold === undefined ? '' : `held: ${visibleText(hold)}`,
    ]
      .filter((text) => text !== '')
      .join(' · '),
    tooltip: `${counted(files, 'file')}, ${formatCount(bytes)} bytes${one.owners.length === 0 ? '' : `, of ${one.owners.map(visibleText).join(', ')}`}`,
    isWrong: !one.complete,
    isHeld: hold !== undefined,
    names: null,
  };
}
