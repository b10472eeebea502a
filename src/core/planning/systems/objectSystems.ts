/** Object stores and archives. */
import type { StorageSystem } from './storageSystem.js';

export const objectSystems: readonly StorageSystem[] = [];
