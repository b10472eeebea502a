import { StoreRefusal } from '../../../objectStore/storeRefusal.js';

/** Waits for a removal; that there was nothing to remove is no error. */
export async function unlessMissing(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof StoreRefusal) || error.status !== 404) throw error;
  }
}
