/** Share of the time that the check of metadata has for itself. */
const metadataShare = 0.1;

/** How the time of a check is divided among its phases. What one does not need goes to those after it. */
export class CheckBudget {
  private spentSeconds = 0;

  /** @param repeatsLeft the one that is under way included */
  constructor(
    private readonly seconds: number,
    private repeatsLeft: number,
    private readonly hasMetadata: boolean,
  ) {}

  /** Writing has half of what its repeat has. */
  writeSeconds(): number {
    return this.repeatSeconds() / 2;
  }

  /** Reading has what writing left: half of its time at least, as a sync that takes long cannot be cut short. Asked before that writing is spent or after, the same. */
  readSeconds(writeSeconds: number): number {
    const repeatSeconds = this.repeatSeconds(writeSeconds);
    return Math.max(repeatSeconds - writeSeconds, repeatSeconds / 4);
  }

  spend(seconds: number): void {
    this.spentSeconds += seconds;
  }

  endRepeat(): void {
    this.repeatsLeft -= 1;
  }

  remainingSeconds(): number {
    return Math.max(0, this.seconds - this.spentSeconds);
  }

  /** @param given back: what was spent of this repeat already */
  private repeatSeconds(given = 0): number {
    const forData = this.seconds * (this.hasMetadata ? 1 - metadataShare : 1);
    return Math.max(0, forData - this.spentSeconds + given) / this.repeatsLeft;
  }
}
