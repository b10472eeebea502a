import { test } from 'vitest';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFixture } from './readConfigFixture.js';
import { countModel } from '../../../src/core/configs/countModel.js';
const root = 'test/fixtures/configs';
test('dump', async () => {
  const all: Record<string, unknown> = {};
  for (const kind of readdirSync(root).filter((k) => k !== 'not-configs' && !k.includes('.'))) for (const name of readdirSync(`${root}/${kind}`)) {
    const read = await readFixture(`${root}/${kind}/${name}`);
    const c = read && await countModel(read.reading.model, read.access);
    all[`${kind}/${name}`] = { kind: read?.id, model: c ? { unique: c.counts.unique, total: c.counts.total, active: c.counts.active, ...(c.origin ? { origin: c.origin } : {}) } : null, plan: read?.reading.plan };
  }
  writeFileSync('/tmp/oracle/c/expected.json', JSON.stringify(all, null, 1));
});
