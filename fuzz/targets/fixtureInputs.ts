/** Inputs to begin with, from the fixtures of this repository. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../../test/builders/diskTree.js';
import { casesBelow, fixtureRoot, type FixtureKind } from '../../test/builders/frameworkFixtures.js';
import type { Input } from '../target.js';

export interface FixtureInput {
  /** `family/case`. */
  name: string;
  family: string;
  /** Undefined where the truth has none. */
  layoutId: string | undefined;
  files: Input;
}

/** Larger directories take too long for one execution. */
const maxCaseBytes = 512 * 1024;

const read = new Map<FixtureKind, FixtureInput[]>();

/** The cases of a kind, as the directory or the file that a user would open. */
export function fixtureInputs(kind: FixtureKind): FixtureInput[] {
  const inputs = read.get(kind) ?? casesBelow(fixtureRoot, kind).flatMap((name) => fixtureInput(name) ?? []);
  read.set(kind, inputs);
  return inputs;
}

function fixtureInput(name: string): FixtureInput | undefined {
  const folder = path.join(fixtureRoot, name);
  const truth = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8')) as {
    checkpointPath?: string | null;
    layoutId?: string;
    totalBytes: number;
  };
  if (truth.totalBytes > maxCaseBytes) return undefined;
  const opened = (truth.checkpointPath ?? '').replace(/^\.?\/?|\/$/g, '');
  const files = Object.entries(filesBelow(path.join(folder, 'data')))
    .filter(([file]) => opened === '' || file === opened || file.startsWith(`${opened}/`))
    .map(([file, bytes]) => [file === opened ? path.basename(file) : file.slice(opened === '' ? 0 : opened.length + 1), bytes]);
  return {
    name,
    family: name.slice(0, name.indexOf('/')),
    layoutId: truth.layoutId,
    files: Object.fromEntries(files) as Input,
  };
}

/** Each file of the fixtures by itself, under its own name, smallest first. */
export function singleInputs(): { path: string; bytes: Uint8Array }[] {
  return [...fixtureInputs('checkpoint'), ...fixtureInputs('dataset')]
    .flatMap(({ files }) => Object.entries(files))
    .map(([file, bytes]) => ({ path: file.slice(file.lastIndexOf('/') + 1), bytes }))
    .sort((a, b) => a.bytes.byteLength - b.bytes.byteLength);
}
