/** The imports of a report's pickles, and what is to be said of them. Nothing is ever resolved. */
import { limits } from '../bytes/limits.js';
import type { PickleImportName } from '../formats/pickle/imports/importCollector.js';
import { importKinds, ImportTable } from '../formats/pickle/imports/importTable.js';
import type { Finding } from '../findings/finding.js';
import type { PickleImport } from './checkpointReport.js';
import type { FoundImport, Parts } from './parts.js';

/** Adds a global that a file names, while there is room. */
export function addImport({ imports }: Pick<Parts, 'imports'>, name: PickleImportName, path: string): void {
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
export function importFindings({ imports }: Pick<Parts, 'imports'>): Finding[] {
  const findings: Finding[] = [];
  const packages = new Map<string, { names: string[]; path: string }>();
  for (const [name, { kind, isCalled, paths }] of imports.entries()) {
    const [path = ''] = paths;
    if (kind === 'unexpected' && !isCalled) findings.push({ code: 'pickle-import-unexpected', path, facts: { import: name } });
    if (kind !== 'own') continue;
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
