import type { CheckHooks, CheckRequest, Measurement } from '../../core/bandwidth/measurement.js';
import type { TargetFacts } from '../../core/bandwidth/targetFacts.js';

/** What a user chooses for one check of a store that speaks S3, over all that is configured for the AWS command line. */
export interface StoreAccess {
  endpoint: string | null;
  region: string | null;
  /** Of `~/.aws`, with the key. */
  profile: string | null;
}

/** Measures a directory or an object store. Only `run` writes, and removes what it wrote however it ends. */
export interface BandwidthService {
  /** @throws CheckError `not-found`, `not-a-directory`, `not-writable`, `access-denied`, `io` */
  facts(target: string, signal?: AbortSignal): Promise<TargetFacts>;
  /** @throws CheckError; `cancelled` after everything was removed */
  run(request: CheckRequest, hooks: CheckHooks, signal: AbortSignal): Promise<Measurement>;
  /** Removes what another check left, and nothing but what that check wrote. @throws CheckError `not-removed` */
  removeLeft(path: string): Promise<void>;
}
