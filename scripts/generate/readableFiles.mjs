/** The names of all readable files, from the formats' descriptors: extension host and manifest need them without any reader. */
import * as prettier from 'prettier';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';
import { importSource } from './importSource.mjs';

/** @typedef {typeof import('../../src/core/inspection/readableFormats.js')} ReadableFormats */

const rows = 'src/core/files/readableRows.ts';

/** @type {import('../generate.mjs').Target} */
export const readableFiles = {
  files: [rows],
  async generate() {
    const { collectReadableFiles } = /** @type {ReadableFormats} */ (
      await importSource('src/core/inspection/readableFormats.ts')
    );
    const text = `/** Generated from the descriptors of the formats by \`npm run generate\`. */
import type { ReadableFiles } from './namePattern.js';

/** Plain text and tables are left out: folders of them can be inspected, but every project has such files. */
export const readableFiles: readonly ReadableFiles[] = ${JSON.stringify(collectReadableFiles())};
`;
    const options = await prettier.resolveConfig(path.join(projectRoot, rows));
    return { [rows]: await prettier.format(text, { ...options, parser: 'typescript' }) };
  },
};
