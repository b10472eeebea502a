/** The checkpoints of MLPerf Storage v2.0 (DLIO, its generator and its rules). What it prints as TB are GiB divided by 1,000. */
export interface MlperfSize {
  name: string;
  parameters: number;
  /** As the rules print it. */
  printed: string;
  /** Bytes that the generator writes. */
  bytes: number;
  /** What is to be known of the row. */
  remark: string;
}

const GiB = 2 ** 30;

export const mlperfSizes: readonly MlperfSize[] = [
  { name: '8B', parameters: 8_030_261_248, printed: '105 GB', bytes: 8_030_261_248 * 14, remark: 'it counts in GiB' },
  {
    name: '70B',
    parameters: 69_882_617_856,
    printed: '912 GB',
    bytes: 69_882_617_856 * 14,
    remark: 'it counts in GiB, and gives the model 128 heads, so that keys and values are half as wide as in Llama 3 70B',
  },
  {
    name: '405B',
    parameters: 405_853_388_800,
    printed: '5.29 TB',
    bytes: 405_853_388_800 * 14,
    remark: 'it counts in GiB and divides them by 1,000',
  },
  {
    name: '1T',
    parameters: 1_183_035_102_480,
    printed: '18 TB',
    // What its generator writes: 14 bytes a parameter are 15,425 GiB, and ranks round up.
    bytes: 15_426 * GiB,
    remark: '18 is 15,426 GiB and 2,571 GiB of weights, which are in the first number already: it counts the weights twice',
  },
];

/** The row of a model of about this size; null where none is within 20 %. */
export function nearestMlperfSize(parameters: number): MlperfSize | null {
  return mlperfSizes.find((size) => Math.abs(size.parameters - parameters) < 0.2 * size.parameters) ?? null;
}
