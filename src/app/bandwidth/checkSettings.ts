import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';

/** Long enough for three repeats of 4 GiB where a gigabyte a second is written, short enough to wait for. */
const usual = { seconds: 30, repeats: 3 } as const;

/** The settings of a check, with the usual ones for all that are not given. */
export function checkSettings(given: Partial<CheckSettings> & Pick<CheckSettings, 'target'>): CheckSettings {
  return {
    replayOf: null,
    sizeBytes: null,
    streams: null,
    blockBytes: null,
    spaceBytes: null,
    intervalSeconds: null,
    sweepStreams: null,
    isSustained: false,
    sustainedBytes: null,
    sustainedSeconds: null,
    ...usual,
    ...given,
  };
}
