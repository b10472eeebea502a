import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { probeName } from '../../core/bandwidth/checkNames.js';
import { limits } from '../../core/bytes/limits.js';
import { thisSystem } from '../os/thisSystem.js';
import type { CheckDirectory } from './checkDirectory.js';
import { slotOf, type SharedMemory } from './sharedMemory.js';

/** Whether files can be written and read past the cache: some file systems refuse the flag, others every write with it. */
export async function probeDirect(directory: CheckDirectory, memory: SharedMemory, system = thisSystem): Promise<boolean> {
  const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW } = constants;
  if (system.directFlag === null) return false;
  const block = slotOf(memory, 0, 0).subarray(0, limits.checkSectorBytes);
  const handle = await open(directory.base + probeName, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | system.directFlag, 0o600).catch(
    ifRefused,
  );
  try {
    if (handle === null) return false;
    const { bytesWritten } = await handle.write(block, 0, limits.checkSectorBytes, 0);
    const { bytesRead } = await handle.read(block, 0, limits.checkSectorBytes, 0);
    return bytesWritten === limits.checkSectorBytes && bytesRead === limits.checkSectorBytes;
  } catch (error) {
    return ifRefused(error) !== null;
  } finally {
    await handle?.close();
    await directory.removeFiles([probeName]);
  }
}

/** What open(2) and write(2) answer where O_DIRECT is not supported. */
function ifRefused(error: unknown): null {
  if (['EINVAL', 'EOPNOTSUPP', 'ENOTSUP'].includes((error as { code?: string }).code ?? '')) return null;
  throw error;
}
