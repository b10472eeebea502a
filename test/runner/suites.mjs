import { currentHost, minimumHost } from '../../scripts/host/pins.mjs';
import { runBrowserSuite } from './browserSuite.mjs';
import { runCheck } from './checkSuite.mjs';
import { runE2eSuite } from './e2eSuite.mjs';
import { runHostSuite } from './hostSuite.mjs';
import { runPackageSuite } from './packageSuite.mjs';
import { runVitestSuite } from './vitestSuite.mjs';

/**
 * All suites in the order in which they run: the quick ones first. A group name runs all of its suites.
 * @type {{ name: string, group: string, run: () => Promise<import('./results.mjs').SuiteResult> }[]}
 */
export const suites = [
  { name: 'types', group: 'checks', run: () => runCheck('types', 'npm', ['run', '--silent', 'check-types']) },
  { name: 'lint', group: 'checks', run: () => runCheck('lint', 'npm', ['run', '--silent', 'lint']) },
  { name: 'format', group: 'checks', run: () => runCheck('format', 'npm', ['run', '--silent', 'format:check']) },
  { name: 'unused', group: 'checks', run: () => runCheck('unused', 'npm', ['run', '--silent', 'knip']) },
  { name: 'strings', group: 'checks', run: () => runCheck('strings', 'npm', ['run', '--silent', 'strings', '--', '--check']) },
  { name: 'unit', group: 'unit', run: () => runVitestSuite('unit') },
  { name: 'contract', group: 'contract', run: () => runVitestSuite('contract') },
  { name: 'webview', group: 'webview', run: runBrowserSuite },
  { name: 'host-current', group: 'host', run: () => runHostSuite({ name: 'host-current', pin: currentHost, variant: 'node' }) },
  {
    name: 'host-restricted',
    group: 'host',
    run: () => runHostSuite({ name: 'host-restricted', pin: currentHost, variant: 'restricted' }),
  },
  { name: 'host-web', group: 'host', run: () => runHostSuite({ name: 'host-web', pin: currentHost, variant: 'web' }) },
  { name: 'host-minimum', group: 'host', run: () => runHostSuite({ name: 'host-minimum', pin: minimumHost, variant: 'node' }) },
  { name: 'package', group: 'package', run: runPackageSuite },
  { name: 'e2e', group: 'e2e', run: runE2eSuite },
];
