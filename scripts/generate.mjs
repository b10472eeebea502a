/** Writes what follows from tables in the sources. `--check` only compares, and fails where a committed file differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { design } from './generate/design.mjs';
import { findings } from './generate/findings.mjs';
import { formatPages } from './generate/formatPages.mjs';
import { hostSentences } from './generate/hostSentences.mjs';
import { manifest } from './generate/manifest.mjs';
import { plan } from './generate/plan.mjs';
import { readableFiles } from './generate/readableFiles.mjs';
import { reports } from './generate/reports.mjs';
import { retention } from './generate/retention.mjs';
import { projectRoot } from './host/project.mjs';
import { isStarted } from './isStarted.mjs';

/**
 * @typedef {object} Target
 * @property {readonly string[]} files what it writes, relative to the project
 * @property {(read: (file: string) => string) => Promise<Record<string, string>>} generate texts by file; `read` answers the present ones
 */

/**
 * A target may rest on the sources that one before it writes.
 * @type {readonly Target[]}
 */
export const targets = [readableFiles, formatPages, findings, manifest, hostSentences, plan, retention, reports, design];

/**
 * The files whose committed text is not the generated one, with the latter.
 * @param {(file: string, text: string) => void} onChange called for each as it is found, before what rests on it is generated
 * @returns {Promise<Map<string, string>>}
 */
export async function changedFiles(onChange = () => undefined) {
  const changed = new Map();
  const read = (/** @type {string} */ file) => changed.get(file) ?? readFileSync(path.join(projectRoot, file), 'utf8');
  for (const target of targets)
    for (const [file, text] of Object.entries(await target.generate(read))) {
      if (text === read(file)) continue;
      changed.set(file, text);
      onChange(file, text);
    }
  return changed;
}

if (isStarted(import.meta.url)) {
  const isCheck = process.argv.includes('--check');
  const changed = await changedFiles((file, text) => {
    if (isCheck) return console.error(`${file} is not what the sources generate: run \`npm run generate\`.`);
    writeFileSync(path.join(projectRoot, file), text);
    console.log(`wrote ${file}`);
  });
  if (isCheck && changed.size > 0) process.exitCode = 1;
}
