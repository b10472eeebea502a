/** What numbers of a plan measure, each with its units. All are held in the base unit. */

interface QuantityUnits {
  /** What the base unit is called in documentation and schemas. */
  base: string;
  /** What one of the unit behind the panel's input is in the base unit, and what it is called. */
  unit: string;
  size: number;
  /** The most that an input may be unless its own limit is lower. */
  maximum: number;
  /** An amount as people write it. */
  example: string;
  /** What each unit that can be written is in the base unit. In which case it is written does not matter where no other one differs by that alone. */
  units: Readonly<Record<string, number>>;
}

const multiples: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  ki: 2 ** 10,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};
/** Bytes and bits (IEC 80000-13): `GB`, `Gb` and `Gbit` differ by their letters alone. */
const counted: Readonly<Record<string, number>> = { B: 1, b: 1 / 8, bit: 1 / 8 };

/** Units of data, each with one of the endings. `4Gi` is as Kubernetes writes GiB; what a `G` alone is counted in, nothing says. */
function dataUnits(...endings: readonly string[]): Record<string, number> {
  const units: Record<string, number> = {};
  for (const ending of endings)
    for (const [multiple, size] of Object.entries(multiples)) {
      if (multiple.endsWith('i')) units[`${multiple}${ending}`] = size;
      for (const [letter, bytes] of Object.entries(counted)) units[`${multiple}${letter}${ending}`] = size * bytes;
    }
  return units;
}

const spans = {
  ms: 1e-3,
  s: 1,
  sec: 1,
  min: 60,
  h: 3600,
  hours: 3600,
  d: 86_400,
  days: 86_400,
  w: 604_800,
  weeks: 604_800,
  y: 31_557_600,
};

export const quantities = {
  count: {
    base: 'number',
    unit: '',
    size: 1,
    maximum: 1e15,
    example: '16,384 or 405B',
    units: { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 },
  },
  bytes: { base: 'bytes', unit: 'GB', size: 1e9, maximum: 1e18, example: '5.7 TB', units: dataUnits('') },
  // At most 100 years.
  seconds: { base: 's', unit: 's', size: 1, maximum: 3.15576e9, example: '90 min', units: spans },
  bytesPerSecond: {
    base: 'bytes/s',
    unit: 'GB/s',
    size: 1e9,
    maximum: 1e15,
    example: '172 GB/s',
    units: dataUnits('/s', 'ps'),
  },
  share: { base: 'share of 1', unit: '%', size: 0.01, maximum: 1, example: '10 %', units: { '%': 0.01 } },
  bytesPerValue: { base: 'bytes', unit: 'B', size: 1, maximum: 1024, example: '14', units: { b: 1 } },
  flopsPerSecond: {
    base: 'FLOP/s',
    unit: 'TFLOP/s',
    size: 1e12,
    maximum: 1e18,
    example: '400 TFLOP/s',
    units: { gflops: 1e9, tflops: 1e12, pflops: 1e15, 'gflop/s': 1e9, 'tflop/s': 1e12, 'pflop/s': 1e15 },
  },
  watts: { base: 'W', unit: 'W', size: 1, maximum: 1e9, example: '700 W', units: { W: 1, kW: 1e3, MW: 1e6, mW: 1e-3 } },
  capital: { base: 'US$', unit: '$', size: 1, maximum: 1e12, example: '200,000', units: { $: 1, k: 1e3, K: 1e3, M: 1e6 } },
  price: { base: 'US$', unit: '$', size: 1, maximum: 1e6, example: '0.023', units: { $: 1 } },
} as const satisfies Record<string, QuantityUnits>;

export type Quantity = keyof typeof quantities;

/** The units of a quantity, whichever it is. */
export function unitsOf(quantity: Quantity): QuantityUnits {
  return quantities[quantity];
}
