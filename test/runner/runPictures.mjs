/**
 * `npm run pictures [-- webview|e2e|--write-docs]`: pictures of the panels and of the window for people to look at, in .artifacts.
 * What is in them is not asserted: `npm test` takes a picture of a failed spec only. `--write-docs` takes all of them, and replaces
 * those of docs/images.
 */
import { ensureDependencies } from '../../scripts/host/project.mjs';
import { writeDocPictures } from './docPictures.mjs';
import { brokenSuite, printSuite, summarize } from './results.mjs';
import { runToEnd } from './scratch.mjs';

const writesDocs = process.argv.includes('--write-docs');
const chosen = writesDocs ? [] : process.argv.slice(2);

async function main() {
  await ensureDependencies();
  const { runBrowserSuite } = await import('./browserSuite.mjs');
  const { runE2eSuite } = await import('./e2eSuite.mjs');
  const results = [];
  for (const [name, run] of /** @type {const} */ ([
    ['webview', runBrowserSuite],
    ['e2e', runE2eSuite],
  ])) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const startedMs = performance.now();
    const result = await run({ pictures: true }).catch((error) => brokenSuite(name, error));
    printSuite(result, (performance.now() - startedMs) / 1000);
    results.push(result);
  }
  const { line, isSuccess } = summarize(results);
  if (writesDocs && isSuccess) writeDocPictures();
  console.log(`\n${line}; the pictures are in .artifacts${writesDocs && isSuccess ? ' and in docs/images' : ''}`);
  return isSuccess ? 0 : 1;
}

await runToEnd(main);
