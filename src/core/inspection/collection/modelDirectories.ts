/** Models that lie in directories below another model, each complete with its own config. */
import type { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { RoleId } from '../../files/roleLabels.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { isPipeline } from '../../frameworks/huggingFace/pipeline.js';
import { fileRoles } from '../../frameworks/layouts.js';
import type { LayoutId } from '../../text/frameworkLabels.js';

/** Layouts of a model alone: below it, adapters are things of their own too. Those of trainers and of PEFT have adapters of one save there. */
const modelLayouts: ReadonlySet<LayoutId> = new Set<LayoutId>(['huggingface-model', 'gguf', 'onnx', 'safetensors-file']);
const weightRoles: ReadonlySet<RoleId> = new Set<RoleId>(['model-weights', 'adapter-weights']);
/** Formats into which a model is exported: a directory of these is a copy of the model around it. */
const exportName = /\.(onnx|gguf|xml|tflite|mlmodel|mlpackage|h5|msgpack|ot)$/i;

/**
 * The outermost directories below a model that have weights and the config of a model of their own; empty where a file names them as
 * its parts.
 */
export function modelDirectories(listing: Listing): string[] {
  const isModel = modelLayouts.has(detectLayout(listing).id);
  if (isPipeline(listing) || (isModel && !hasOwnWeights(listing))) return [];
  const found: string[] = [];
  const complete = [...listing.directories]
    .filter(([directory, paths]) => directory !== '' && isComplete(directory, paths, listing, isModel))
    .map(([directory]) => directory)
    .sort((a, b) => a.length - b.length);
  for (const directory of complete) if (!found.some((outer) => directory.startsWith(`${outer}/`))) found.push(directory);
  return found.filter((directory) => !isInPipeline(directory, listing));
}

function hasOwnWeights(listing: Listing): boolean {
  return (listing.directories.get('') ?? []).some(
    (path) => weightRoles.has(fileRoles.of(path).role) || exportName.test(path) || path.endsWith('.safetensors'),
  );
}

function isComplete(directory: string, paths: readonly string[], listing: Listing, withAdapters: boolean): boolean {
  const isAdapter = withAdapters && listing.entry(joinPath(directory, 'adapter_config.json')) !== undefined;
  if (!isAdapter && listing.entry(joinPath(directory, 'config.json')) === undefined) return false;
  return paths.some((path) => weightRoles.has(fileRoles.of(baseName(path)).role));
}

/** A pipeline in a directory of its own is one thing from there on. */
function isInPipeline(directory: string, listing: Listing): boolean {
  for (let above = parentPath(directory); above !== ''; above = parentPath(above)) if (isPipeline(listing, above)) return true;
  return false;
}
