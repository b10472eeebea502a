import { FormatError } from '../core/bytes/formatError.js';
import { RpcEndpoint, type RpcMessage } from '../protocol/rpc.js';
import { createInspectionService } from './inspectionService.js';
import type { InspectionTarget, Inspector, InspectorEvents, InspectorRequests } from './inspector.js';
import { createWorkspaceFileTree, rootNameOf } from './workspaceFileTree.js';

/**
 * An inspector without a thread of its own, for the web extension host. Messages are passed on in a task of their own, so that the
 * host comes to its other work between two of them.
 */
export function startInPageInspector(target: InspectionTarget): Inspector {
  const endpoint: Inspector['endpoint'] = new RpcEndpoint({ post: (message) => later(() => service.receive(message)) });
  const handlers = createInspectionService(
    () => {
      if (target.kind === 'local') throw new FormatError('unsupported', 'a web page has no access to local paths');
      return createWorkspaceFileTree(target.files, rootNameOf(target.path));
    },
    target.path,
    (progress) => service.send('progress', progress),
  );
  const service = new RpcEndpoint<Record<never, never>, InspectorEvents, InspectorRequests>(
    { post: (message: RpcMessage) => later(() => endpoint.receive(message)) },
    handlers,
  );
  return {
    endpoint,
    onDidDie: () => undefined,
    dispose() {
      service.dispose();
      endpoint.dispose();
    },
  };
}

function later(task: () => void): void {
  setTimeout(task, 0);
}
