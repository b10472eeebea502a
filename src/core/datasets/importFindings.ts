/** What is said of pickles in a dataset. It has no list of imports: those that no usual pickle has are findings, as are calls. */
import type { FileImports } from '../formats/pickle/imports/fileImports.js';
import type { DatasetAccess } from './datasetLayout.js';

/** Reports what the pickles of a file import and call. It is the file's turn. */
export async function reportImports(imports: FileImports, path: string, access: DatasetAccess): Promise<void> {
  await imports.report({
    finding: (finding) => access.finding({ ...finding, path }),
    pickleImport({ fullName, kind, isCalled }) {
      if (kind === 'unexpected' && !isCalled)
        access.finding({ code: 'pickle-import-unexpected', path, facts: { import: fullName } });
    },
  });
}
