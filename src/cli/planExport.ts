/** `stowage plan --export`: a plan in the forms that other programs read. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PlanAnswer } from '../app/plans/planFrom.js';
import { exportIds, isYaml, planExports, type ExportId } from '../core/pages/plan/planExports.js';
import { exportName } from '../core/planning/export/exportName.js';
import { isKubernetesName } from '../core/jobs/kubernetesName.js';
import { claimNeeds } from '../core/planning/export/volumeClaim.js';
import { visibleText } from '../core/text/visibleText.js';
import { exitCode } from './exitCode.js';
import { writePlanMarkdown } from './planMarkdownFiles.js';
import { UsageError } from './usageError.js';
import { writeFiles } from './writeFiles.js';
import { writeOut } from './writeOut.js';

export interface AskedExports {
  ids: ExportId[];
  storageClass: string | undefined;
  volume: string | undefined;
}

interface Flags {
  export?: string[];
  'storage-class'?: string;
  volume?: string;
  json?: boolean;
  markdown?: boolean;
  all?: boolean;
  section?: string[];
  against?: string[];
}

/** What is exported; null without `--export`. @throws UsageError */
export function exportsOf(flags: Flags): AskedExports | null {
  const { export: asked, 'storage-class': storageClass, volume } = flags;
  const other = (['json', 'markdown', 'all', 'section', 'against'] as const).find((flag) => flags[flag] !== undefined);
  if (asked !== undefined && other !== undefined) throw new UsageError(`--export and --${other} exclude each other`);
  const ids = [...new Set((asked ?? []).flatMap((names) => names.split(',')).map(exportOf))];
  for (const [flag, name] of [
    ['--storage-class', storageClass],
    ['--volume', volume],
  ] as const) {
    if (name === undefined) continue;
    if (!ids.includes('kubernetes')) throw new UsageError(`${flag} is of --export kubernetes`);
    if (!isKubernetesName(name)) throw new UsageError(`${flag} takes a name as Kubernetes has them, not ${visibleText(name)}`);
  }
  return asked === undefined ? null : { ids, storageClass, volume };
}

function exportOf(name: string): ExportId {
  const found = exportIds.find((id) => id === name.trim());
  if (found === undefined) throw new UsageError(`--export takes ${exportIds.join(', ')}, not ${visibleText(name)}`);
  return found;
}

/**
 * Exports a plan to standard output or a file, as documents of one stream where all of it is YAML, or into a folder, a file each.
 * @param output a file or a folder; undefined for standard output
 * @returns the exit code
 * @throws UsageError where a name is missing, and for several exports that one stream cannot hold
 */
export async function exportPlan(answer: PlanAnswer, asked: AskedExports, output: string | undefined): Promise<number> {
  const { ids } = asked;
  const volume = ids.includes('kubernetes') ? volumeOf(answer, asked) : '';
  const shown = { ...answer, problems: [...answer.problems] };
  const textOf = (id: ExportId): string => planExports[id].text(shown, volume);
  if (output !== undefined && (await isFolder(output)))
    return writeFiles(
      output,
      ids.map((id) => ({
        path: path.join(output, `${exportName(answer.document.name)}.${planExports[id].ending}`),
        content: textOf(id),
      })),
    );
  if (ids.length > 1 && !ids.every(isYaml))
    throw new UsageError(`one file holds YAML alone: name a folder (--output FOLDER/) for ${ids.join(', ')}`);
  const [only] = ids;
  if (output !== undefined && only === 'markdown') return writePlanMarkdown(output, answer);
  const text = ids.map(textOf).join('---\n');
  if (output !== undefined) return writeFiles(output, [{ path: output, content: text }]);
  await writeOut(text);
  return exitCode.done;
}

/** @throws UsageError */
function volumeOf({ plan }: PlanAnswer, { storageClass, volume }: AskedExports): string {
  const { what, hint } = claimNeeds(plan);
  const [flag, name, other] =
    what === 'volume' ? (['--volume', volume, storageClass] as const) : (['--storage-class', storageClass, volume] as const);
  if (name === undefined || other !== undefined) throw new UsageError(`--export kubernetes takes ${flag} NAME here. ${hint}`);
  return name;
}

async function isFolder(output: string): Promise<boolean> {
  if (output.endsWith('/') || output.endsWith(path.sep)) return true;
  try {
    return (await stat(output)).isDirectory();
  } catch {
    return false;
  }
}
