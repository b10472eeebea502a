import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';

const statement = /^(?:import|export)\b[^;'"]*?(?:from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/**
 * Modules that a source file imports, types included; relative ones as paths of the project.
 * @param {string} file relative to the project
 * @returns {string[]}
 */
export function importsOf(file) {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  return [...text.matchAll(statement)].map((match) => resolveImport(file, match[1] ?? match[2] ?? ''));
}

/**
 * What a file imports by a specifier: a file of the project, or the specifier itself for a package.
 * @param {string} file relative to the project
 * @param {string} specifier
 */
export function resolveImport(file, specifier) {
  if (!specifier.startsWith('.')) return specifier;
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const source = target.replace(/\.js$/, '.ts');
  return existsSync(path.join(projectRoot, source)) ? source : target;
}

/**
 * How far each file is from the nearest of some files, in imports: 0 for these themselves, 1 for what imports one of them.
 * @param {string[]} files all that may import
 * @param {string[]} from
 * @returns {Map<string, number>} without those that import none of them, however indirectly
 */
export function importDistances(files, from) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of files)
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  const distances = new Map(from.map((file) => [file, 0]));
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}
