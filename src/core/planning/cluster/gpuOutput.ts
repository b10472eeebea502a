/** What nvidia-smi prints of the GPUs of a machine, and which GPU of the table a name is. */
import { limits } from '../../bytes/limits.js';
import { gpuModels, type GpuId } from '../training/gpuModels.js';

/** The GPUs of one machine, which are alike. */
export interface MachineGpus {
  name: string;
  count: number;
  memoryBytes: number | null;
  watts: number | null;
}

/** `nvidia-smi --query-gpu=name,memory.total,power.limit --format=csv,noheader,nounits`: of several kinds the one that there is most of. */
export function parseNvidiaSmi(text: string): MachineGpus | null {
  const byName = new Map<string, MachineGpus>();
  for (const line of text.split(/\r?\n/, limits.clusterLines)) {
    // A name may have a comma.
    const [, name, megabytes, watts] = /^(.{1,200}?),\s*([^,]*),\s*([^,]*)$/.exec(line.trim()) ?? [];
    if (name === undefined || name.trim() === '') continue;
    const memory = decimal(megabytes);
    const known = byName.get(name.trim());
    if (known !== undefined) known.count += 1;
    else if (memory !== null)
      byName.set(name.trim(), { name: name.trim(), count: 1, memoryBytes: Math.round(memory * 2 ** 20), watts: decimal(watts) });
  }
  return [...byName.values()].reduce<MachineGpus | null>((most, kind) => (kind.count > (most?.count ?? 0) ? kind : most), null);
}

/** Null for `[N/A]`, `[Not Supported]` and what a driver says in place of a number. */
function decimal(text: string | undefined): number | null {
  const value = /^\d{1,9}(?:\.\d{1,4})?$/.exec(text?.trim() ?? '')?.[0];
  return value === undefined || Number(value) === 0 ? null : Number(value);
}

/** Marks of a name, the ones that say most first. */
const marks: readonly (readonly [pattern: RegExp, id: Exclude<GpuId, 'unlisted'>])[] = [
  [/gb200/, 'gb200'],
  [/b200/, 'b200'],
  [/h200/, 'h200'],
  [/h100/, 'h100'],
  [/a100/, 'a100'],
  [/v100/, 'v100'],
  [/l40s/, 'l40s'],
  [/4090/, 'rtx4090'],
  [/mi355x?/, 'mi355x'],
  [/mi325x?/, 'mi325x'],
  [/mi300x/, 'mi300x'],
];

/**
 * The GPU of the table by what a driver or Slurm calls it; null for one that is not listed.
 * @param memoryBytes tells the two sizes of the A100 apart, and that of a slice from a whole GPU; null where it is not known
 */
export function gpuIdOf(name: string, memoryBytes: number | null): GpuId | null {
  const plain = name.toLowerCase();
  // A slice of a GPU (MIG) is none of the table.
  if (/\bmig\b|_mig|\dg\.\d/.test(plain)) return null;
  const id = marks.find(([pattern]) => pattern.test(plain))?.[1];
  if (id === undefined) return null;
  const isSmall = id === 'a100' && (/40gb/.test(plain) || (memoryBytes !== null && memoryBytes < 60e9));
  const found = isSmall ? 'a100-40' : id;
  // A card of the same name with much less memory (V100 16 GB, H100 in slices) is another one.
  return memoryBytes !== null && memoryBytes < gpuModels[found].memoryBytes * 0.85 ? null : found;
}
