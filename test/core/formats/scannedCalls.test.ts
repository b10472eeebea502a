/** What a scan keeps of calls that are called in turn. */
import { expect, it, vi } from 'vitest';
import { withoutSecrets } from '../../../src/core/text/secrets.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { ImportCollector } from '../../../src/core/formats/pickle/imports/importCollector.js';
import { scanInFull } from '../../../src/core/formats/pickle/imports/pickleScan.js';
import {
  ScannedCall,
  ScannedGroup,
  ScannedName,
  unknown,
  type Scanned,
} from '../../../src/core/formats/pickle/imports/scannedValue.js';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { global, pickle, str, tuple } from '../../builders/pickleBuilder.js';

vi.mock(import('../../../src/core/text/secrets.js'), { spy: true });

it('texts of calls are looked at for secrets where they are listed, not a million times', () => {
  const collector = new ImportCollector();
  const password = '--password=hunter2';
  const calls = Array.from({ length: 2_000 }, (_, at) =>
    concat(global('os', 'system'), tuple(str(`${password}${at}`)), utf8('R0')),
  );
  scanInFull(pickle(concat(...calls)), collector);
  expect(collector.calls).toHaveLength(limits.pickleCalls);
  expect(collector.moreCalls).toBe(2_000 - limits.pickleCalls);
  expect(collector.calls[0]?.text).toBe('os.system("--password=(masked)")');
  expect(vi.mocked(withoutSecrets).mock.calls.length).toBeLessThanOrEqual(limits.pickleCalls);
});

it('of a long chain the last calls', () => {
  let value: Scanned = new ScannedName('os', 'system');
  for (let count = 0; count < 10_000; count++) value = new ScannedCall(value, new ScannedGroup('()'), true);
  let kept = 0;
  for (let each: Scanned = value; each instanceof ScannedCall; each = each.callee) kept += 1;
  expect(kept).toBeGreaterThan(20);
  expect(kept).toBeLessThan(500);
});

it('each call of a chain counts, and what a long one makes is called as well', () => {
  const collector = new ImportCollector();
  const calls = 5_000;
  scanInFull(pickle(concat(global('os', 'system'), utf8(')R'.repeat(calls)))), collector);
  expect(collector.imports()).toMatchObject([{ fullName: 'os.system', isCalled: true }]);
  expect(collector.calls[0]?.text).toBe('os.system()');
  expect(collector.calls.length).toBeGreaterThan(5);
});

it('a call of what is not kept is unexpected', () => {
  const call = new ScannedCall(unknown, new ScannedGroup('()'), true);
  expect(call).toMatchObject({ callee: unknown, isUnexpected: true });
});
