/** What a screen reader is given of each panel, kept as text beside the specs. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from './projectRoot.js';
import type { OpenOptions } from './spec.js';

/** The panels whose trees are kept. */
export const treesKept: readonly Pick<OpenOptions, 'scenario' | 'width'>[] = [
  { scenario: 'loading' },
  { scenario: 'failed' },
  { scenario: 'sample' },
  { scenario: 'dataset' },
  { scenario: 'estimate-full' },
  { scenario: 'estimate-serving' },
  { scenario: 'saves' },
  { scenario: 'compare' },
  { scenario: 'compare-failed' },
  { scenario: 'plan-405b' },
  { scenario: 'plan-impossible' },
  { scenario: 'bandwidth' },
  { scenario: 'bandwidth-running' },
  { scenario: 'bandwidth-done' },
  { scenario: 'bandwidth-more-done' },
];

/** Fails where a tree is not the kept one. `STOWAGE_WRITE_TREES=1` keeps what there is. */
export async function assertTree(name: string, snapshot: string): Promise<void> {
  const tree = `${withoutTabPanels(snapshot)}\n`;
  const file = path.join(projectRoot(), 'test', 'webview', 'browser', 'trees', `${name}.yml`);
  if (process.env['STOWAGE_WRITE_TREES'] === '1') {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, tree);
    return;
  }
  assert.equal(tree, await readFile(file, 'utf8'), `${name}: see trees/${name}.yml`);
}

/** What a tab shows is of its own specs. */
function withoutTabPanels(snapshot: string): string {
  const kept: string[] = [];
  let depth: number | null = null;
  for (const line of snapshot.split('\n')) {
    const indent = line.search(/\S/);
    if (depth !== null && indent > depth) continue;
    depth = /^\s*- tabpanel/.test(line) ? indent : null;
    kept.push(depth === null ? line : line.replace(/:$/, ''));
  }
  return kept.join('\n');
}
