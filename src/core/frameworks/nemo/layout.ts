/** A model as one `.nemo` archive. */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import type { Layout } from '../../checkpoints/layout.js';
import { readFiles } from '../../checkpoints/readFiles.js';

export const nemoFile: Layout = {
  id: 'nemo',
  match: (listing) => (listing.hasMatch(/\.nemo$/) ? 0.8 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    result.parts.layout = this.id;
    result.parts.framework = { name: 'NeMo', version: null };
    result.parts.reshard = loadsAnywhere('NeMo splits the weights for the ranks that it loads the archive into.');
    return result;
  },
};
