import 'mocha/mocha.js';

declare const RESULTS_URL: string;

interface HostResults {
  passed: string[];
  failures: { name: string; error: string }[];
  notes: string[];
  timings: { name: string; seconds: number }[];
}

/** Ends a hang. No result depends on it: a busy machine may take many times as long as an idle one. */
const hangMs = 90_000;

const notes: string[] = [];

/** Prints a figure with the suite's result, e.g. a measured time that no test depends on. */
export function note(text: string): void {
  notes.push(text);
}

/**
 * Runs mocha in whatever extension host this is and sends the results to the runner.
 * @param load registers the tests
 */
export async function runMocha(load: () => void): Promise<void> {
  // Mocha's browser build, the only one that also runs in the web host, looks for a query in the address; Node has no address.
  const scope = globalThis as { location?: { search: string } };
  scope.location ??= { search: '' };
  mocha.setup({ ui: 'bdd', timeout: hangMs, reporter: SilentReporter });
  load();
  const results: HostResults = { passed: [], failures: [], notes, timings: [] };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => results.passed.push(test.fullTitle()));
    runner.on('test end', (test) => results.timings.push({ name: test.fullTitle(), seconds: (test.duration ?? 0) / 1000 }));
    runner.on('pending', (test) => results.failures.push({ name: test.fullTitle(), error: 'the test is skipped' }));
    runner.on('fail', (test, error: Error) =>
      results.failures.push({ name: test.fullTitle(), error: error.stack ?? error.message }),
    );
  });
  await fetch(RESULTS_URL, { method: 'POST', body: JSON.stringify(results) });
}

/** The results are sent as data: nothing is printed in the host. */
class SilentReporter extends Mocha.reporters.Base {}
