/** Pages that list what the code has. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { caveatCodes } from '../../src/core/bandwidth/bandwidthReport.js';

const docs = path.resolve('docs');
const page = (name: string): string => readFileSync(path.join(docs, name), 'utf8');

it('docs/bandwidth.md has everything that cannot be concluded', () => {
  const listed = [...page('bandwidth.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...caveatCodes].sort());
});

it('CONTRIBUTING.md names files and folders that there are', () => {
  const named = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/(?<![\w/])((?:src|test|scripts|docs)\/[\w./-]+)/g)].map(
    ([, file]) => file?.replace(/[./]+$/, '') ?? '',
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
