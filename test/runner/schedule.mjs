import { brokenSuite } from './results.mjs';

/**
 * Runs suites, `slots` at once, in their order; one whose needs are not there yet lets those behind it go first.
 * @param {import('./suites.mjs').Suite[]} suites
 * @param {{ slots: number, onResult: (result: import('./results.mjs').SuiteResult, seconds: number) => void }} options
 * @returns {Promise<import('./times.mjs').SuiteTime[]>} in the order of the suites
 */
export async function runSuites(suites, { slots, onResult }) {
  /** @type {Map<string, import('./times.mjs').SuiteTime>} */
  const ran = new Map();
  const waiting = suites.map((suite) => {
    const entry = { suite, isReady: suite.needs.length === 0, ready: Promise.resolve() };
    // A need that fails is reported by the suite, which asks for it again.
    entry.ready = Promise.allSettled(suite.needs.map((need) => need())).then(() => void (entry.isReady = true));
    return entry;
  });
  const work = async () => {
    while (waiting.length > 0) {
      const index = waiting.findIndex(({ isReady }) => isReady);
      if (index === -1) {
        await Promise.race(waiting.map(({ ready }) => ready));
        continue;
      }
      const [{ suite }] = /** @type {[typeof waiting[number]]} */ (waiting.splice(index, 1));
      const startedMs = performance.now();
      const result = await suite.run().catch((error) => brokenSuite(suite.name, error));
      const seconds = (performance.now() - startedMs) / 1000;
      ran.set(suite.name, { result, seconds });
      onResult(result, seconds);
    }
  };
  await Promise.all(Array.from({ length: Math.min(slots, suites.length) }, work));
  return suites.flatMap(({ name }) => ran.get(name) ?? []);
}
