/** Writes the sentences that the host shows to l10n/bundle.l10n.json, from which translations are made. `--check` only compares. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './host/project.mjs';

const bundle = path.join(projectRoot, 'l10n', 'bundle.l10n.json');
const host = path.join(projectRoot, 'src', 'host');
const sentences = readdirSync(host, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [...readFileSync(path.join(host, file), 'utf8').matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)])
  .map(([, sentence = '']) => sentence.replaceAll(/\\(.)/g, '$1'));
const text = `${JSON.stringify(Object.fromEntries([...new Set(sentences)].sort().map((sentence) => [sentence, sentence])), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(bundle, text);
else if (readFileSync(bundle, 'utf8') !== text) {
  console.error('l10n/bundle.l10n.json is not what the code says: run `npm run strings`.');
  process.exit(1);
}
