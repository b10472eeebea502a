import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseLustreProject,
  parseLustreQuota,
  parseLustreStripe,
  parseLustreTargets,
  parseQuota,
} from '../../../src/core/bandwidth/fileSystemPrograms.js';
import { isInMemory, mountOf, parseMountTable, storingMountOf, typeOfMagic } from '../../../src/core/bandwidth/mountTable.js';
import { runs } from '../../builders/seed.js';

const table = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard
30 27 0:40 / /scratch rw,noatime - lustre 10.0.0.1@tcp:/scratch rw,flock
31 27 0:41 / /scratch/my\\040data rw - fuse.s3fs s3fs rw,user_id=0
32 27 0:42 / /mnt rw - tmpfs first rw
33 27 0:43 / /mnt rw - xfs /dev/sdb rw
34 27 0:44 / /layer rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/tmpfs/up,workdir=/tmpfs/work
35 27 0:45 / /tmpfs rw - tmpfs none rw
36 27 0:46 /data /back\\134slash ro,nosuid - nfs4 server:/export ro,vers=4.2
nonsense
37 27 0:47 / /short rw`;

describe('the table of mounts', () => {
  const mounts = parseMountTable(table);
  const at = (path: string): string | undefined => mountOf(mounts, path)?.type;

  it('leaves out what it does not understand', () => {
    expect(mounts).toHaveLength(9);
    fc.assert(
      fc.property(fc.string(), (text) => Array.isArray(parseMountTable(text))),
      runs(100),
    );
  });

  it('finds the longest mount point above a path, at whole names', () => {
    expect(at('/')).toBe('ext4');
    expect(at('/var/log')).toBe('ext4');
    expect(at('/scratch')).toBe('lustre');
    expect(at('/scratch/run/1')).toBe('lustre');
    expect(at('/scratchy')).toBe('ext4');
    expect(at('/scratch/my data/x')).toBe('fuse.s3fs');
    expect(at('/back\\slash/x')).toBe('nfs4');
  });

  it('takes the last of several at one point, which hides the others', () => {
    expect(at('/mnt/x')).toBe('xfs');
  });

  it('has options of mount and file system, each once', () => {
    expect(mountOf(mounts, '/')?.options).toEqual(['rw', 'relatime', 'discard']);
    expect(mountOf(mounts, '/back\\slash')?.options).toEqual(['ro', 'nosuid', 'vers=4.2']);
    expect(mountOf(mounts, '/scratch')?.source).toBe('10.0.0.1@tcp:/scratch');
  });

  it('has nothing to say without a table', () => {
    expect(mountOf([], '/x')).toBeNull();
  });

  it('looks through a container layer to where it writes', () => {
    const overlay = mountOf(mounts, '/layer/x');
    if (overlay === null) throw new Error('there is an overlay');
    expect(storingMountOf(mounts, overlay).type).toBe('tmpfs');
    const hidden = { ...overlay, options: ['lowerdir=/a', 'upperdir=relative'] };
    expect(storingMountOf(mounts, hidden).type).toBe('overlay');
    expect(storingMountOf([], overlay).type).toBe('overlay');
  });
});

describe('types of file systems', () => {
  it('are known by their numbers', () => {
    expect(typeOfMagic(0x01021994)).toBe('tmpfs');
    expect(typeOfMagic(0x0bd00bd0)).toBe('lustre');
    expect(typeOfMagic(1)).toBe('unknown');
  });

  it('tell what lies in memory', () => {
    expect(['tmpfs', 'ramfs', 'ext4', 'overlay'].map(isInMemory)).toEqual([true, true, false, false]);
  });
});

describe('what programs of file systems say', () => {
  it('tells the stripes of a Lustre directory', () => {
    expect(parseLustreStripe('stripe_count:  4 stripe_size:   1048576 pattern:       raid0 stripe_offset: -1\n')).toEqual({
      count: 4,
      sizeBytes: 1_048_576,
    });
    expect(parseLustreStripe('stripe_count:  -1 stripe_size:   4194304')).toEqual({ count: -1, sizeBytes: 4_194_304 });
    expect(parseLustreStripe('stripe_count:  0 stripe_size:   1048576')).toEqual({ count: 1, sizeBytes: 1_048_576 });
    const composite = `  lcm_layout_gen:    0
    lcme_extent.e_end:   4294967296
      stripe_count:  1       stripe_size:   1048576
    lcme_extent.e_end:   EOF
      stripe_count:  8       stripe_size:   16777216`;
    expect(parseLustreStripe(composite)).toEqual({ count: 8, sizeBytes: 16_777_216 });
    expect(parseLustreStripe('lfs: no such directory')).toBeNull();
  });

  it('tells a quota, hard before soft, in bytes', () => {
    expect(parseLustreQuota('     /scratch  100  200  300  -  5  0  0  -\n')).toEqual({
      usedBytes: 102_400,
      limitBytes: 307_200,
    });
    expect(parseLustreQuota('/a/very/long/name\n      100*  200  0  6d  5  0  0  -')).toEqual({
      usedBytes: 102_400,
      limitBytes: 204_800,
    });
    expect(parseLustreQuota('/scratch 100 0 0 - 5 0 0 -')).toBeNull();
    expect(parseLustreQuota('/scratch [100] 0 [300] - 5 0 0 -')).toEqual({ usedBytes: 102_400, limitBytes: 307_200 });
    expect(parseLustreQuota('')).toBeNull();
    expect(parseQuota('Disk quotas for user u (uid 1): none\n', ['/dev/sda'])).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/dev/sda', '12', '0', '-', '[3]', '4*', '99999999999999999999', 'x')), (words) => {
        const quota = parseQuota(words.join(' '), ['/dev/sda']);
        if (quota !== null) expect(quota.limitBytes).toBeGreaterThan(0);
      }),
      runs(100),
    );
  });
  it('have projects and object targets of Lustre', () => {
    expect(parseLustreProject(' 1000 P /scratch/run\n')).toBe(1000);
    expect(parseLustreProject('    0 - /scratch/run\n')).toBeNull();
    expect(parseLustreProject('lfs: failed to get xattr\n')).toBeNull();
    const df = [
      'UUID                   1K-blocks        Used   Available Use% Mounted on',
      'scratch-MDT0000_UUID     8589056       45768     8015696   1% /scratch[MDT:0]',
      'scratch-OST0000_UUID   419430400   104857600   314572800  25% /scratch[OST:0]',
      'scratch-OST000a_UUID   419430400   398458880    20971520  95% /scratch[OST:10]',
      'OST000b             : inactive device',
      'filesystem_summary:    838860800   503316480   335544320  60% /scratch',
    ].join('\n');
    expect(parseLustreTargets(df)).toEqual({ count: 2, leastFreeBytes: 20_971_520 * 1024 });
    expect(parseLustreTargets('')).toBeNull();
  });
});
