import { expect, it } from 'vitest';
import { member, numberOf } from '../../../src/core/formats/pickle/pickleAccess.js';
import { runPickle } from '../../../src/core/formats/pickle/pickleMachine.js';
import { pickleOutline } from '../../../src/core/formats/pickle/pickleOutline.js';
import { calleeName, PickleDict } from '../../../src/core/formats/pickle/pickleValue.js';
import * as p from '../../builders/pickleBuilder.js';

const rootOf = (value: Uint8Array) => runPickle(p.pickle(value)).root;

it('keeps settings, and leaves tensors and long containers out', () => {
  const outline = pickleOutline(
    rootOf(
      p.dict(
        [p.str('step'), p.int(3)],
        [p.str('stage'), p.reduce(p.global('m', 'Stage'), p.tuple(p.int(3)))],
        [p.str('module'), p.orderedDict([p.str('a'), p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [2] })])],
        [p.str('shapes'), p.list(...Array.from({ length: 65 }, (_, index) => p.int(index)))],
      ),
    ),
  );
  expect(numberOf(member(outline, 'step'))).toBe(3);
  expect(calleeName(member(outline, 'stage'))).toBe('m.Stage');
  expect(member(member(outline, 'module'), 'a')).toBeNull();
  expect(member(outline, 'shapes')).toMatchObject({ items: [] });
  expect(outline).toBeInstanceOf(PickleDict);
});

it('is small, however often an object refers to itself', () => {
  // Each list holds the one before 60 times: 60^12 values.
  let value = p.put(p.list(p.int(1)), 0);
  for (let level = 1; level < 12; level++)
    value = p.put(p.list(value, ...Array.from({ length: 59 }, () => p.get(level - 1))), level);
  expect(JSON.stringify(pickleOutline(rootOf(value))).length).toBeLessThan(100_000);
});
