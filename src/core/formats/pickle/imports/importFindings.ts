/** What is said of pickles where there is no list of imports: names that no usual pickle has are findings, as calls are. */
import type { Finding } from '../../../findings/finding.js';
import type { FileImports } from './fileImports.js';
import type { PickleImportName } from './importCollector.js';

/** Takes the name of a global and the path of the file. */
export type NoteImport = (name: PickleImportName, path: string) => void;

/** What a report takes of the pickles of a file. */
export interface ImportSink {
  finding(finding: Finding): void;
  /** Every global, where these are listed. */
  pickleImport?: NoteImport;
}

/** Reports what the pickles of a file import and call. It is the file's turn. */
export async function reportImports(imports: FileImports, path: string, sink: ImportSink): Promise<void> {
  await imports.report({
    finding: (finding) => sink.finding({ ...finding, path }),
    pickleImport(name) {
      const { fullName, kind, isCalled } = name;
      sink.pickleImport?.(name, path);
      if (kind === 'unexpected' && !isCalled)
        sink.finding({ code: 'pickle-import-unexpected', path, facts: { import: fullName } });
    },
  });
}
