/** The run that `npm start` writes: what its list of files says is what is written. */
import { expect, it } from 'vitest';
import { sampleFiles } from '../../../scripts/samples/sampleFiles.js';
import { sampleRun } from '../../../scripts/samples/sampleRun.mjs';

it('has the sizes of the files that are written, twelve checkpoints of them whole', () => {
  const files = sampleRun(0);
  const steps = [...new Set(files.map(({ path }) => Number(/^checkpoint-(\d+)\//.exec(path)?.[1])))];
  const counts = steps.map((step) => {
    const contents = sampleFiles(step);
    const listed = files.filter(({ path }) => path.startsWith(`checkpoint-${step}/`));
    for (const { path, sizeBytes } of listed)
      expect(sizeBytes, path).toBe(contents.get(path.slice(path.indexOf('/') + 1))?.sizeBytes);
    return contents.size - listed.length;
  });
  expect(counts.filter((missing) => missing === 0)).toHaveLength(12);
  expect(counts.at(-1)).toBeGreaterThan(0);
});
