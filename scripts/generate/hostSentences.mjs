/** The sentences that the host shows, from which translations are made. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';

const bundle = 'l10n/bundle.l10n.json';
const host = path.join(projectRoot, 'src', 'host');

/** @type {import('../generate.mjs').Target} */
export const hostSentences = {
  files: [bundle],
  async generate() {
    const sentences = readdirSync(host, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(path.join(host, file), 'utf8').matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)])
      .map(([, sentence = '']) => sentence.replaceAll(/\\(.)/g, '$1'));
    const table = Object.fromEntries([...new Set(sentences)].sort().map((sentence) => [sentence, sentence]));
    return { [bundle]: `${JSON.stringify(table, null, 2)}\n` };
  },
};
