/** Entry of the worker thread that inspects one path and answers questions about its tensors until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { placeOf } from '../app/verification/besidePath.js';
import { logCheck } from '../app/verification/logCheck.js';
import { noteLoggedChecks } from '../app/verification/noteLoggedChecks.js';
import { verifyPath } from '../app/verification/verifyPath.js';
import { unknownRoom } from '../core/runs/storageRoom.js';
import type { FileTree } from '../core/files/fileTree.js';
import { listedFolders } from '../core/files/listedFolders.js';
import { RpcEndpoint } from '../protocol/rpc.js';
import { createInspectionService } from './inspectionService.js';
import type { HostFiles } from './hostFiles.js';
import type { InspectorBackRequests, InspectorEvents } from './inspector.js';
import { nodeConfigSources } from './nodeConfigSources.js';
import { createFollowedFolders, createNodeFolders } from './nodeFolders.js';
import { nodeFiles } from './nodeFiles.js';
import { createNodeFileTree } from './nodeFileTree.js';
import { roomOf } from './storageRoom.js';
import type { Platform } from '../app/platform.js';
import { readTasks } from '../core/values/readTasks.js';
import { readValuesInThreads } from './values/readValuesInThreads.js';
import { createValuesReader } from './values/valuesReader.js';
import { isComparisonThread } from './comparison/comparisonWorkerData.js';
import { isValuesThread } from './values/valuesThreadData.js';
import { isPassThread } from './verification/isPassThread.js';
import { nodeLogFile } from './verification/nodeLogFile.js';
import { nodeManifestFolder } from './verification/nodeManifestFolder.js';
import { createThreadPasses } from './verification/threadPasses.js';
import { createRangedFileTree } from './rangedFileTree.js';
import { createWorkspaceFileTree, rootNameOf } from './workspaceFileTree.js';
import type { InspectionWorkerData } from './workerInspector.js';

const port = parentPort;
// Threads that hash, those that read values and those that compare run this same file.
if (isPassThread()) void import('./verification/passThread.js').then(({ runPassThread }) => runPassThread());
else if (isValuesThread()) void import('./values/valuesThread.js').then(({ runValuesThread }) => runValuesThread());
else if (isComparisonThread())
  void import('./comparison/comparisonThread.js').then(({ runComparisonThread }) => runComparisonThread(__filename));
else if (port !== null) {
  const target = workerData as InspectionWorkerData;
  const { path } = target;
  const openTree = (): Promise<FileTree> => {
    if (target.kind === 'local') return createNodeFileTree(path, target.rootPaths);
    return target.kind === 'remote' ? createRangedFileTree(filesOfHost) : createWorkspaceFileTree(filesOfHost, rootNameOf(path));
  };
  const openFolders = async () =>
    target.kind === 'local' ? createNodeFolders(path, { rootPaths: target.rootPaths }) : listedFolders(await openTree());
  const openFollowed = target.kind === 'local' ? createFollowedFolders(path, target.rootPaths) : openFolders;
  const room = async () => (target.kind === 'local' ? roomOf(path) : unknownRoom);
  const isLocal = target.kind === 'local';
  const passes = () => Promise.resolve(createThreadPasses(__filename));
  const verified = { ...nodeFiles, openTree, passes, manifestFolder: nodeManifestFolder, logFile: nodeLogFile };
  const readValues: Platform['readValues'] = (reading, hooks) =>
    target.kind === 'local'
      ? readValuesInThreads(__filename, reading, hooks, target.rootPaths)
      : readTasks(reading.tree, reading.tasks, hooks);
  const service = createInspectionService(
    {
      path,
      openTree,
      openFolders,
      openFollowed,
      room,
      local: isLocal ? nodeFiles : null,
      configs: target.kind === 'local' ? nodeConfigSources(path, target.rootPaths) : null,
      verifier: isLocal ? (options, hooks) => verifyPath(verified, { path, ...options }, hooks) : null,
      noteLoggedChecks: isLocal ? (tree, report, signal) => noteLoggedChecks(verified, tree, report, signal) : null,
      values: createValuesReader({
        path,
        openTree,
        readValues,
        log: (tree, found) => logCheck(verified, tree, placeOf(tree, path), found),
      }),
    },
    {
      inspected: (progress) => endpoint.send('progress', progress),
      verified: (progress) => endpoint.send('verifying', progress),
      valuesRead: (progress) => endpoint.send('readingValues', progress),
    },
  );
  const endpoint = new RpcEndpoint<InspectorBackRequests, InspectorEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    service,
  );
  const filesOfHost: HostFiles = {
    stat: (params) => endpoint.request('stat', params),
    readDirectory: (params) => endpoint.request('readDirectory', params),
    readFile: (params) => endpoint.request('readFile', params),
    listAll: (params) => endpoint.request('listAll', params),
    readRange: (params, signal) => endpoint.request('readRange', params, signal),
  };
  port.on('message', (message) => endpoint.receive(message));
}
