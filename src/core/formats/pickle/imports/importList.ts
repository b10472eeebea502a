/** The imports of a report's pickles, and what is to be said of them. Nothing is ever resolved. */
import { limits } from '../../../bytes/limits.js';
import type { Finding } from '../../../findings/finding.js';
import type { ImportKind } from './globalKind.js';
import type { PickleImportName } from './importCollector.js';
import { importKinds, ImportTable } from './importTable.js';

/** A global that files name, in a report. */
export interface PickleImport {
  name: string;
  files: number;
  /** True for what saves of known frameworks name. */
  expected: boolean;
  /** `usual`: such a name; `own`: of the user's code or another package, which loading needs; `unexpected`: neither. */
  kind: 'usual' | 'own' | 'unexpected';
  paths: string[];
}

/** A global that pickles name. */
export interface FoundImport {
  kind: ImportKind;
  /** True where a finding has an unexpected call of it. */
  isCalled: boolean;
  paths: Set<string>;
}

/** Where the imports of several files go. */
export interface FoundImports {
  imports: ImportTable<FoundImport>;
}

/** Adds a global that a file names, while there is room. */
export function addImport({ imports }: FoundImports, name: PickleImportName, path: string): void {
  const { fullName, kind, isCalled } = name;
  const known = imports.get(fullName);
  if (known !== undefined) {
    known.paths.add(path);
    known.isCalled ||= isCalled;
    if (kind === 'unexpected') known.kind = kind;
    return;
  }
  imports.add(fullName, { kind, isCalled, paths: new Set([path]) });
}

/** The import list of a report: unexpected ones first, then by name. */
export function listImports(imports: ImportTable<FoundImport>): PickleImport[] {
  const listed = imports.entries().map(([name, { kind, paths }]) => ({
    name,
    files: paths.size,
    expected: kind === 'usual',
    kind,
    paths: [...paths].sort().slice(0, limits.findingsPerCode),
  }));
  return sortedImports(listed);
}

/** The imports of several reports as one list, the same name once with the worst of its kinds; and whether there are more than it has. */
export function sumImports(lists: readonly (readonly PickleImport[])[]): { imports: PickleImport[]; hasMore: boolean } {
  const sum = new ImportTable<PickleImport>(({ kind }) => kind);
  for (const item of lists.flat()) {
    const known = sum.get(item.name);
    if (known === undefined) {
      sum.add(item.name, { ...item });
      continue;
    }
    known.files += item.files;
    known.paths = [...known.paths, ...item.paths].slice(0, limits.findingsPerCode);
    known.expected &&= item.expected;
    if (importKinds.indexOf(item.kind) < importKinds.indexOf(known.kind)) known.kind = item.kind;
  }
  return { imports: sortedImports(sum.items()), hasMore: sum.hasMore };
}

function sortedImports(imports: PickleImport[]): PickleImport[] {
  return imports.sort((a, b) => importKinds.indexOf(a.kind) - importKinds.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

/** Unexpected imports that no finding of a call has, packages whose code is needed, and whether there are more imports than are listed. */
export function importFindings({ imports }: FoundImports): Finding[] {
  const unexpected = imports.entries().flatMap(([name, { kind, isCalled, paths }]): Finding[] => {
    const [path = ''] = paths;
    return kind === 'unexpected' && !isCalled ? [{ code: 'pickle-import-unexpected', path, facts: { import: name } }] : [];
  });
  return [...unexpected, ...neededCode({ imports })];
}

/** Packages whose code is needed, and whether there are more imports than are listed. */
export function neededCode({ imports }: FoundImports): Finding[] {
  const findings: Finding[] = [];
  const packages = new Map<string, { names: string[]; path: string }>();
  for (const [name, { kind, paths }] of imports.entries()) {
    if (kind !== 'own') continue;
    const [path = ''] = paths;
    const [top = ''] = name.split('.', 1);
    const known = packages.get(top);
    if (known === undefined) packages.set(top, { names: [name], path });
    else known.names.push(name);
  }
  for (const [code, { names, path }] of packages)
    findings.push({
      code: 'pickle-needs-code',
      path,
      facts: { package: code, first: names.slice(0, 3).join(', '), names: names.length },
    });
  if (imports.hasMore) findings.push(importsCut);
  return findings;
}

/** That there are more imports than are listed. */
export const importsCut: Finding = { code: 'pickle-imports-cut', facts: { imports: limits.pickleImports } };
