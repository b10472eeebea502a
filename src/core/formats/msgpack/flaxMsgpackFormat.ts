import { componentOfTreeLeaf } from '../../tensors/componentOfTree.js';
import { defineFormat } from '../fileFormat.js';
import { readFlaxMsgpack } from './flaxMsgpack.js';
import { isMsgpackMap } from './msgpack.js';

export const flaxMsgpackFormat = defineFormat({
  id: 'msgpack',
  names: [{ extensions: ['msgpack'], isOwn: true }],
  role: 'flax-state',
  component: 'weights',
  tensors: (keyPath) => componentOfTreeLeaf([], keyPath),
  content: { matches: isMsgpackMap, otherwise: 'msgpack' },
  checks: 'msgpack: lengths and shapes of arrays, file size',
  read: async (source, sink) => {
    await readFlaxMsgpack(source, sink);
    return 'msgpack';
  },
});
