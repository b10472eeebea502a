/** Global setup of each vitest project: prints the seed once a run. To stderr, because stdout may be a report in JSON. */
export function setup(): void {
  if (process.env['STOWAGE_SEED_ANNOUNCED'] !== undefined) return;
  process.env['STOWAGE_SEED_ANNOUNCED'] = '1';
  console.error(`Seed ${process.env['STOWAGE_SEED']}. STOWAGE_SEED=${process.env['STOWAGE_SEED']} repeats this run.`);
}
