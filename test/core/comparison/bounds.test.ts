/** Bounds of a comparison: what is read, and what is looked at of large objects and files. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import type { CheckpointReport, ObjectNode } from '../../../src/core/checkpoints/checkpointReport.js';
import type { ComparedCheckpoint } from '../../../src/core/comparison/comparedCheckpoint.js';
import { compareReports } from '../../../src/core/comparison/compareReports.js';
import { compareOptimizers } from '../../../src/core/comparison/optimizerDifferences.js';
import { compareTokenizers } from '../../../src/core/comparison/fileDifferences.js';
import type { NotCompared } from '../../../src/core/comparison/comparisonReport.js';
import { countedTree } from '../../../src/core/files/countedTree.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const files = {
  'model.safetensors': buildSafetensors({ tensors: { weight: { dtype: 'F32', shape: [1024] } } }),
  'config.json': new TextEncoder().encode('{"model_type": "llama", "hidden_size": 8}'),
};

async function opened(): Promise<{ side: ComparedCheckpoint; log: ReadLog; counter: { bytesRead: number; reads: number } }> {
  const log: ReadLog = { reads: [] };
  const counter = { bytesRead: 0, reads: 0 };
  const tree = countedTree(memoryTree('m', files, log), counter);
  const { report, tensors } = await inspectCheckpoint(tree, { path: 'm' });
  const own = { path: 'm', tree, place: (file: string) => file };
  return { side: { report, table: tensors, tree, opened: own, run: null }, log, counter };
}

const bytesOf = ({ reads }: ReadLog): number => reads.reduce((sum, { length }) => sum + length, 0);

it('reads nothing that the inspections have not read', async () => {
  const [a, b] = [await opened(), await opened()];
  const inspected = [bytesOf(a.log), bytesOf(b.log)];
  const { report } = await compareReports(a.side, b.side, a.counter);
  expect(report.isSame).toBe(true);
  expect([bytesOf(a.log), bytesOf(b.log)]).toEqual(inspected);
  expect(inspected[0]).toBeLessThan(1024);
});

describe('large objects and files', () => {
  const node = (key: string, children: ObjectNode[]): ObjectNode => ({
    key,
    kind: 'list',
    text: '',
    count: children.length,
    children,
  });
  const withObjects = async (root: ObjectNode): Promise<ComparedCheckpoint> => {
    const { side } = await opened();
    const size = { tensorBytes: 1, otherBytes: 0, logicalBytes: 1, tensors: 1, files: 1 };
    const report: CheckpointReport = { ...side.report, components: { optimizer: size }, objects: [{ path: 'o.pt', root }] };
    return { ...side, report };
  };

  it('have their groups counted within so many nodes', async () => {
    const groups = node('param_groups', [node('0', []), node('1', [])]);
    const near = await withObjects(node('', [groups]));
    const filler = Array.from({ length: limits.comparedNodes }, (_, at) => node(String(at), []));
    const far = await withObjects(node('', [...filler, groups]));
    const { a, b } = compareOptimizers(near, far);
    expect([a?.groups, b?.groups]).toEqual([2, null]);
  });

  it('of a tokenizer are compared by size alone above a bound', async () => {
    const { side } = await opened();
    const bytes = limits.comparedTokenizerBytes + 1;
    const [file] = side.report.files;
    if (file === undefined) throw new Error('there is a file');
    const large = {
      ...side,
      report: { ...side.report, files: [{ ...file, path: 'tokenizer.json', bytes, components: { tokenizer: bytes } }] },
    };
    const notCompared: NotCompared[] = [];
    expect(await compareTokenizers(large, large, notCompared, undefined)).toMatchObject([
      { name: 'tokenizer.json', state: 'same' },
    ]);
    expect(notCompared).toMatchObject([{ what: 'tokenizer' }]);
  });
});
