/** Checkpoints of nanotron: `model/`, `optimizer/`, `lr_scheduler/` and `random/` beside `checkpoint_metadata.json`. */
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { appendAll } from '../../bytes/appendAll.js';
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { baseName } from '../../files/paths.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Parts } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

const MARKER = 'checkpoint_metadata.json';
const optimizerName =
  /^optimizer_pp-(\d{1,6})-of-(\d{1,6})(?:_dp-(\d{1,6})-of-(\d{1,6}))?_tp-(\d{1,6})-of-(\d{1,6})(?:_exp-\d+-of-\d+)?\.pt$/;

export const nanotron: Layout = {
  id: 'nanotron',
  match: (listing) =>
    listing.has(MARKER) && (listing.has('model_config.json') || listing.directories.has('optimizer')) ? 0.92 : 0,
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    const metadata = result.side.json.get(MARKER);
    parts.layout = this.id;
    parts.framework = { name: 'nanotron', version: textOf(memberOf(metadata, 'version')) };
    parts.step = countOf(memberOf(memberOf(metadata, 'metas'), 'last_train_step'));
    appendAll(parts.findings, findOtherStep({ name: listing.rootName, path: MARKER, step: parts.step }, /^(\d{1,15})$/));
    parts.expected = ['weights', 'optimizer', 'scheduler', 'rng', 'trainerState'];
    parts.reshard = loadsAnywhere(
      'Each parameter is stored with its whole shape: nanotron loads it into any tensor, pipeline and data parallel sizes.',
    );
    readTopology(parts, metadata);
    return result;
  },
};

type Sizes = [ppRank: number, ppSize: number, dpRank: number, dpSize: number, tpRank: number, tpSize: number];

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Sizes are in the metadata and in the names of the optimizer's files, of which there is one a rank. */
function readTopology(parts: Parts, metadata: unknown): void {
  const present = new Set<string>();
  // With ZeRO each data-parallel rank stores its share, and has its number in the name; without it the first stores all.
  let isSharded = false;
  let [pp, dp, tp] = [0, countOf(memberOf(metadata, 'dp')) ?? 0, countOf(memberOf(metadata, 'tp')) ?? 0];
  for (const file of parts.files) {
    const match = optimizerName.exec(baseName(file.path));
    if (match === null) continue;
    const [ppRank, ppSize, dpRank, dpSize, tpRank, tpSize] = match.slice(1, 7).map((text) => Number(text ?? 0)) as Sizes;
    [pp, dp, tp] = [Math.max(pp, ppSize), Math.max(dp, dpSize), Math.max(tp, tpSize)];
    file.rank = `pp ${ppRank} · dp ${dpRank} · tp ${tpRank}`;
    present.add(baseName(file.path));
    if (match[3] !== undefined) isSharded = true;
  }
  const sizes = [pp, dp, tp].map((size) => Math.max(1, size));
  const worldSize = sizes.reduce((product, size) => product * size, 1);
  if (pp + dp + tp === 0 || !Number.isSafeInteger(worldSize)) return;
  const [pipelineParallel = 1, dataParallel = 1, tensorParallel = 1] = sizes;
  parts.topology = { ...parts.topology, worldSize, dataParallel, tensorParallel, pipelineParallel };
  const expected = isSharded ? worldSize : pipelineParallel * tensorParallel;
  if (isSharded) parts.topology.zeroStage = 1;
  if (present.size === 0 || present.size >= expected) return;
  const example = [...present][0] as string;
  const missing = expected - present.size;
  const facts = { files: missing, ranks: missing, worldSize: expected, first: `other ranks beside ${example}` };
  parts.findings.push({ code: 'rank-file-missing', facts });
}
