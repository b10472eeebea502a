/** How fast flash wears out: full writes of the drive a day (DWPD), as drives are rated. */

/** What drives for reading are usually rated for: their whole capacity once a day, over five years. */
export const ratedWritesPerDay = 1;
export const ratedYears = 5;

const day = 86_400;
const year = 365.25 * day;

export interface DriveWear {
  /** Written a day ÷ capacity. */
  driveWritesPerDay: number;
  /** Until the rated bytes are written; Infinity where nothing is. */
  ratedForSeconds: number;
}

/**
 * @param bytesPerSecond written on average @param capacityBytes of the drives that are written
 * @returns null where there is no drive
 */
export function driveWear(bytesPerSecond: number, capacityBytes: number): DriveWear | null {
  if (capacityBytes <= 0) return null;
  const driveWritesPerDay = (bytesPerSecond * day) / capacityBytes;
  const ratedBytes = ratedWritesPerDay * capacityBytes * ((ratedYears * year) / day);
  return { driveWritesPerDay, ratedForSeconds: bytesPerSecond === 0 ? Infinity : ratedBytes / bytesPerSecond };
}
