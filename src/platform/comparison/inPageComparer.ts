import { FormatError } from '../../core/bytes/formatError.js';
import { startInPage } from '../inPageService.js';
import { createRangedFileTree } from '../rangedFileTree.js';
import { createWorkspaceFileTree, rootNameOf } from '../workspaceFileTree.js';
import type { Comparer, ComparerEvents, ComparerRequests, ComparisonTarget } from './comparer.js';
import { createComparisonService } from './comparisonService.js';

/** A comparer without a thread of its own. It reads no values. */
export function startInPageComparer(target: ComparisonTarget): Comparer {
  return startInPage<ComparerRequests, ComparerEvents>((events) =>
    createComparisonService(
      {
        paths: { a: target.a.path, b: target.b.path },
        openTree(side) {
          const of = target[side];
          if (of.kind === 'local') throw new FormatError('unsupported', 'a web page has no access to local paths');
          return of.kind === 'remote' ? createRangedFileTree(of.files) : createWorkspaceFileTree(of.files, rootNameOf(of.path));
        },
        readPairs: null,
      },
      {
        inspecting: (progress) => events.send('inspecting', progress),
        valuesRead: (progress) => events.send('readingValues', progress),
      },
    ),
  );
}
