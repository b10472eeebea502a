import { readdirSync } from 'node:fs';

/**
 * All files below a folder whose name ends so, relative to it, in order.
 * @param {string} folder
 * @param {string} suffix
 */
export function findFiles(folder, suffix) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}
