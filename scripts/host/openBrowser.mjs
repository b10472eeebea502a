import { spawn } from 'node:child_process';

/**
 * Shows an address in the user's browser, where there is a desktop to show it on. Says nothing otherwise: the address is printed.
 * @param {string} url
 */
export function openBrowser(url) {
  const command = browserCommand();
  if (command === undefined) return;
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

function browserCommand() {
  if (process.env['CI'] !== undefined) return undefined;
  if (process.platform === 'darwin') return 'open';
  if (process.platform === 'win32') return 'explorer';
  return process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined ? 'xdg-open' : undefined;
}
