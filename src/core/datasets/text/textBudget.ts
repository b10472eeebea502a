import { limits } from '../../bytes/limits.js';

/** How many texts the files of one data set may still keep in memory for counting. */
export class TextBudget {
  private left: number = limits.countedTexts;

  /** True once a file had more texts than were left. */
  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Takes the texts of one record, which is an object even without one. False where that is more than is left. */
  take(texts: number): boolean {
    this.left -= Math.max(1, texts);
    return this.left >= 0;
  }
}
