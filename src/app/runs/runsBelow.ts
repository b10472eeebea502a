import type { RunsReport } from '../../core/runs/runsReport.js';
import { runsPage } from '../../core/pages/runs/runsPage.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { jsonText, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';
import type { RunsInput } from '../useCaseInputs.js';
import { listRuns } from './listRuns.js';

/**
 * The runs below a directory of this machine.
 * @throws PathError where it cannot be listed
 */
export async function runsBelow(platform: Platform, { path }: RunsInput, hooks: Hooks = {}): Promise<Answer<RunsReport>> {
  const report = await reportOf(platform, path, hooks);
  const page = runsPage(report);
  return {
    report,
    json: () => jsonText(report),
    markdown: () => comparisonMarkdown(page),
    terminal: (options) => renderComparisonTerminal(page, options),
  };
}

async function reportOf(platform: Platform, path: string, { signal }: Hooks): Promise<RunsReport> {
  const place = {
    path,
    openTree: () => platform.openTree(path),
    freeBytes: () => platform.freeBytes(path, undefined),
  };
  try {
    return await listRuns(place, signal);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    throw new PathError(path, `cannot be read: ${error.detail}`, { cause: error });
  }
}
