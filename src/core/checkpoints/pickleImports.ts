/** The imports of a report's pickles, and what is to be said of them. Nothing is ever resolved. */
import { limits } from '../bytes/limits.js';
import type { PickleImportName } from '../formats/pickle/imports/importCollector.js';
import type { Finding } from '../findings/finding.js';
import type { PickleImport } from './checkpointReport.js';
import type { FoundImport, Parts } from './parts.js';

/** Adds a global that a file names. Beyond `limits.pickleImports` different ones are left out, which is noted. */
export function addImport(parts: Pick<Parts, 'imports' | 'hasMoreImports'>, name: PickleImportName, path: string): void {
  const { imports } = parts;
  const { fullName, kind, isCalled } = name;
  const known = imports.get(fullName);
  if (known !== undefined) {
    known.paths.add(path);
    known.isCalled ||= isCalled;
    if (kind === 'unexpected') known.kind = kind;
    return;
  }
  if (imports.size < limits.pickleImports) imports.set(fullName, { kind, isCalled, paths: new Set([path]) });
  else parts.hasMoreImports = true;
}

const order = { unexpected: 0, own: 1, usual: 2 };

/** The import list of a report: unexpected ones first, then by name. */
export function listImports(imports: ReadonlyMap<string, FoundImport>): PickleImport[] {
  return [...imports]
    .map(([name, { kind, paths }]) => ({
      name,
      files: paths.size,
      expected: kind === 'usual',
      kind,
      paths: [...paths].sort().slice(0, limits.findingsPerCode),
    }))
    .sort((a, b) => order[a.kind] - order[b.kind] || (a.name < b.name ? -1 : 1));
}

/** Unexpected imports that no finding of a call has, packages whose code is needed, and whether there are more imports than are listed. */
export function importFindings({ imports, hasMoreImports }: Pick<Parts, 'imports' | 'hasMoreImports'>): Finding[] {
  const findings: Finding[] = [];
  const packages = new Map<string, { names: string[]; path: string }>();
  for (const [name, { kind, isCalled, paths }] of imports) {
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
  if (hasMoreImports) findings.push({ code: 'pickle-imports-cut', facts: { imports: limits.pickleImports } });
  return findings;
}
