/** Two inspections one after the other, or both with the comparison, as `stowage compare` makes it. usage: compareInProcess A B [inspect] */
import { compareSides, openSides } from '../../src/app/comparison/compareCheckpoints.js';
import { inspect } from '../../src/core/inspection/inspect.js';
import { createNodeFileTree } from '../../src/platform/nodeFileTree.js';
import { createNodePlatform } from '../../src/platform/nodePlatform.js';

async function main([a = '.', b = '.', mode]: string[]) {
  const begin = performance.now();
  if (mode === 'inspect') {
    let tensors = 0;
    for (const path of [a, b]) tensors += (await inspect(await createNodeFileTree(path), { path })).tensors.size;
    return { workMs: performance.now() - begin, tensors };
  }
  const platform = createNodePlatform(process.argv[1] ?? '');
  const { answer } = await compareSides(platform, await openSides(platform, { a, b }, {}), {}, {});
  const { tensors, io } = answer.report;
  const isBounded = tensors.renamed.length <= tensors.counts.renamed;
  return { workMs: performance.now() - begin, matched: tensors.same + tensors.counts.renamed, isBounded, io };
}

main(process.argv.slice(2)).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
