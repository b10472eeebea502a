/**
 * GPUs by name, and what a plan takes from one: memory, arithmetic as training reaches it, and a price. Peaks are dense, without sparsity, in
 * BF16 (V100: FP16, as it has no BF16).
 */
interface GpuModel {
  name: string;
  memoryBytes: number;
  peakFlopsPerSecond: number;
  /** Share of the peak that training usually reaches (MFU). */
  utilization: number;
  /** Null where the vendor publishes none. */
  powerWatts: number | null;
  /** US dollars an hour to rent one, from and to. */
  pricesPerHour: readonly [number, number];
}

function gpu(
  name: string,
  gigabytes: number,
  peakTeraflops: number,
  utilization: number,
  powerWatts: number | null,
  pricesPerHour: readonly [number, number],
): GpuModel {
  return {
    name,
    memoryBytes: gigabytes * 1e9,
    peakFlopsPerSecond: peakTeraflops * 1e12,
    utilization,
    powerWatts,
    pricesPerHour,
  };
}

export const gpuModels = {
  v100: gpu('NVIDIA V100 SXM 32 GB', 32, 125, 0.3, 300, [0.3, 3.1]),
  'a100-40': gpu('NVIDIA A100 SXM 40 GB', 40, 312, 0.45, 400, [1, 2.8]),
  a100: gpu('NVIDIA A100 SXM 80 GB', 80, 312, 0.45, 400, [1.4, 3.4]),
  h100: gpu('NVIDIA H100 SXM', 80, 989.4, 0.4, 700, [2.5, 4]),
  h200: gpu('NVIDIA H200 SXM', 141, 989.4, 0.4, 700, [3.4, 5]),
  b200: gpu('NVIDIA B200 SXM', 180, 2250, 0.35, 1000, [5, 8]),
  gb200: gpu('NVIDIA GB200 NVL72', 186, 2500, 0.35, 1200, [6, 10.5]),
  l40s: gpu('NVIDIA L40S', 48, 362, 0.3, 350, [0.8, 1.9]),
  rtx4090: gpu('NVIDIA GeForce RTX 4090', 24, 165.2, 0.3, 450, [0.3, 0.7]),
  mi300x: gpu('AMD Instinct MI300X', 192, 1307.4, 0.3, 750, [1.7, 5]),
  mi325x: gpu('AMD Instinct MI325X', 256, 1307.4, 0.3, 1000, [2, 5]),
  mi355x: gpu('AMD Instinct MI355X', 288, 2516.6, 0.3, 1400, [2.5, 8.6]),
  'tpu-v4': gpu('Google TPU v4', 32, 275, 0.45, 192, [1.4, 3.2]),
  'tpu-v5e': gpu('Google TPU v5e', 16, 197, 0.45, null, [0.5, 1.2]),
  'tpu-v5p': gpu('Google TPU v5p', 95, 459, 0.45, null, [1.9, 4.2]),
  'tpu-v6e': gpu('Google TPU v6e', 32, 918, 0.4, null, [1.2, 2.7]),
} as const satisfies Record<string, GpuModel>;

export type GpuId = keyof typeof gpuModels | 'unlisted';

/** Data sheets of the rows above, and when they were read: of memory, peak and power. */
export const gpuSources: Readonly<Record<keyof typeof gpuModels, { text: string; date: string }>> = {
  v100: { text: 'NVIDIA V100 data sheet (SXM2)', date: '2020-01' },
  'a100-40': { text: 'NVIDIA A100 data sheet; 624 TFLOPS with sparsity', date: '2020-11' },
  a100: { text: 'NVIDIA A100 80GB data sheet; 624 TFLOPS with sparsity', date: '2021-06' },
  h100: { text: 'NVIDIA H100 data sheet; 1,979 TFLOPS with sparsity', date: '2023-03' },
  h200: { text: 'NVIDIA H200 data sheet; 1,979 TFLOPS with sparsity', date: '2024-03' },
  b200: { text: 'NVIDIA DGX B200 data sheet; 1,440 GB in 8 GPUs, 4.5 PFLOPS each with sparsity', date: '2025-01' },
  gb200: { text: 'NVIDIA GB200 NVL72 data sheet; 5 PFLOPS a GPU with sparsity', date: '2025-01' },
  l40s: { text: 'NVIDIA L40S data sheet; 733 TFLOPS with sparsity', date: '2023-08' },
  rtx4090: { text: 'NVIDIA Ada architecture paper; BF16 summed in FP32', date: '2022-09' },
  mi300x: { text: 'AMD MI300X data sheet', date: '2023-12' },
  mi325x: { text: 'AMD MI325X data sheet', date: '2024-10' },
  mi355x: { text: 'AMD MI355X data sheet', date: '2025-06' },
  'tpu-v4': { text: 'Google Cloud, TPU v4; power: Jouppi et al., ISCA 2023, at most', date: '2023-06' },
  'tpu-v5e': { text: 'Google Cloud, TPU v5e', date: '2025-01' },
  'tpu-v5p': { text: 'Google Cloud, TPU v5p', date: '2025-01' },
  'tpu-v6e': { text: 'Google Cloud, TPU v6e', date: '2025-01' },
};

/** Of the columns that data sheets do not have. */
export const gpuNotes = {
  utilization:
    'published of large runs: 46 % on TPU v4 (PaLM, 2022), 44 to 52 % on A100 (Narayanan et al., SC21), 38 to 43 % on H100 (Llama 3, 2024); of the others assumed',
  prices:
    'of public offers from the cheapest rental to the list price of large clouds, 2026-03, second hand: take them for an order of magnitude',
};

export const gpuChoices: readonly { value: GpuId; label: string }[] = [
  { value: 'unlisted', label: 'not listed' },
  ...Object.entries(gpuModels).map(([id, { name }]) => ({ value: id as GpuId, label: name })),
];

/** The model of an id; null for none in particular. */
export function gpuModelOf(id: GpuId): GpuModel | null {
  return id === 'unlisted' ? null : gpuModels[id];
}

/** Of all GPUs above. */
export const largestGpuBytes = Object.values(gpuModels).reduce((most, { memoryBytes }) => Math.max(most, memoryBytes), 0);

/** Inputs of a plan that a GPU decides. */
interface GpuInputs {
  deviceMemoryBytes: number;
  gpuFlopsPerSecond: number;
  gpuPricePerHour: number;
  gpuWatts: number | null;
}

/** What the GPU that is named gives a plan, unless it is given: the price is the middle of the range. */
export function gpuInputs(id: GpuId = 'unlisted'): Partial<GpuInputs> {
  const model = gpuModelOf(id);
  if (model === null) return {};
  const [least, most] = model.pricesPerHour;
  return {
    deviceMemoryBytes: model.memoryBytes,
    gpuFlopsPerSecond: Math.round(model.peakFlopsPerSecond * model.utilization),
    gpuPricePerHour: Math.round(50 * (least + most)) / 100,
    gpuWatts: model.powerWatts,
  };
}
