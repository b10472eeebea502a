/** The table of GPUs in docs/plan.md. */
import { gpuInputs, gpuModels, gpuNotes, gpuSources, type GpuId } from '../../src/core/planning/training/gpuModels.js';

/** Each GPU with what its data sheet has, and what a plan takes of it. */
export function planGpuTable(): string {
  const rows = Object.entries(gpuModels).map(([id, model]) => {
    const { text, date } = gpuSources[id as keyof typeof gpuSources];
    const { gpuFlopsPerSecond = 0, gpuPricePerHour = 0 } = gpuInputs(id as GpuId);
    const cells = [
      `\`${id}\``,
      model.name,
      String(model.memoryBytes / 1e9),
      String(model.peakFlopsPerSecond / 1e12),
      `${Math.round(model.utilization * 100)} %`,
      String(Math.round(gpuFlopsPerSecond / 1e12)),
      model.powerWatts === null ? 'not published' : String(model.powerWatts),
      model.pricesPerHour.join(' to '),
      String(gpuPricePerHour),
      `${text} (${date})`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| `gpu` | GPU | memory, GB | dense BF16 peak, TFLOP/s | MFU | TFLOP/s in a plan | power, W | US$ an hour | US$ in a plan | memory, peak and power from |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `MFU is ${gpuNotes.utilization}. Prices are ${gpuNotes.prices}.`,
  ].join('\n');
}
