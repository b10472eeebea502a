import { FormatError } from '../core/bytes/formatError.js';
import type { SearchedFolders } from '../core/files/folders.js';
import type { FileTree } from '../core/files/fileTree.js';
import { listedFolders } from '../core/files/listedFolders.js';
import { unknownRoom } from '../core/runs/storageRoom.js';
import { startInPage } from './inPageService.js';
import { createInspectionService } from './inspectionService.js';
import type { InspectionTarget } from './inspectionTarget.js';
import type { Inspector, InspectorEvents, InspectorRequests } from './inspector.js';
import { createRangedFileTree } from './rangedFileTree.js';
import { createWorkspaceFileTree, rootNameOf } from './workspaceFileTree.js';

/** An inspector without a thread of its own. */
export function startInPageInspector(target: InspectionTarget): Inspector {
  const openTree = (): Promise<FileTree> => {
    if (target.kind === 'local') throw new FormatError('unsupported', 'a web page has no access to local paths');
    return target.kind === 'remote'
      ? createRangedFileTree(target.files)
      : createWorkspaceFileTree(target.files, rootNameOf(target.path));
  };
  const openFolders = async (): Promise<SearchedFolders> => listedFolders(await openTree());
  return startInPage<InspectorRequests, InspectorEvents>((events) =>
    createInspectionService(
      {
        path: target.path,
        openTree,
        openFolders,
        openFollowed: openFolders,
        room: () => Promise.resolve(unknownRoom),
        local: null,
        configs: null,
        values: null,
        verifier: null,
        noteLoggedChecks: null,
      },
      {
        inspected: (progress) => events.send('progress', progress),
        verified: (progress) => events.send('verifying', progress),
        valuesRead: (progress) => events.send('readingValues', progress),
      },
    ),
  );
}
