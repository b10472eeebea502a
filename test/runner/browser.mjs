import { chromium } from 'playwright-core';
import { ensureBrowser } from './ensureBrowser.mjs';

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
 * Runs something with a browser of its own, which is closed afterwards.
 * @template T
 * @param {(browser: import('playwright-core').Browser) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withBrowser(use) {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: flags });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
