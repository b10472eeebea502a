import { expect, it } from 'vitest';
import { throttle } from '../../../src/platform/throttle.js';

it('passes on the first value and then one in each interval', () => {
  let nowMs = 0;
  const sent: number[] = [];
  const send = throttle(
    (value: number) => sent.push(value),
    50,
    () => nowMs,
  );
  for (nowMs = 0; nowMs < 160; nowMs += 10) send(nowMs);
  expect(sent).toEqual([0, 50, 100, 150]);
});
