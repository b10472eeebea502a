import { listRuns, type RunsPlace } from '../app/runs/listRuns.js';
import { FormatError } from '../core/bytes/formatError.js';
import { joinPath } from '../core/files/paths.js';
import { comparisonMarkdown } from '../core/pages/render/comparisonMarkdown.js';
import { runItems } from '../core/pages/runs/runItems.js';
import { runsPage } from '../core/pages/runs/runsPage.js';
import { underWayWords } from '../core/pages/runs/underWayWords.js';
import { writePlanFile } from '../core/planning/inputs/writePlanFile.js';
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
  return {
    async runs(_params, signal) {
      listed = await listRuns(place, signal);
      return listed;
    },
    runItems: async (_params, signal) => {
      listed = await listRuns(place, signal);
      return runItems(listed, Date.now());
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
