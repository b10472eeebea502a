/** Files of torch before 0.2, which are tars: no data set, and no damage. */
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { latin1 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildTar } from '../../builders/tarBuilder.js';

const archive = buildTar([
  { name: 'sys_info', data: latin1('(lp0\n.') },
  { name: 'pickle', data: latin1('(dp0\n.') },
  { name: 'tensors', data: new Uint8Array(100) },
  { name: 'storages', data: new Uint8Array(3000).fill(7) },
]);

describe('a tar of torch 0.1', () => {
  it.each(['old.pth', 'model_best.pth.tar', 'old.tar', 'old'])('is recognised as %s', async (name) => {
    const { report } = await inspectCheckpoint(memoryTree(name, { [name]: archive }), { path: name });
    expect(report.files[0]?.format).toBe('torch-tar');
    expect(report.findings.map(({ code }) => code)).toContain('torch-tar-file');
    expect(report.components.unexplained?.otherBytes).toBe(3000);
    expect(report.totalBytes).toBe(archive.byteLength);
  });

  it('that is cut has its bytes all the same', async () => {
    const cut = archive.slice(0, 3000);
    const { report } = await inspectCheckpoint(memoryTree('old.pth', { 'old.pth': cut }), { path: 'old.pth' });
    expect(report.totalBytes).toBe(3000);
  });

  it('is told from other archives by its members', async () => {
    const other = buildTar([{ name: 'pickle.txt', data: latin1('text') }]);
    const { report } = await inspectCheckpoint(memoryTree('old.pth', { 'old.pth': other }), { path: 'old.pth' });
    expect(report.findings.map(({ code }) => code)).not.toContain('torch-tar-file');
  });
});
