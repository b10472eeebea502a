import type { ReadContext } from '../checkpoints/reading/readContext.js';
import type { ConfigSources } from '../configs/configAccess.js';

/** How a checkpoint is read that is compared with what it is loaded with. */
export interface LoadContext extends ReadContext {
  /** Files that its configs name, such as the config of an adapter's base model; absent where nothing outside of the directory is looked at. */
  configs?: ConfigSources | undefined;
}
