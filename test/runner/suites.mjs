import { currentHost, minimumHost } from '../../scripts/host/pins.mjs';
import { runBrowserSuite } from './browserSuite.mjs';
import { runCheck } from './checkSuite.mjs';
import { runE2eSuite } from './e2eSuite.mjs';
import { runHostSuite } from './hostSuite.mjs';
import { runPackageSuite } from './packageSuite.mjs';
import { runVitestSuite } from './vitestSuite.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} group its name runs all suites of the group
 * @property {'work' | 'window'} lane suites of one lane run one after the other, both lanes at once: one keeps a core busy, the
 *   other mostly waits for windows
 * @property {() => Promise<import('./results.mjs').SuiteResult>} run
 */

/**
 * All suites, in the order in which their lanes run them: the quick ones first.
 * @type {Suite[]}
 */
export const suites = [
  { name: 'types', group: 'checks', lane: 'work', run: () => runCheck('types', 'npm', ['run', '--silent', 'check-types']) },
  { name: 'lint', group: 'checks', lane: 'work', run: () => runCheck('lint', 'npm', ['run', '--silent', 'lint']) },
  { name: 'format', group: 'checks', lane: 'work', run: () => runCheck('format', 'npm', ['run', '--silent', 'format:check']) },
  { name: 'unused', group: 'checks', lane: 'work', run: () => runCheck('unused', 'npm', ['run', '--silent', 'knip']) },
  {
    name: 'strings',
    group: 'checks',
    lane: 'work',
    run: () => runCheck('strings', 'npm', ['run', '--silent', 'strings', '--', '--check']),
  },
  vitestSuite('core'),
  vitestSuite('hostile'),
  vitestSuite('system'),
  vitestSuite('contract'),
  { name: 'webview', group: 'webview', lane: 'window', run: runBrowserSuite },
  {
    name: 'host-current',
    group: 'host',
    lane: 'window',
    run: () => runHostSuite({ name: 'host-current', pin: currentHost, variant: 'current' }),
  },
  {
    name: 'host-restricted',
    group: 'host',
    lane: 'window',
    run: () => runHostSuite({ name: 'host-restricted', pin: currentHost, variant: 'restricted' }),
  },
  {
    name: 'host-web',
    group: 'host',
    lane: 'window',
    run: () => runHostSuite({ name: 'host-web', pin: currentHost, variant: 'web' }),
  },
  {
    name: 'host-minimum',
    group: 'host',
    lane: 'window',
    run: () => runHostSuite({ name: 'host-minimum', pin: minimumHost, variant: 'minimum' }),
  },
  { name: 'package', group: 'package', lane: 'window', run: runPackageSuite },
  { name: 'e2e', group: 'e2e', lane: 'window', run: runE2eSuite },
];

/**
 * A project of vitest.config.mts as a suite.
 * @param {string} name
 * @returns {Suite}
 */
function vitestSuite(name) {
  return { name, group: name, lane: 'work', run: () => runVitestSuite(name) };
}
