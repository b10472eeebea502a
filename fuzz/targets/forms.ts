import type { InputForm } from '../target.js';

/** What the name of a file says of the mutations that fit it. */
export function formByName(path: string): InputForm {
  if (/\.jsonl?$|\.zarray$|\/?\.zattrs$|_METADATA$/.test(path)) return 'json';
  if (/\.(ya?ml|toml|sh|sbatch|slurm|py|txt|csv|md|ini)$|\/?(latest|checkpoint)$/.test(path)) return 'text';
  return 'bytes';
}
