import type { CheckRequest } from '../measurement.js';
import { elbenchoPart } from './elbenchoJob.js';
import { fioPart } from './fioJob.js';
import { iorPart } from './iorJob.js';
import { shellWord } from '../../jobs/shellWord.js';
import { jobMinutes, slurmDirectives, type SlurmOptions } from '../../jobs/slurmOptions.js';
import type { ToolPart } from './toolPart.js';

/** Tools for which the equivalent job can be written. */
export const benchmarkTools = ['fio', 'elbencho', 'ior'] as const;
export type BenchmarkTool = (typeof benchmarkTools)[number];

const parts: Readonly<Record<BenchmarkTool, (request: CheckRequest, nodes: number | null) => ToolPart>> = {
  fio: fioPart,
  elbencho: elbenchoPart,
  ior: iorPart,
};

/**
 * A script in which another tool does what a request asks for: the same bytes, block size, streams and repeats, past the cache and
 * synced. It makes a folder of its own, and removes it however it ends.
 * @param slurm null for this machine alone
 * @throws JobError `bad-setting` for paths and options that cannot be part of a script
 */
export function toolScript(tool: BenchmarkTool, request: CheckRequest, slurm: SlurmOptions | null): string {
  const { differences, lines } = parts[tool](request, slurm?.nodes ?? null);
  const job = { name: `stowage-${tool}`, logFile: null, standardMinutes: jobMinutes(request.seconds) };
  return [
    '#!/bin/sh',
    ...(slurm === null ? [] : slurmDirectives(slurm, job)),
    ...headLines(tool, request, slurm?.nodes ?? 1),
    ...differences.map((difference) => `# ${difference}`),
    'set -eu',
    `TARGET=${shellWord(request.target)}`,
    // The traps come first: a job that is ended right after the folder was made removes it as well.
    'CHECK=',
    `trap '[ -z "$CHECK" ] || { cd / && rm -rf -- "$CHECK"; }' EXIT`,
    "trap 'exit 143' HUP INT TERM",
    `CHECK=$(mktemp -d "$TARGET/stowage-${tool}-XXXXXXXXXX")`,
    'if dd if=/dev/zero of="$CHECK/probe" bs=4096 count=1 oflag=direct 2>/dev/null; then DIRECT=1; else DIRECT=0; fi',
    'rm -f "$CHECK/probe"',
    'export CHECK DIRECT',
    'cd "$CHECK"',
    ...lines,
    '',
  ].join('\n');
}

function headLines(tool: BenchmarkTool, { target, shape, repeats }: CheckRequest, nodes: number): string[] {
  const bytes = shape.totalBytes * nodes;
  return [
    '#',
    `# Measures the bandwidth of ${shellWord(target)} with ${tool}: makes a new folder there,`,
    `# writes ${bytes} bytes (${(bytes / 1e9).toPrecision(3)} GB) in ${shape.files.length * nodes} files, reads them back, ${repeats} times, and removes it.`,
  ];
}
