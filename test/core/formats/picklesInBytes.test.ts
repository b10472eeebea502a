/** Pickled bytes among the values of a pickle: what their class unpickles when it gets them. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { ImportCollector } from '../../../src/core/formats/pickle/imports/importCollector.js';
import { scanPickles } from '../../../src/core/formats/pickle/imports/pickleScan.js';
import { bytes, concat, latin1 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const { op } = p;
const run = p.reduce(p.global('os', 'system'), p.tuple(p.str('id')));
const attack = p.pickle(run, 4);
const wrapper = p.newobj(p.global('gymnasium.vector.utils.misc', 'CloudpickleWrapper'), p.tuple());

async function errorsOf(file: Uint8Array): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', { 'a.pkl': file }));
  return report.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('pickled bytes are scanned', () => {
  it.each<[what: string, pickle: Uint8Array]>([
    ['as a state', p.build(wrapper, op.shortBinbytes(attack))],
    ['with bytes behind their end', p.build(wrapper, op.shortBinbytes(concat(attack, bytes(0, 1))))],
    ['cut off behind the call', p.build(wrapper, op.shortBinbytes(attack.subarray(0, -1)))],
    ['of protocol 0', p.build(wrapper, op.binbytes(latin1("cos\nsystem\n(S'id'\ntR.")))],
    ['as a bytearray', p.build(wrapper, op.bytearray8(attack))],
    ['in a state of protocol 2', p.build(wrapper, p.bytesProtocol2(attack))],
    [
      'as a bytearray of protocol 2',
      p.build(
        wrapper,
        p.reduce(p.global('builtins', 'bytearray'), p.tuple(p.str(Buffer.from(attack).toString('latin1')), p.str('latin-1'))),
      ),
    ],
    ['as an entry of a state', p.build(wrapper, p.dict([p.str('fn'), op.shortBinbytes(attack)]))],
    ['as an argument', p.reduce(p.global('some.module', 'Wrapper'), p.tuple(op.shortBinbytes(attack)))],
    ['as an argument of NEWOBJ', p.newobj(p.global('some.module', 'Wrapper'), p.tuple(op.shortBinbytes(attack)))],
    ['from the memo', concat(op.shortBinbytes(attack), op.binput(7), op.pop(), p.build(wrapper, op.binget(7)))],
    [
      'behind sixteen other values',
      p.build(wrapper, p.list(...Array.from({ length: 20 }, () => p.int(1)), op.shortBinbytes(attack))),
    ],
    ['within pickled bytes', p.build(wrapper, op.shortBinbytes(p.pickle(p.build(wrapper, op.shortBinbytes(attack)), 4)))],
    ['a file of torch', p.build(wrapper, op.binbytes(buildTorchZip({ pickle: attack })))],
  ])('%s', async (_what, pickle) => {
    expect(await errorsOf(p.pickle(pickle, 4))).toEqual(['Unexpected call in a pickle: os.system("id").']);
  });

  it('and imports of harmless ones are listed', async () => {
    const state = op.shortBinbytes(p.pickle(p.newobj(p.global('some.module', 'Net'), p.tuple()), 4));
    const report = await inspectAnyHostile(memoryTree('m', { 'a.pkl': p.pickle(p.build(wrapper, state), 4) }));
    expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(JSON.stringify(report)).toContain('some.module.Net');
  });
});

describe('other bytes are not', () => {
  it.each<[what: string, content: Uint8Array]>([
    ['numbers that begin alike', concat(bytes(0x80, 4, 0xff, 0xfe, 0xfd), latin1("cos\nsystem\n(S'id'\ntR."))],
    ['text', latin1('(a word)')],
    ['none', bytes()],
  ])('%s', async (_what, content) => {
    const report = await inspectAnyHostile(
      memoryTree('m', { 'a.pkl': p.pickle(p.build(wrapper, op.shortBinbytes(content)), 4) }),
    );
    expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});

it('bytes that a pickle names again and again are scanned once', () => {
  const collector = new ImportCollector();
  const again = Array.from({ length: limits.nestedPickles * 2 }, () => op.binget(7));
  scanPickles(
    p.pickle(concat(op.shortBinbytes(attack), op.binput(7), op.emptyList(), op.mark(), ...again, op.appends()), 4),
    collector,
  );
  expect(collector.nested).toHaveLength(1);
  expect(collector.leftOutBytes).toBe(0);
});

it('no more of them are kept than the limit, and the others are counted', () => {
  const collector = new ImportCollector();
  const many = Array.from({ length: limits.nestedPickles + 3 }, () => op.shortBinbytes(attack));
  scanPickles(p.pickle(p.list(...many), 4), collector);
  expect(collector.nested).toHaveLength(limits.nestedPickles);
  expect(collector.leftOutBytes).toBe(3 * attack.byteLength);
});
