import { makePlan } from './src/core/planning/storagePlan.ts';
const inputs = {"parameters":1000000000,"gpus":2,"tensorParallel":1,"pipelineParallel":2,"mtbfSeconds":3600,"store":"ebs-gp3"} as const;
const base = makePlan({ inputs, measured: [], saved: [] });
const own = base.save.writeBytesPerSecond;
for (const f of [0.5, 0.9, 0.99, 1, 1.0001, 1.01, 1.1, 2]) {
  const p = makePlan({ inputs: { ...inputs, writeBytesPerSecond: own * f }, measured: [], saved: [] });
  console.log(f, p.save.writeBytesPerSecond, p.save.intervalSeconds, p.save.intervalBasis, p.save.saveSeconds, p.save.shares.training, p.levels.furtherLossShare, p.levels.slowRestoreShare, 1 - p.sensitivity.lostShare, p.levels.levels.map(l => l.id + ':' + l.everySaves).join(' '));
}
const i2 = {"stallSeconds":1e-9,"mtbfSeconds":648469382.6483014,"restartSeconds":1e-9};
const q = makePlan({ inputs: i2, measured: [], saved: [] });
console.log(q.study, q.save.intervalBasis, q.save.intervalSeconds, q.save.bestIntervalSeconds);
