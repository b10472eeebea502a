/** Two inspections, and the comparison of both. usage: compareInProcess A B [inspect] */
import { compareReports } from '../../src/core/comparison/compareReports.js';
import type { ComparedCheckpoint } from '../../src/core/comparison/comparedCheckpoint.js';
import { countedTree } from '../../src/core/files/countedTree.js';
import { inspect } from '../../src/core/inspection/inspect.js';
import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';

async function sideOf(path: string, counter: { bytesRead: number; reads: number }): Promise<ComparedCheckpoint> {
  const opened = await createNodeFileTree(path);
  const tree = countedTree(opened, counter);
  const { report, tensors: table } = await inspect(tree, { path });
  if (report.kind !== 'checkpoint') throw new Error(`${path} is no checkpoint`);
  return { report, table, tree, opened: { path, tree: opened, place: (file) => file }, run: null };
}

async function main([a = '.', b = '.', mode]: string[]) {
  const counter = { bytesRead: 0, reads: 0 };
  const begin = performance.now();
  const [own, other] = [await sideOf(a, counter), await sideOf(b, counter)];
  if (mode === 'inspect') return { workMs: performance.now() - begin, tensors: own.table.size + other.table.size };
  const { report } = await compareReports(own, other, counter);
  const { same, renamed, counts } = report.tensors;
  const isBounded = renamed.length <= counts.renamed;
  return { workMs: performance.now() - begin, matched: same + counts.renamed, isBounded, io: counter };
}

main(process.argv.slice(2)).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
