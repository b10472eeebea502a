import { FilePass } from '../../core/verification/filePass.js';
import type { Pass } from '../../core/verification/passes.js';
import type { PassSpec } from '../../core/verification/passSpec.js';
import { nodeHash } from './nodeHash.js';

/** A pass that is made where its bytes are read. */
export function passHere(spec: PassSpec): Pass {
  const pass = new FilePass(spec, nodeHash);
  return {
    block: (length) => new Uint8Array(length),
    push: (bytes, offset) => Promise.resolve(pass.push(bytes, offset)),
    end: () => Promise.resolve(pass.end()),
    abandon: () => undefined,
  };
}
