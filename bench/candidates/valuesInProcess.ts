/** Values of all tensors in one thread, without the command line around it. usage: valuesInProcess.ts PATH */
import { valuesOfTable } from '../../src/app/values/valuesOfTable.js';
import { inspect } from '../../src/core/inspection/inspect.js';
import { readTasks } from '../../src/core/values/readTasks.js';
import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';

async function run(path: string) {
  const begin = performance.now();
  const tree = await createNodeFileTree(path);
  const { report, tensors: table } = await inspect(tree, { path });
  if (report.kind !== 'checkpoint') throw new Error(`a ${report.kind} has no tensors`);
  const values = await valuesOfTable(
    { path, table, files: report.files, findings: report.findings, readValues: (tasks, hooks) => readTasks(tree, tasks, hooks) },
    {},
  );
  return { workMs: performance.now() - begin, ...values };
}

run(process.argv[2] ?? '.').then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
