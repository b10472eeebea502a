/** Snapshots of torchsnapshot and TorchTNT. */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { joinPath } from '../../files/paths.js';
import type { Layout } from '../../checkpoints/layout.js';
import { readFiles } from '../../checkpoints/readFiles.js';
import { SNAPSHOT_MANIFEST } from '../../checkpoints/fileSets/snapshotFiles.js';

export const torchSnapshot: Layout = {
  id: 'torchsnapshot',
  match: (listing) => (listing.has(SNAPSHOT_MANIFEST) ? 0.95 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    const texts = parts.metadata.get(joinPath('', SNAPSHOT_MANIFEST));
    const worldSize = Number(texts?.get('worldSize') ?? 0);
    parts.layout = this.id;
    parts.framework = { name: 'torchsnapshot', version: texts?.get('version') ?? null };
    parts.step = texts?.has('step') === true ? Number(texts.get('step')) : null;
    if (worldSize > 0) parts.topology = { ...parts.topology, worldSize };
    parts.expected = ['weights', 'optimizer'];
    parts.reshard = loadsAnywhere(
      'torchsnapshot loads sharded and replicated entries into any number of ranks; what is a rank’s own only into that rank.',
    );
    return result;
  },
};
