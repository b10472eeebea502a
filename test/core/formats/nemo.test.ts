import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { latin1, patternBytes, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildTar, paxRecord, type TarFile } from '../../builders/tarBuilder.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { inspectHostile, isNoticed } from '../../hostile/accountable.js';

const weights = buildTorchZip(stateDict({ 'decoder.weight': ['f32', [4, 8]] }));
const members: TarFile[] = [
  { name: './', type: '5' },
  { name: './model_config.yaml', data: utf8('name: x\n') },
  { name: './model_weights.ckpt', data: weights },
  { name: './tokenizer.model', data: patternBytes(700) },
];

async function inspectTar(files: readonly TarFile[], ending?: Uint8Array<ArrayBuffer>) {
  const { report, tensors } = await inspectCheckpoint(memoryTree('m.nemo', { 'm.nemo': buildTar(files, ending) }), {
    path: 'm.nemo',
  });
  return { report, tensors: listTensors(tensors, report.files), codes: report.findings.map(({ code }) => code) };
}

describe('archives', () => {
  it('of a torch checkpoint', async () => {
    const { report, tensors, codes } = await inspectTar(members);
    expect(codes).toEqual([]);
    expect(report).toMatchObject({ layout: 'nemo', framework: { name: 'NeMo' } });
    expect(tensors).toMatchObject([{ name: 'decoder.weight', dtype: 'f32', shape: [4, 8], bytes: 128 }]);
    expect(report.components.weights?.tensorBytes).toBe(128);
    expect(report.components.tokenizer?.otherBytes).toBe(512 + 700);
    expect(report.components.config?.otherBytes).toBe(512 + 8);
  });

  const shared = '../shared/fixtures/frameworks/dcp';
  const root = 'test/fixtures/frameworks/dcp';
  it('of a distributed checkpoint', async () => {
    const found = [root, shared].flatMap((folder) => {
      try {
        return (readdirSync(folder, { recursive: true }) as string[])
          .filter((file) => file.endsWith('/.metadata'))
          .map((file) => `${folder}/${file}`);
      } catch {
        return [];
      }
    });
    const metadata = found.sort()[0];
    if (metadata === undefined) return;
    const folder = metadata.slice(0, -'/.metadata'.length);
    const load = (name: string): Uint8Array => new Uint8Array(readFileSync(`${folder}/${name}`));
    const names = readdirSync(folder).filter((name) => name === '.metadata' || name.endsWith('.distcp'));
    const { tensors, report } = await inspectTar(names.map((name) => ({ name: `./model_weights/${name}`, data: load(name) })));
    const plain = await inspectCheckpoint(memoryTree('d', Object.fromEntries(names.map((name) => [name, load(name)]))), {
      path: 'd',
    });
    const expected = listTensors(plain.tensors, plain.report.files).map(({ name, bytes }) => ({ name, bytes }));
    expect(tensors.map(({ name, bytes }) => ({ name, bytes }))).toEqual(expected);
    const sum = (of: typeof report): number =>
      Object.values(of.components).reduce((total, { tensorBytes }) => total + tensorBytes, 0);
    expect(sum(report)).toBe(sum(plain.report));
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('with long names and large sizes', async () => {
    const long = `./${'d/'.repeat(80)}model_weights.ckpt`;
    const gnu = Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, weights.byteLength >> 8, weights.byteLength & 0xff);
    const { tensors, codes } = await inspectTar([
      { name: '././@LongLink', type: 'L', data: utf8(`${long}\0`) },
      { name: 'x', data: weights },
      { name: 'PaxHeader', type: 'x', data: paxRecord('path', 'second/model_weights.ckpt') },
      { name: 'y', data: weights, sizeField: gnu },
    ]);
    expect(codes).not.toContain('header-corrupt');
    expect(tensors).toHaveLength(2);
  });
});

describe('damage', () => {
  it('compression is named', async () => {
    const report = await inspectHostile(memoryTree('m.nemo', { 'm.nemo': Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0) }));
    expect(report.findings.map(({ code }) => code)).toContain('unsupported-version');
  });

  it.each<[string, string, TarFile[]]>([
    ['a checksum', 'header-corrupt', [members[1] as TarFile, { name: 'b', isDamaged: true }]],
    ['another file', 'file-not-its-format', [{ name: 'b', isDamaged: true }]],
    ['a size that is none', 'header-corrupt', [{ name: 'b', sizeField: latin1('99999999999\0') }]],
    ['a size of 2^80', 'header-corrupt', [{ name: 'b', sizeField: new Uint8Array(12).fill(0xff) }]],
    ['a size beyond the end', 'file-truncated', [{ name: 'b', sizeField: latin1('00000777777\0') }]],
    ['a torch file', 'header-corrupt', [{ name: 'model_weights.ckpt', data: patternBytes(600) }]],
  ])('%s', async (_, code, files) => {
    const report = await inspectHostile(memoryTree('m.nemo', { 'm.nemo': buildTar(files) }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });

  it('a cut anywhere', async () => {
    const whole = buildTar(members);
    for (let length = 0; length < whole.byteLength - 1024; length += length < 3000 ? 7 : 97) {
      const report = await inspectHostile(memoryTree('m.nemo', { 'm.nemo': whole.subarray(0, length) }));
      expect(isNoticed(report), String(length)).toBe(true);
    }
  });
});
