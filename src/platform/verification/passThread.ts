/** The part of a thread that hashes: a pass at a time, over the blocks that come. */
import { parentPort } from 'node:worker_threads';
import { FilePass } from '../../core/verification/filePass.js';
import type { PassResult, PassSpec } from '../../core/verification/passSpec.js';
import { nodeHash } from './nodeHash.js';

export type PassMessage =
  { kind: 'begin'; spec: PassSpec } | { kind: 'block'; bytes: Uint8Array; offset: number } | { kind: 'end' };

/** A block that is used up goes back with its bytes, to be read into again. */
export type PassReply =
  { kind: 'taken'; bytes: Uint8Array } | { kind: 'result'; result: PassResult } | { kind: 'failed'; detail: string };

/** Answers messages until the thread is ended. */
export function runPassThread(): void {
  const port = parentPort;
  if (port === null) return;
  let pass: FilePass | null = null;
  const answer = (message: PassMessage): PassReply | null => {
    switch (message.kind) {
      case 'begin':
        pass = new FilePass(message.spec, nodeHash);
        return null;
      case 'block':
        pass?.push(message.bytes, message.offset);
        return { kind: 'taken', bytes: message.bytes };
      case 'end':
        return pass === null ? { kind: 'failed', detail: 'no pass was begun' } : { kind: 'result', result: pass.end() };
    }
  };
  port.on('message', (message: PassMessage) => {
    try {
      const reply = answer(message);
      if (reply !== null) port.postMessage(reply, reply.kind === 'taken' ? [reply.bytes.buffer as ArrayBuffer] : []);
    } catch (error) {
      port.postMessage({ kind: 'failed', detail: error instanceof Error ? error.message : String(error) } satisfies PassReply);
    }
  });
}
