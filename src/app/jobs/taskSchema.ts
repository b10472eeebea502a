/** Which values a task reads. The platform opens files below the checkpoint alone, whatever this names. */
import * as v from 'valibot';
import type { Scaling } from '../../core/values/scaled/scaling.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import { count } from './outcomeSchema.js';

const extent = v.object({
  path: v.string(),
  offset: count,
  bytes: count,
  packed: v.exactOptional(v.object({ codec: v.picklist(['gzip', 'zlib', 'zstd']), bytes: count })),
});

export const taskSchema: v.GenericSchema<unknown, ValueTask> = v.object({
  stored: v.array(
    v.object({
      row: count,
      dtype: v.string(),
      isBigEndian: v.boolean(),
      extents: v.array(extent),
      scaling: v.exactOptional(
        v.object({
          kind: v.custom<Scaling['kind']>((value) => typeof value === 'string'),
          parts: v.array(
            v.object({
              use: v.custom<Scaling['parts'][number]['use']>((value) => typeof value === 'string'),
              dtype: v.string(),
              extent,
            }),
          ),
        }),
      ),
    }),
  ),
  sample: v.exactOptional(v.object({ share: v.number(), seed: v.number() })),
});
