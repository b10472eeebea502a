/** Pages that list what the code has. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { docPictures } from '../runner/docPictures.mjs';
import { designParts } from '../webview/browser/designParts.js';
import { caveatCodes } from '../../src/core/bandwidth/bandwidthReport.js';

const docs = path.resolve('docs');
const page = (name: string): string => readFileSync(path.join(docs, name), 'utf8');

it('docs/bandwidth.md has everything that cannot be concluded', () => {
  const listed = [...page('bandwidth.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...caveatCodes].sort());
});

it.each(['CONTRIBUTING.md', 'docs/security.md'])('%s names files and folders that there are', (file) => {
  const named = [...readFileSync(file, 'utf8').matchAll(/(?<![\w/])((?:src|test|scripts|docs)\/[\w./-]+)/g)].map(
    ([, file]) => file?.replace(/[./]+$/, '') ?? '',
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

it('docs/images has the pictures that the README and pages show, each with the one of a run that it is', () => {
  const picturesOf = (text: string): string[] =>
    [...text.matchAll(/\]\((?:docs\/)?images\/([\w-]+\.png)\)/g)].map(([, name = '']) => name);
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const shown = new Set([readFileSync('README.md', 'utf8'), ...pages.map(page)].flatMap(picturesOf));
  expect(readdirSync(path.join(docs, 'images')).sort()).toEqual([...shown].sort());
  expect(Object.keys(docPictures).sort()).toEqual([...shown].sort());
});

it('docs/design.md shows each state of each shared part, in small pictures, and its files are there', () => {
  const shown = [...page('design.md').matchAll(/\]\(design\/([\w-]+\.png)\)/g)].map(([, name]) => name ?? '');
  const states = designParts.flatMap(({ states }) => states);
  expect(shown).toEqual(states.map(({ id }) => `${id}.png`));
  expect(new Set(shown).size).toBe(shown.length);
  expect(readdirSync(path.join(docs, 'design')).sort()).toEqual([...shown].sort());
  const large = shown.filter((name) => statSync(path.join(docs, 'design', name)).size > mostPictureBytes);
  expect(large).toEqual([]);
  for (const { file, name } of designParts) expect(existsSync(file), `${name}: ${file}`).toBe(true);
});

/** Of a picture of one part: all of them are read with the page. */
const mostPictureBytes = 60_000;
