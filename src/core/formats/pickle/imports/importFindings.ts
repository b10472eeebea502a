/** What is said of pickles where there is no list of imports: names that no usual pickle has are findings, as calls are. */
import type { Finding } from '../../../findings/finding.js';
import type { FileImports } from './fileImports.js';

/** Reports what the pickles of a file import and call. It is the file's turn. */
export async function reportImports(imports: FileImports, path: string, report: (finding: Finding) => void): Promise<void> {
  await imports.report({
    finding: (finding) => report({ ...finding, path }),
    pickleImport({ fullName, kind, isCalled }) {
      if (kind === 'unexpected' && !isCalled) report({ code: 'pickle-import-unexpected', path, facts: { import: fullName } });
    },
  });
}
