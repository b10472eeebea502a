/** What is said of pickles where there is no list of imports: names that no usual pickle has are findings, as calls are. */
import type { Finding } from '../../../findings/finding.js';
import type { FileImports } from './fileImports.js';
import type { PickleImportName } from './importCollector.js';

/** Takes the name of a global and the path of the file. */
export type NoteImport = (name: PickleImportName, path: string) => void;

/** Reports what the pickles of a file import and call. It is the file's turn. @param note gets every name, where they are listed */
export async function reportImports(
  imports: FileImports,
  path: string,
  report: (finding: Finding) => void,
  note: NoteImport = () => undefined,
): Promise<void> {
  await imports.report({
    finding: (finding) => report({ ...finding, path }),
    pickleImport(name) {
      const { fullName, kind, isCalled } = name;
      note(name, path);
      if (kind === 'unexpected' && !isCalled) report({ code: 'pickle-import-unexpected', path, facts: { import: fullName } });
    },
  });
}
