/** The manifest, its strings and the README's table of commands, from the tables in src/host/manifest. */
import { replaceSection } from '../sections.mjs';
import { importSource } from './importSource.mjs';

/** @typedef {typeof import('../../src/host/manifest/contributions.js')} Contributions */

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
      'README.md': replaceSection(read('README.md'), 'generated: commands', commandsMarkdown()),
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
  const others = Object.entries(parsed).filter(([key]) => !/^(command|editor|view|walkthrough)\./.test(key));
  return `${JSON.stringify({ ...Object.fromEntries(others), ...strings }, null, 2)}\n`;
}
