import { expect, it } from 'vitest';
import { runSuites } from '../../runner/schedule.mjs';
import type { SuiteResult } from '../../runner/results.mjs';

const passed = (name: string): SuiteResult => ({ name, passed: 1, failures: [] });

/** A suite that notes when it begins, and ends when it is let. */
function suite(name: string, begun: string[], needs: (() => Promise<unknown>)[] = [], run = async () => passed(name)) {
  return { name, group: name, summary: name, needs, run: () => (begun.push(name), run()) };
}

const quiet = { onResult: () => undefined };

it('starts suites in their order, and lets others go ahead of one whose needs are not there yet', async () => {
  const begun: string[] = [];
  let bring: (value: unknown) => void = () => undefined;
  const need = new Promise((resolve) => (bring = resolve));
  const last = async (): Promise<SuiteResult> => (bring(null), passed('c'));
  const suites = [suite('a', begun, [() => need]), suite('b', begun), suite('c', begun, [], last)];
  const ran = await runSuites(suites, { slots: 1, ...quiet });
  expect(begun).toEqual(['b', 'c', 'a']);
  expect(ran.map(({ result }) => result.name)).toEqual(['a', 'b', 'c']);
});

it('runs as many at once as there are slots, and no more', async () => {
  let running = 0;
  let most = 0;
  const run = async (): Promise<SuiteResult> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return passed('x');
  };
  await runSuites(
    ['a', 'b', 'c', 'd', 'e'].map((name) => suite(name, [], [], run)),
    { slots: 2, ...quiet },
  );
  expect(most).toBe(2);
});

it('counts a suite that throws, or whose need fails, as a failure of its own', async () => {
  const missing = (): Promise<never> => Promise.reject(new Error('no browser'));
  const suites = [
    suite('a', [], [missing], () => missing()),
    suite('b', [], [], () => Promise.reject(new Error('broken'))),
    suite('c', []),
  ];
  const ran = await runSuites(suites, { slots: 2, ...quiet });
  expect(ran.map(({ result }) => [result.name, result.failures.length])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 0],
  ]);
  expect(ran[0]?.result.failures[0]?.error).toContain('no browser');
});
