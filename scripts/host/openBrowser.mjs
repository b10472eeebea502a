import { spawn } from 'node:child_process';

/**
 * Shows an address in the user's browser, where there is a desktop to show it on. Says nothing otherwise: the address is printed.
 * @param {string} url
 */
export function openBrowser(url) {
  const [command, ...args] = browserCommand() ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/**
 * The program that opens an address, with its first arguments; undefined without a desktop.
 * @param {string} platform
 * @param {Record<string, string | undefined>} env
 */
export function browserCommand(platform = process.platform, env = process.env) {
  if (env['CI'] !== undefined) return undefined;
  if (platform === 'darwin') return ['open'];
  // Explorer takes an address with a query for a file, and opens the documents' folder; `start` would have a shell read its `&`.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined ? ['xdg-open'] : undefined;
}
