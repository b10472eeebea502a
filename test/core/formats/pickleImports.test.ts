/** The scan for imports against CPython: see test/fixtures/pickle-imports/make.py, which also makes larger corpora. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ImportCollector } from '../../../src/core/formats/pickle/imports/importCollector.js';
import { scanPickles } from '../../../src/core/formats/pickle/imports/pickleScan.js';

interface Case {
  pickle: string;
  /** `module name` */
  imports: string[];
}

function casesOf(path: string): Case[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}

function importsOf(pickle: string): Set<string> {
  const collector = new ImportCollector();
  scanPickles(new Uint8Array(Buffer.from(pickle, 'base64')), collector);
  return new Set(collector.imports().map(({ fullName }) => fullName));
}

const corpora = ['test/fixtures/pickle-imports/corpus.jsonl', ...(process.env['STOWAGE_PICKLES']?.split(':') ?? [])];

interface Harmless {
  name: string;
  pickle: string;
}

const harmless = readFileSync('test/fixtures/pickle-imports/harmless.jsonl', 'utf8').trim().split('\n');

it.each(harmless.map((line) => JSON.parse(line) as Harmless))('$name: no call is unexpected', ({ pickle }) => {
  const collector = new ImportCollector();
  const { damage } = scanPickles(new Uint8Array(Buffer.from(pickle, 'base64')), collector);
  expect([damage, collector.calls]).toEqual([-1, []]);
  expect(collector.imports().filter(({ kind }) => kind === 'unexpected')).toEqual([]);
});

it.each(corpora)('%s: everything that CPython would import is listed', (path) => {
  const missed = casesOf(path).flatMap(({ pickle, imports }) => {
    const found = importsOf(pickle);
    const missing = imports.filter((name) => !found.has(name.replace(' ', '.')));
    return missing.length === 0 ? [] : [{ pickle, missing }];
  });
  expect(missed).toEqual([]);
});
