/** What GPUs cost: rented by the hour, or bought, written off and powered. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { monthSeconds } from '../systems/storageSystem.js';
import { capitalPerMonth, energyPerMonth } from './capital.js';
import type { MonthlyMoney } from './storageMoney.js';

type GpuPriceInputs = Pick<
  PlanInputs,
  'gpuCapitalDollars' | 'gpuLifetimeSeconds' | 'gpuWatts' | 'energyPricePerKilowattHour' | 'gpuPricePerHour'
>;

const hoursOfMonth = monthSeconds / 3600;

/** Of a GPU that was bought; null where its purchase price is not given. US dollars a month. */
function boughtGpu(inputs: GpuPriceInputs): MonthlyMoney | null {
  const { gpuCapitalDollars: capitalDollars, gpuWatts: watts, energyPricePerKilowattHour: price } = inputs;
  if (capitalDollars === null) return null;
  return {
    capital: capitalPerMonth(capitalDollars, inputs.gpuLifetimeSeconds),
    running: watts === null || price === null ? 0 : energyPerMonth(watts, price),
  };
}

/** An hour of a GPU in US dollars, from its purchase; null where it is not bought. */
export function boughtGpuPricePerHour(inputs: GpuPriceInputs): number | null {
  const money = boughtGpu(inputs);
  return money === null ? null : (money.capital + money.running) / hoursOfMonth;
}

/** Of all GPUs, US dollars a month: bought where a purchase price is given, else rented. */
export function gpusMoney(inputs: PlanInputs): MonthlyMoney {
  const { capital, running } = boughtGpu(inputs) ?? { capital: 0, running: inputs.gpuPricePerHour * hoursOfMonth };
  return { capital: capital * inputs.gpus, running: running * inputs.gpus };
}

/** Of all GPUs, US dollars a second. */
export function gpuDollarsPerSecond({ gpus, gpuPricePerHour }: Pick<PlanInputs, 'gpus' | 'gpuPricePerHour'>): number {
  return (gpus * gpuPricePerHour) / 3600;
}
