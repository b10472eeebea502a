import { heldCheckpoints } from '../app/runs/heldCheckpoints.js';
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
import { withHold, withoutHold } from '../core/retention/editHolds.js';
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
    async retention({ workspace }, signal) {
      if (place.local === null)
        throw new FormatError('unsupported', 'a retention policy is applied to files of this machine alone');
      retained = await retentionOf(place.local, { path: place.path, ...(workspace === null ? {} : { workspace }) }, { signal });
      return { decision: retentionPage(retained.report).decision, markdown: retained.markdown() };
    },
    retentionScripts() {
      if (retained === undefined) throw new FormatError('unsupported', 'no policy was applied');
      return retained.scripts();
    },
    async runs({ isFollowed }, signal) {
      listed = await listRuns(isFollowed ? { ...place, openFolders: () => place.openFollowed() } : place, signal);
      return listed;
    },
    runItems: async (_params, signal) => {
      listed = await listRuns(place, signal);
      const nowMs = Date.now();
      return runItems(listed, nowMs, await heldCheckpoints(listed, await place.openFolders(), nowMs, signal));
    },
    underWay() {
      const save =
        result()
          .runs.map((run) => saveUnderWay(run, Date.now()))
          .find((one) => one !== null) ?? null;
      return save === null ? null : { text: underWayWords(save), isStalled: save.isStalled };
    },
    runsMarkdown: () => comparisonMarkdown(runsPage(result())),
    planOfRun({ path, names }) {
      const run = result().runs.find((one) => one.path === path && one.names === names);
      if (run === undefined) throw new FormatError('unsupported', 'there is no such run');
      return writePlanFile(planOfRun(joinPath(place.path, path), run));
    },
  };
}
