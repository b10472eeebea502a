/** The manifest, its strings and the README's table of commands, from the tables in src/host/manifest. */
import { importSource } from './importSource.mjs';

/** @typedef {typeof import('../../src/host/manifest/contributions.js')} Contributions */

const begin = '<!-- generated from src/host/manifest by `npm run generate` -->';
const end = '<!-- end of the generated table -->';

/**
 * The files that this target writes, from their present texts.
 * @type {import('../generate.mjs').Target}
 */
export const manifest = {
  files: ['package.json', 'package.nls.json', 'README.md'],
  async generate(read) {
    const { generatedManifest, commandsMarkdown } = /** @type {Contributions} */ (
      await importSource('src/host/manifest/contributions.ts')
    );
    const generated = generatedManifest();
    return {
      'package.json': manifestText(read('package.json'), generated),
      'package.nls.json': stringsText(read('package.nls.json'), generated.strings),
      'README.md': between(read('README.md'), commandsMarkdown()),
    };
  },
};

/**
 * @param {string} text
 * @param {ReturnType<Contributions['generatedManifest']>} generated
 */
function manifestText(text, { activationEvents, contributes }) {
  const parsed = JSON.parse(text);
  parsed.activationEvents = activationEvents;
  Object.assign(parsed.contributes, contributes);
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

/**
 * @param {string} text
 * @param {Record<string, string>} strings
 */
function stringsText(text, strings) {
  const parsed = JSON.parse(text);
  const others = Object.entries(parsed).filter(([key]) => !/^(command|editor)\./.test(key));
  return `${JSON.stringify({ ...Object.fromEntries(others), ...strings }, null, 2)}\n`;
}

/**
 * @param {string} text
 * @param {string} table
 */
function between(text, table) {
  const [before, rest] = text.split(`${begin}\n`);
  const after = rest?.slice(rest.indexOf(end));
  if (before === undefined || after === undefined || !after.startsWith(end))
    throw new Error('README.md has no place for the table');
  return `${before}${begin}\n\n${table}\n\n${after}`;
}
