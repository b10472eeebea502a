import { chromium } from 'playwright-core';
import { ensureBrowser } from './ensureBrowser.mjs';
import { withTempFolder } from './withTempFolder.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Runs something with a browser of its own, which is closed afterwards. Its home is a temporary folder: it would leave certificates,
 * settings and caches in the user's.
 * @template T
 * @param {(browser: import('playwright-core').Browser) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withBrowser(use) {
  const executablePath = await ensureBrowser();
  return withTempFolder(async (home) => {
    const browser = await chromium.launch({ executablePath, args: flags, env: { ...process.env, HOME: home } });
    try {
      return await use(browser);
    } finally {
      await browser.close();
    }
  });
}
