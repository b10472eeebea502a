/** Stowage's core without the command line around it. usage: coreInProcess PATH [allocations | all-lengths] */
import { inspect } from '../../src/core/inspection/inspect.js';
import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';

async function run(target: string, allLengths: boolean) {
  const begin = performance.now();
  const { report, tensors } = await inspect(await createNodeFileTree(target), { path: target, allLengths });
  const workMs = performance.now() - begin;
  const found = { workMs, io: report.io, findings: report.findings.map(({ code }) => code) };
  if (report.kind === 'checkpoint') return { ...found, tensors: tensors.size };
  if (report.kind === 'collection') return { ...found, parts: report.parts.length };
  const { samples, tokens, lengths, shards } = report;
  return { ...found, samples, tokens: tokens?.count ?? null, lengths: lengths?.count ?? null, shards: shards.length };
}

async function main(target: string, mode: string | undefined) {
  const first = await run(target, mode === 'all-lengths');
  if (mode !== 'allocations') return first;
  // The second time, code is loaded and compiled, so growth is what the inspection itself allocates. The runner makes the young
  // generation large enough that nothing is collected in between.
  const total = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = total();
  const second = await run(target, false);
  return { ...first, secondWorkMs: second.workMs, allocatedBytes: total() - before };
}

main(process.argv[2] ?? '.', process.argv[3]).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
