/** Directories with what a tool keeps of a repository beside its files. */

/** Where huggingface_hub keeps its notes on a download to a directory (`_local_folder.py`). */
export const internalsOfRepository = '.cache/huggingface';

/** A file that `hf download --local-dir` has begun, and renames once it is whole (huggingface_hub/_local_folder.py: incomplete_path). */
export function isHubDownload(path: string): boolean {
  return path.endsWith('.incomplete') && /(?:^|\/)\.cache\/huggingface\/download\//.test(path);
}

/** Object databases of git and the download cache of huggingface_hub hold copies and notes, and may be large. */
export function isRepositoryInternal(path: string): boolean {
  // Every file of a listing is looked at several times: most paths hold neither name.
  if (!path.includes('.git/') && !path.includes(internalsOfRepository)) return false;
  return /(^|\/)(\.git|\.cache\/huggingface)\//.test(path);
}
