import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Whether a module is the program that was started, by its path or through a link: Node resolves links of modules, and leaves those of
 * arguments.
 * @param {string} url `import.meta.url` of the module
 * @param {string | undefined} argument
 */
export function isStarted(url, argument = process.argv[1]) {
  try {
    return argument !== undefined && realpathSync(argument) === realpathSync(fileURLToPath(url));
  } catch {
    return false;
  }
}
