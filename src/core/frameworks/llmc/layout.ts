/** Checkpoints of llm.c: `model_<step>.bin`, `state_<step>_<rank>.bin`, and `DONE_<step>`, which is written last. */
import { loadsAsSaved } from '../../checkpoints/reshard.js';
import { baseName } from '../../files/paths.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import type { Parts } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

const modelName = /^model_(\d{8})\.bin$/;
const stateName = /^state_(\d{8})_(\d{5})\.bin$/;

/** It has no id of its own: the framework's name tells it. */
export const llmc: Layout = {
  id: 'unknown',
  match: (listing) => (listing.hasMatch(/^(model_\d{8}|state_\d{8}_\d{5})\.bin$/) ? 0.8 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    parts.framework = { name: 'llm.c', version: null };
    parts.expected = ['weights', 'optimizer'];
    parts.reshard = loadsAsSaved('Each process reads its own state file: as many processes are needed as wrote it.');
    parts.step = newestStep(listing);
    noteMissing(parts, listing);
    return result;
  },
};

function newestStep(listing: Listing): number | null {
  const steps = listing.baseNames().map((name) => (modelName.exec(name) ?? stateName.exec(name))?.[1]);
  return steps.reduce<number | null>((newest, step) => (step === undefined ? newest : Math.max(newest ?? 0, Number(step))), null);
}

function noteMissing(parts: Parts, listing: Listing): void {
  const processes = [...parts.metadata.values()].reduce((most, texts) => Math.max(most, Number(texts.get('processes') ?? 0)), 0);
  if (processes > 0) parts.topology = { ...parts.topology, worldSize: processes, dataParallel: processes };
  const ranks = new Map<string, Set<number>>();
  for (const file of parts.files) {
    const [, step, rank] = stateName.exec(baseName(file.path)) ?? [];
    if (step === undefined || rank === undefined) continue;
    file.rank = String(Number(rank));
    ranks.set(step, (ranks.get(step) ?? new Set()).add(Number(rank)));
  }
  for (const [step, present] of ranks) {
    if (present.size < processes) {
      const first: string[] = [];
      for (let rank = 0; rank < processes && first.length < 5 && rank <= present.size + 5; rank++)
        if (!present.has(rank)) first.push(`state_${step}_${String(rank).padStart(5, '0')}.bin`);
      const missing = processes - present.size;
      const facts = { files: missing, ranks: missing, worldSize: processes, first: first.join(', ') };
      parts.findings.push({ code: 'rank-file-missing', facts });
    }
  }
  for (const step of new Set([...ranks.keys(), ...stepsOfModels(listing)])) {
    if (!listing.has(`DONE_${step}`))
      parts.findings.push({ code: 'save-unfinished', facts: { detail: `DONE_${step}, which llm.c writes last, is missing` } });
  }
}

function stepsOfModels(listing: Listing): string[] {
  return listing.baseNames().flatMap((name) => modelName.exec(name)?.[1] ?? []);
}
