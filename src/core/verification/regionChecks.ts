import type { MakeHash } from './hashes/hash.js';
import type { Region } from './passSpec.js';
import { RegionCheck } from './regionCheck.js';
import type { Damage } from './verification.js';

/** The regions of a file while its bytes pass. They may overlap. */
export class RegionChecks {
  private next = 0;
  private open: RegionCheck[] = [];
  private readonly damage: Damage[] = [];

  /** @param regions in order of their offsets */
  constructor(
    private readonly regions: readonly Region[],
    private readonly makeHash: MakeHash,
  ) {}

  push(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.byteLength;
    for (let region = this.regions[this.next]; region !== undefined && region.offset < end; region = this.regions[this.next]) {
      this.open.push(new RegionCheck(region, this.makeHash));
      this.next += 1;
    }
    if (this.open.length === 0) return;
    const stillOpen: RegionCheck[] = [];
    for (const check of this.open) {
      const from = Math.max(0, check.region.offset - offset);
      check.push(bytes.subarray(from, Math.min(bytes.byteLength, check.end - offset)));
      if (check.end > end) stillOpen.push(check);
      else this.close(check);
    }
    this.open = stillOpen;
  }

  /** Damage of all regions. Those that the file ends before are cut off. */
  end(): Damage[] {
    for (const check of this.open) this.close(check);
    for (const region of this.regions.slice(this.next)) this.close(new RegionCheck(region, this.makeHash));
    return this.damage;
  }

  private close(check: RegionCheck): void {
    const problem = check.close();
    const { offset, length, what } = check.region;
    if (problem !== null) this.damage.push({ offset, length, what: `${what}: ${problem}` });
  }
}
