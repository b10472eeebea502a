/** What is bought once and what it draws, as money a month. */
import { monthSeconds } from '../systems/storageSystem.js';

/** US dollars a month while a purchase is written off in equal parts. @param lifetimeSeconds above 0 */
export function capitalPerMonth(capitalDollars: number, lifetimeSeconds: number): number {
  return (capitalDollars * monthSeconds) / lifetimeSeconds;
}

/** US dollars a month for power that is drawn all the time. */
export function energyPerMonth(watts: number, pricePerKilowattHour: number): number {
  return (watts / 1000) * (monthSeconds / 3600) * pricePerKilowattHour;
}
