import { defineFormat } from '../fileFormat.js';
import { isStableBaselines3, readStableBaselines3 } from './stableBaselines3.js';

/** Its files are named `.zip`, as any archive is. */
export const stableBaselines3Format = defineFormat({
  id: 'stable-baselines3',
  role: 'model-and-optimizer',
  component: 'container',
  content: { matches: isStableBaselines3, otherwise: 'zip' },
  layout: 'stable-baselines3',
  checks: 'Stable-Baselines3: directory of the archive, torch files and attributes inside',
  read: readStableBaselines3,
});
