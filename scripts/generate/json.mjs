import * as prettier from 'prettier';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';

/**
 * JSON as the project formats it.
 * @param {string} file relative to the project
 * @param {unknown} value
 */
export async function formatJson(file, value) {
  const options = await prettier.resolveConfig(path.join(projectRoot, file));
  return prettier.format(JSON.stringify(value, null, 2), { ...options, parser: 'json' });
}
