/**
 * Footers of ArrayRecord in each compression. Written by array_record 0.8.6 with `group_size:4`: 40 records of 1,950 bytes in all, the
 * record `i` being `record <i> ` five times. Packed with gzip, as a file ends with a block of 64 KiB.
 */
import { gunzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readArrayRecordFooter } from '../../../src/core/formats/arrayRecord.js';
import { overwrite, u64 } from '../../builders/byteWriter.js';

const files = {
  snappy:
    'H4sIAAAAAAACA+3Rb2jUdRzA8bu86W1ueUNEMY3NDBfMdbttbg5LCZIyk8xR/qnmnFPE0523rbRACoNMUjLM0mCiReHEJJhRapeo6CySiQ+kP0iCGGmoDyKRyLXuT+UDYY/qyev15MPnd3zffI/vun2J00XrZ0wNZE3Lzs0Hjkx567Xzu3Pfz+8YfvjnT44m2wK32vP286O7P36v+f7sPnJs7x+vP/j91WQos3dnv7cNCYUKJ/brDnYHS5Itza3JxSXRkq78QKCyeOKm/hHLjKriicn8wOqPwm9ePXT39Vx29onebeu3L/xmQNnqdLYm05uUGbXpbOnCw8ejm756OJo9fuKNZ67sfmlVTS6bujUbi6WCqb+zdens5HQvVBktrthV0H/5EbG1BYHSwi2Fc8+Ft+W6ebN+is0b/9DMXLfn391Yv55gT3B8tlsZK0n1l6pGxDr7R3Vm1KS719e1DP/shc4due6Te+MLNh9b9ezAupPS3dpMsC4zJqe7dQ1HOgLrmqtz3QO9u2Z+d+PUpQF1Y9F0tzITjGVGVbr77qM/7v9g4/4FuW5h8uzN0xManhhYtzrdrckEJ2VGbbp7sn3qxTOlT8+qzJ4ftvS+vmGxeYmBdevS3f5/vr0gEKqKFsf+ebjWDU/9cGPJ6M9zF358xrHg3N5x0QGFq27/cPMPdu5s/+JKR657z4iKX0unfnp5YN3bP9y51F17Hpiz9JG92fMXSsb9cm/qywvJoZm9K9e9c+jQsgVDwjldwa7gtSkF88LBSMGosnGzlyZbOxKNbctebKmvLm9PNq1sS7S2tdQvaYq3tZQnmhY3trc2Loq3Ni9vXNTasXJxU3JNff6Y9W0rmxKJNeUrmlY3JpqSTfF4S3xZ24r6yvC0SHdwVCj8TjCSFy68EoykgpHxx++I9Pz1sXNQfjjwW1E4dCqUHwl9mJcfruvLy/x0dnB6nlneFxuZClxr+D1z+ffPjg1tKRv+dSIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMB/7dArFSUbvp1/KbfHszO/YdianoPTj5dn9+du3vPYxs1l0eSgzD4hd2BQUVFReN+QyLnDl2++euroyVW3X8asnVOxdfrOrfG+zNFoZdGM2pcHX0x4BgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgP/dnxfNU9sAAAIA',
  'brotli:5':
    'H4sIAAAAAAACA+3RfXAPdBwH8N/82Hlot0mhRnbCiHnYlVZmprodUu6481QnpBVDrOOixFqdQpyHMLbTcsrDrO0o8tRuYyHqhptIwuEISVfuSrfS7ffr6K6z//qj1+uf732+d5/3fT7fb/ZHEyqi3urTIxCSGjrnbylNXjDz5Jrw/ckVjUrOF5dlvhS4WfOp3SJODVib0jpUT42pVa9D4S9dMmtX1xtD9yPr1Z4dMSPhuuDGiNgNgUDtrid6BQsut8mN2xm7a/D+Bvmr3mlxsCopY/C5Wt3DYS9MWpu38L13+9YorNHqm8MW7Gk3fMzxjO7xoaYtZy4mJO1d9nA4bMc/whITgzsiYreHJutwbfLrMRnb5td5dsqwOUWb3q5XkVu/7amTLZ9vFWrbPSfx1xe3ZwwKx+2+KS7xuuDuiNjPr8dNLqkcdywuL25nbv+Cs7Oy1uc9tOW36VevdD79eHjPJu3vyU0fsn7NrbP+Gu2JqoP1HtnXbteYwqZfH80J5nzw6O+te/YrCg+WunNT18L1y4prFnbxyfi6XT68Y92nC4o25AR7pxy+MO797V3Dg9Vekl+6fNBTnW+dlTxqTcrp6AM3DrZ0as+YtrOPtwx/wN60vOTyuzcn1ezF+iZtbDQwZuTc62/WJ/Ln8buavjmgIv1sYeW08J5Jddpeiry3ZFLN9izs9/eeR3KCawqqvolZcmJ3eM9uxb3mfZy4/YsaZJVXTno1/74bf7Pf+MstWmWfjlwcaorb2mnGlcH74zMbVNcF4bCoBrH1A4FW0TFbShemNi6IiF0XCIw6l9mja/OUHpd6Rlclpb+SveTlicntTtzeMS/3k8pLqVmjS0akjpibUJRcXj5oUWlS4zb5w0uKkptkpBVfbHE0P+GrjekHn9takbJu6K4xQ5c+1rD3wNndp1fOPj/mUHTzKU9f+uHKtLSVV1d/1mxm5J1Z7feNPNSw/KeK5Ssa/lg+r9Oi+NueGTbhWnDWt8XfZY9cuOrwteopH0jIObC5f9ldEwIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPwPbcvqGDfryNDvw/XY0HmmxfLM+6NbTuwQqkdnNhqyctmxrMxgdR0fbghGRUXVLYuMOV5yoeqNL8v2TPz3otlrAzouTstfPPaP6tbOXaL6PDgj8uwE3wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPCf+xNWmq0TAAACAA==',
};
const fileOf = (options: keyof typeof files): Uint8Array => gunzipSync(Uint8Array.from(Buffer.from(files[options], 'base64')));

describe.each(['snappy', 'brotli:5'] as const)('a footer in %s', (options) => {
  it('has its records and their size', async () => {
    const footer = await readArrayRecordFooter(memorySource('a', fileOf(options)), undefined);
    expect(footer).toMatchObject({ records: 40, chunks: 10, logicalBytes: 1950 });
  });
});

it('refuses chunks that do not end at the footer', async () => {
  const file = fileOf('brotli:5');
  for (const [offset, bytes] of [
    [64 + 8, u64(2 ** 40)],
    [64 + 8, u64(0)],
    [64 + 24, u64(0)],
  ] as const)
    await expect(readArrayRecordFooter(memorySource('a', overwrite(file, offset, bytes)), undefined)).rejects.toMatchObject({
      name: 'FormatError',
    });
});
