import { ensureHost } from '../../scripts/host/ensureHost.mjs';
import { currentHost, minimumHost } from '../../scripts/host/pins.mjs';
import { runBrowserSuite } from './browserSuite.mjs';
import { ensureBuild } from './build.mjs';
import { runCheck } from './checkSuite.mjs';
import { runE2eSuite } from './e2eSuite.mjs';
import { ensureBrowser } from './ensureBrowser.mjs';
import { ensureDebianPackages } from './ensureDebianPackages.mjs';
import { ensureAzurite, ensureFakeGoogleStorage, ensureVersityGateway } from './ensureStores.mjs';
import { runHostSuite } from './hostSuite.mjs';
import { runPackageSuite } from './packageSuite.mjs';
import { runVitestSuite } from './vitestSuite.mjs';
import { runWindowsSuite } from './windowsSuite.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} group its name runs all suites of the group
 * @property {string} summary what the suite is for, in a line
 * @property {(() => Promise<unknown>)[]} needs what has to be there before it starts; all are fetched at once when a run begins
 * @property {() => Promise<import('./results.mjs').SuiteResult>} run
 * @property {boolean} [isByName] runs where it is named alone: `npm test` stays short
 */

const ensureCurrentHost = () => ensureHost(currentHost);
const ensureMinimumHost = () => ensureHost(minimumHost);
const browserAndBuild = [ensureBrowser, ensureBuild];

/**
 * All suites, in the order in which they start: first what needs no set-up, then the longest; last what waits longest for its needs.
 * @type {Suite[]}
 */
export const suites = [
  check('types', 'every TypeScript and JavaScript file against its types', 'check-types'),
  check('lint', 'mistakes, types in use, and who may import whom', 'lint'),
  vitestSuite('core', 'the core, the protocol and the parts of the panels, without processes, threads or a build'),
  {
    name: 'webview',
    group: 'webview',
    summary: 'the panels in a browser: what they show, keyboard, accessibility, hostile texts, content security policy',
    needs: [ensureBrowser],
    run: runBrowserSuite,
  },
  vitestSuite('system', 'files, threads, the built command line, bandwidth checks and Slurm, on this machine', [
    ensureBuild,
    ensureDebianPackages,
  ]),
  {
    name: 'e2e',
    group: 'e2e',
    summary: "a person's ways through a VS Code window with the packed extension and the samples",
    needs: [...browserAndBuild, ensureCurrentHost],
    run: runE2eSuite,
  },
  vitestSuite('hostile', 'real files cut and damaged wherever it could matter: always a report, its sums exact'),
  {
    name: 'host-current',
    group: 'host',
    summary: 'the extension in the extension host of the newest VS Code',
    needs: [...browserAndBuild, ensureCurrentHost],
    run: () => runHostSuite({ name: 'host-current', pin: currentHost, variant: 'current' }),
  },
  {
    name: 'host-minimum',
    group: 'host',
    summary: 'the oldest VS Code that the manifest allows',
    needs: [...browserAndBuild, ensureMinimumHost],
    run: () => runHostSuite({ name: 'host-minimum', pin: minimumHost, variant: 'minimum' }),
  },
  {
    name: 'host-restricted',
    group: 'host',
    summary: 'what a folder that is not trusted may do',
    needs: [...browserAndBuild, ensureCurrentHost],
    run: () => runHostSuite({ name: 'host-restricted', pin: currentHost, variant: 'restricted' }),
  },
  {
    name: 'host-web',
    group: 'host',
    summary: 'the web extension host: no Node, no threads',
    needs: [...browserAndBuild, ensureCurrentHost],
    run: () => runHostSuite({ name: 'host-web', pin: currentHost, variant: 'web' }),
  },
  {
    name: 'package',
    group: 'package',
    summary: 'the packed VSIX, installed as a user would',
    needs: [...browserAndBuild, ensureCurrentHost],
    run: runPackageSuite,
  },
  {
    name: 'windows',
    group: 'windows',
    summary: "the built command line on Windows' own Node, under wine: equal to Linux, and led to no server by a file",
    needs: [ensureBuild],
    run: runWindowsSuite,
    isByName: true,
  },
  vitestSuite('contract', 'manifest, package, documentation, bundles and the repository itself', [ensureBuild]),
  check('format', 'Prettier', 'format:check'),
  check('unused', 'files, exports and packages that nothing uses', 'knip'),
  vitestSuite('store', 'bandwidth checks and inspections of object stores, on servers that check who asks', [
    ensureVersityGateway,
    ensureFakeGoogleStorage,
    ensureAzurite,
  ]),
];

/**
 * A script of package.json as a suite of one test.
 * @param {string} name
 * @param {string} summary
 * @param {string[]} script with its arguments
 * @returns {Suite}
 */
function check(name, summary, ...script) {
  return { name, group: 'checks', summary, needs: [], run: () => runCheck(name, 'npm', ['run', '--silent', ...script]) };
}

/**
 * A project of vitest.config.mts as a suite.
 * @param {string} name
 * @param {string} summary
 * @param {Suite['needs']} [needs]
 * @returns {Suite}
 */
function vitestSuite(name, summary, needs = []) {
  return { name, group: name, summary, needs, run: () => runVitestSuite(name) };
}
