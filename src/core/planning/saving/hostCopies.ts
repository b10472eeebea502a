/** Copies of a node's part in its memory: one that is being written and one that is whole (MaxText, ramdisk = 2 × shard × 1.15). */
export const hostCopies = 2;
export const hostAllowance = 1.15;
