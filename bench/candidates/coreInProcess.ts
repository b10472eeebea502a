/** Stowage's core without the command line around it. usage: coreInProcess PATH [allocations] */
import { inspect } from '../../src/core/inspect.js';
import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';

async function run(target: string) {
  const begin = performance.now();
  const { report, tensors } = await inspect(await createNodeFileTree(target), { path: target });
  return {
    workMs: performance.now() - begin,
    tensors: tensors.size,
    io: report.io,
    findings: report.findings.map(({ code }) => code),
  };
}

async function main(target: string, withAllocations: boolean) {
  const first = await run(target);
  if (!withAllocations) return first;
  // The second time, code is loaded and compiled, so growth is what the inspection itself allocates. The runner makes the young
  // generation large enough that nothing is collected in between.
  const total = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = total();
  const second = await run(target);
  return { ...first, secondWorkMs: second.workMs, allocatedBytes: total() - before };
}

main(process.argv[2] ?? '.', process.argv[3] === 'allocations').then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
