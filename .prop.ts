import fc from 'fast-check';
import { makePlan, type StoragePlan } from './src/core/planning/storagePlan.ts';
import { randomDocument } from './test/builders/randomPlan.ts';
import { frugalLossShare } from './src/core/planning/saving/interval.ts';
import { costOfPoint } from './src/core/planning/saving/frontier.ts';
import { realisticDocument } from './test/builders/realisticPlan.ts';
const n = Number(process.argv[2] ?? 300);
const seed = Number(process.argv[3] ?? 1);
const fails = new Map<string, { count: number; example: string }>();
const note = (name: string, doc: any, detail: string) => {
  const f = fails.get(name) ?? { count: 0, example: '' };
  f.count += 1;
  const text = JSON.stringify(doc.inputs) + ' :: ' + detail;
  if (f.example === '' || text.length < f.example.length) f.example = text;
  fails.set(name, f);
};
const goodput = (p: StoragePlan) => 1 - p.sensitivity.lostShare;
let t = performance.now();
for (const [which, arb] of [['random', randomDocument], ['real', realisticDocument]] as const) {
  for (const doc of fc.sample(arb as any, { numRuns: n, seed })) {
    const d = doc as any;
    const plan = makePlan(d);
    const { frontier, save, study, inputs } = plan;
    const own = costOfPoint(frontier.planned);
    const least = Math.min(...frontier.points.map(costOfPoint));
    if (save.bandwidthBasis === 'pays' && plan.recommendation.better === null && least < own * (1 - 2e-3)) note(which + ' frontier pays beaten', d, `${least} < ${own}`);
    if (save.bandwidthBasis !== 'pays' && least < own * 0.98 && frontier.cheaper === null) note(which + ' frontier cheaper missing', d, '');
    if (save.bandwidthBasis === 'pays' && frontier.cheaper !== null) note(which + ' pays has cheaper', d, `${costOfPoint(frontier.cheaper)} ${own}`);
    // intervals
    if (save.intervalBasis !== 'given') {
      if (study.best.goodput - study.planned.goodput > frugalLossShare + 1e-9 && save.bandwidthBasis !== 'pays') note(which + ' interval loses more than frugal', d, `${study.best.goodput} ${study.planned.goodput} ${save.intervalBasis}`);
      if (study.best.goodput - study.planned.goodput > 1e-9 && save.saveSeconds / study.best.intervalSeconds <= inputs.overlapTarget * (1 + 1e-9)) note(which + ' interval worse without reason', d, `${study.best.goodput} ${study.planned.goodput} ${save.intervalBasis}`);
      if (study.hourly.goodput > study.best.goodput + 1e-9) note(which + ' hourly beats best', d, `${JSON.stringify(study.hourly)} ${JSON.stringify(study.best)} ${save.intervalBasis} ${save.saveSeconds}`);
    }
    if (save.saveSeconds / save.intervalSeconds > 1 + 1e-9 && save.intervalBasis !== 'given' && inputs.saveMode === 'asynchronous') note(which + ' chosen interval piles up', d, '');
    // monotone in bandwidth
    if (inputs.writeBytesPerSecond !== null || true) {
      const b = inputs.writeBytesPerSecond ?? save.writeBytesPerSecond * inputs.jobs;
      if (b * 2 <= 1e15 && b >= 1e3) {
        const g1 = makePlan({ ...d, inputs: { ...d.inputs, writeBytesPerSecond: b } });
        for (const f of [1.3, 2]) {
          const g2 = makePlan({ ...d, inputs: { ...d.inputs, writeBytesPerSecond: b * f } });
          if (goodput(g2) < goodput(g1) - 1e-9) note(which + ' more bandwidth trains less', d, `${f}: ${goodput(g1)} -> ${goodput(g2)} ${g1.save.intervalBasis} ${g1.save.intervalSeconds} ${g2.save.intervalSeconds} mode ${inputs.saveMode}`);
        }
      }
    }
    // budget
    const price = d.inputs.storePricePerGBps ?? 614;
    const p1 = makePlan({ ...d, inputs: { ...d.inputs, writeBytesPerSecond: null, storePricePerGBps: Math.min(1e6, price) } });
    const p2 = makePlan({ ...d, inputs: { ...d.inputs, writeBytesPerSecond: null, storePricePerGBps: Math.min(1e6, price) / 3 } });
    if (goodput(p2) < goodput(p1) - 1e-6) note(which + ' cheaper bandwidth trains less', d, `${goodput(p1)} -> ${goodput(p2)} rates ${p1.save.writeBytesPerSecond} ${p2.save.writeBytesPerSecond} basis ${p1.save.bandwidthBasis} mode ${inputs.saveMode}`);
    // sharding
    if (d.inputs.zeroStage === undefined && !plan.memory.planned.fits) {
      const fit = (plan.memory as any).stages?.some((s: any) => s.fits);
      if (fit) note(which + ' a listed stage fits', d, '');
    }
    // guidance order
    const ranks = plan.guidance.verdicts.filter((v) => v.isAvailable).map((v) => v.isEnough);
    if (ranks.lastIndexOf(true) > ranks.indexOf(false) && ranks.indexOf(false) >= 0 && ranks.includes(true)) note(which + ' at hand behind bought', d, '');
    for (const r of plan.risks.risks) if (!(r.lostShare > 0 && r.lostShare <= 1)) note(which + ' risk share', d, r.id);
  }
}
console.log(`${n} each, ${((performance.now() - t) / n / 2).toFixed(1)} ms per doc`);
for (const [name, { count, example }] of fails) console.log(`${name}: ${count}\n   ${example.slice(0, 900)}`);
