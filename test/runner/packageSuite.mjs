import { currentHost } from '../../scripts/host/pins.mjs';
import { runHostSuite } from './hostSuite.mjs';

/**
 * The packed VSIX, installed as a user would: what is missing in the package is missed here.
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export function runPackageSuite() {
  return runHostSuite({ name: 'package', pin: currentHost, variant: 'installed' });
}
