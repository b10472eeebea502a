import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** A wait that ends within this is not shown at all: a frame that flashes up is worse than none. */
export const skeletonAfterMs = 100;

/** A wait that ends within this has no words: nobody would have read them. */
export const progressAfterMs = 500;

export type WaitStage = 'unseen' | 'skeleton' | 'progress';

/** How much of a wait is shown: nothing at first, then the shapes of what is to come, then how far it is and the way out. */
export class Waiting implements ReactiveController {
  stage: WaitStage = 'unseen';
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(private readonly element: ReactiveControllerHost) {
    element.addController(this);
  }

  /** Starts a wait. One that has begun goes on. */
  begin(): void {
    if (this.timers.length > 0) return;
    this.timers = [
      setTimeout(() => this.show('skeleton'), skeletonAfterMs),
      setTimeout(() => this.show('progress'), progressAfterMs),
    ];
  }

  /** Ends a wait; the next one is unseen again. */
  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.stage = 'unseen';
  }

  hostDisconnected(): void {
    this.end();
  }

  private show(stage: WaitStage): void {
    this.stage = stage;
    this.element.requestUpdate();
  }
}
