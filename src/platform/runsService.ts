import { listRuns, type RunsPlace } from '../app/runs/listRuns.js';
import { retentionOf, type RetentionAnswer } from '../app/retention/retentionOf.js';
import { FormatError } from '../core/bytes/formatError.js';
import { joinPath } from '../core/files/paths.js';
import { comparisonMarkdown } from '../core/pages/render/comparisonMarkdown.js';
import { retentionPage } from '../core/pages/retention/retentionPage.js';
import { runItems } from '../core/pages/runs/runItems.js';
import { runsPage } from '../core/pages/runs/runsPage.js';
import { underWayWords } from '../core/pages/runs/underWayWords.js';
import { writePlanFile } from '../core/planning/inputs/writePlanFile.js';
import { holdsPath, isHeldBy, readHolds } from '../core/retention/holds.js';
import { SmallFiles } from '../core/retention/smallFile.js';
import { withHold, withoutHold } from '../core/retention/editHolds.js';
import { limits } from '../core/bytes/limits.js';
import { planOfRun } from '../core/planning/sources/planOfRun.js';
import type { RunsReport } from '../core/runs/runsReport.js';
import { saveUnderWay } from '../core/runs/saveUnderWay.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { RunsRequests } from './inspector.js';

/** Answers what is asked of the runs below a path: `runs` lists them, and the others are about what it found last. */
export function createRunsService(place: RunsPlace): RpcHandlers<RunsRequests> {
  let listed: RunsReport | undefined;
  const result = (): RunsReport => {
    if (listed === undefined) throw new FormatError('unsupported', 'the runs have not been listed');
    return listed;
  };
  let retained: RetentionAnswer | undefined;
  return {
    editHolds: ({ text, path, reason }) => (reason === null ? withoutHold(text ?? '', path) : withHold(text, path, reason)),
    async retention(_params, signal) {
      if (place.local === null)
        throw new FormatError('unsupported', 'a retention policy is applied to files of this machine alone');
      retained = await retentionOf(place.local, { path: place.path }, { signal });
      return { decision: retentionPage(retained.report).decision, markdown: retained.markdown() };
    },
    retentionScripts() {
      if (retained === undefined) throw new FormatError('unsupported', 'no policy was applied');
      return retained.scripts();
    },
    async runs(_params, signal) {
      listed = await listRuns(place, signal);
      return listed;
    },
    runItems: async (_params, signal) => {
      listed = await listRuns(place, signal);
      return runItems(listed, Date.now(), await heldPaths(listed, place, signal));
    },
    underWay() {
      const save =
        result()
          .runs.map((run) => saveUnderWay(run, Date.now()))
          .find((one) => one !== null) ?? null;
      return save === null ? null : { text: underWayWords(save), isStalled: save.isStalled };
    },
    runsMarkdown: () => comparisonMarkdown(runsPage(result())),
    planOfRun({ path }) {
      const run = result().runs.find((one) => one.path === path);
      if (run === undefined) throw new FormatError('unsupported', 'there is no such run');
      return writePlanFile(planOfRun(joinPath(place.path, path), run));
    },
  };
}

/** Checkpoints that the holds of their run name, with the reasons. A file of holds with an error says nothing here; a retention plan refuses it. */
async function heldPaths({ runs }: RunsReport, place: RunsPlace, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const files = new SmallFiles(await place.openTree(), signal);
  const held = new Map<string, string>();
  for (const run of runs) {
    const text = await files.text(joinPath(run.path, holdsPath), limits.retentionCharacters);
    const holds = text === null ? [] : await readHolds(text).catch(() => []);
    for (const { path } of run.checkpoints) {
      const own = run.path === '' ? path : path.slice(run.path.length + 1);
      const hold = holds.find((one) => isHeldBy(one, own));
      if (hold !== undefined) held.set(path, hold.reason);
    }
  }
  return held;
}
