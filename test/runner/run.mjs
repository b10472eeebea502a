/**
 * `npm test [-- suite…]`: sets everything up, runs the suites, ends with one line `N passed, N failed`. Uses nothing but Node
 * itself until the packages are installed.
 */
import { ensureDependencies } from '../../scripts/host/project.mjs';
import { endAllGroups } from '../../scripts/host/processGroups.mjs';
import { brokenSuite, printSuite, summarize } from './results.mjs';

const chosen = process.argv.slice(2);

async function main() {
  await ensureDependencies();
  const { suites } = await import('./suites.mjs');
  const unknown = chosen.filter((name) => !suites.some((suite) => suite.name === name || suite.group === name));
  if (unknown.length > 0) {
    console.error(`There is no suite ${unknown.join(', ')}. There are: ${suites.map(({ name }) => name).join(', ')}.`);
    return 2;
  }
  const wanted = suites.filter(({ name, group }) => chosen.length === 0 || chosen.includes(name) || chosen.includes(group));
  /** @param {'work' | 'window'} lane */
  const runLane = async (lane) => {
    /** @type {import('./results.mjs').SuiteResult[]} */
    const results = [];
    for (const { name, run } of wanted.filter((suite) => suite.lane === lane)) {
      const startedMs = performance.now();
      const result = await run().catch((error) => brokenSuite(name, error));
      printSuite(result, (performance.now() - startedMs) / 1000);
      results.push(result);
    }
    return results;
  };
  const results = (await Promise.all([runLane('work'), runLane('window')])).flat();
  const { line, isSuccess } = summarize(results);
  console.log(`\n${line}`);
  return isSuccess ? 0 : 1;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error);
  console.log('\n0 passed, 1 failed');
} finally {
  await endAllGroups();
}
process.exit(code);
