/**
 * HDF5 files with pickles among their data, gzip and base64, which PyTables 3 and h5py 3 wrote: each value is
 * `pickle.dumps` of an object whose `__reduce__` is `(os.system, ('true',))`.
 */
import { gunzipSync } from 'node:zlib';

const packed = {
  // tables: create_vlarray('/', 'values', ObjectAtom(), chunkshape=4) with a dict and a list of that object, as it is and with zlib.
  pytables:
    'H4sIAAAAAAACA+2XzU7cMBDHnc9GW1rSVkjQA3BcLitAe+BIYAOLCGSVBASHChaUA7QIRJZCD0hckEDKCcw78Ag8Ao/BkbeAtT3JOitAoKqXMr+sNPH477E3HtvJeb0286n0vUQYlkV0YhOZB6A8VCxn9etgFbBnYK/VzG/yun7w2xB/WBPlO/BHgesy9UMXWT+2IaxFkPdI3XUazK7keSS4VYu6381fB3HSycf6X/b7BXrqzuseMpznN1s10VzktROYfLNF3yr/MV1Z0llk2nPCEHSGtG5mA3+pUdBb/Fp2g3DOX+R6TdKPVUZhHBOg7+f6xmrkTHluuDbjBwtOtPZc+/HKGLT7KHwKyeNwqwiH2rUPaO16VjMAc2DnTcXKNNqW/39NuC2Ip6nqjSlC6dL0ka/QjokvDvWfLz2vD9L4lz0nCJzVNzyvamH/WTGL+1dGuOjXFB6NdEaLvJnXr4/RPA95/obuUs13In9BxGF6U5rH3Y3teLMlzgvlifNi8pnx3A8Wy3rXPoIgCIIgyP/H7LTvKdKBn71P9IE9Ma5KcHtMU6VJ55WkIr3/Vju6Ebj9QcupsbebbB3R1Ez+JK14h17SVG/tH8T0lAY01ZobmzSuyOM46cW5QBAEQRAEQRAEQZB/BfvOv//c+favSmX1Fe0fAb4CR38oHwAA',
  compressed:
    'H4sIAAAAAAACA+2Wz08TQRTHZ/ZHWQvGFWJSjUk5Gbw0RXrwyEIXSlzYZnchcDC04DSANRi3BTyY4MFEkz0QHU/+A/4ZHjz4Z5B48b/A7szrdtqokRgv+j7b5M2899350Xkzs29q1aWr+Vt5kmJZxCA2UbkAKsXhej/eAEvBvgb7Uev7cyJWAL8N7U/rsn4O/ihw3VR9MUK/H9uU1iLI/0jNdeqp3czySPJFG9YdNdtdFg/ysfaH/V6HnkbzeoJMZ/md7ppoJfJ6CUymbNm3Jn6pbkbRWWTRc8IQdKayb5YDf70+pLfEs+EG4Yq/JvS6op8tlWEc90FfEPr6VuQseG64veQHq060/bP375Vm4b1x6aMka0dYKh3ayDmg9+Jp5CasgZ29Knem2bNi/rp0j5OyKFBoSIN4vNdttdpMzJP2nkes1W52WDY+C8aha9q3nHQZyrKTSegv1b89Nh7/6n8eU+a94TlB4Gxl59AmNH4G8XDNr1IxKjLoFbk0v5/HlUvup3KWtyLfQ3e96juRvyrbS/U5pf3DnQO225H3C/3B/XJb0aoUisN1Y+TcQRAEQRDk32N50feocuH3vxFugD013+eh+IIntMkf0LikfC9XBrq7UHzIZxLz6WG8f8KTXPw87rAn/B1PjM6zLuOveMATvbmzy1lJHcfpNVwLBEEQBEEQBEEQBPlbnNAp1micnY9Nzn+yPt+Zn/g699K4QkjxiHz4Dn27QAg0HwAA',
  // h5py: create_dataset of np.frombuffer(pickle, 'u1'), of two np.void(pickle), of np.bytes_ of protocol 0, and of vlen_dtype(uint8).
  u8: 'H4sIAAAAAAACA+v0cHHj5ZLiYubgYICB/1CgBRUygIrPfBi9yt/DJYiJoYJJCFkhDHAxMTAyMLDxMgApplKLzTAD3RmoBU7MUGYHO4GRgZFRhIGBiZGRUQsqB6OZeRgYBRhAbgABDgZWoKuYuTiALmZmZOBAVcuwg2HIgrBZj14zjIJRMApGwSgYBeSABpap8lBmD2tBfnFmxZQetuLK4pLU3CmTp/SwlBSVpk5pnRI0RQ8AbuS22CoIAAA=',
  opaque:
    'H4sIAAAAAAACA+v0cHHj5ZLiYubgYICB/1AQAhUygIo/V0id5O/hEsTEUMEkhKwQBriYGBgZGNh4GYAUU37BZpiB7gzUAl07Tm4EO4GRgZFRhIGBiZGRkQkqB6OZORgYRYG0FhCzAl3EzMUBdC0zIwPUOyEww/YwDGlwak3zR4ZRMApGwSgYBaOAHNDAMlUeyuxhLcgvzqyY0sNWXFlckpo7ZfKUHpaSotLUKa1TgqboEa8SAHwkIx5UCAAA',
  text: 'H4sIAAAAAAACA+v0cHHj5ZLiYubgYICB/1CgAhUygIr/fBI4xd/DJYiJoYJJCFkhDHAxMTAyMLDxMAApxuLNMPM8GKgGDvpc1Ac7AWgBIwsDAxNQjJmDgVEYaK8KkM0KdAEzFwfQdcyMDFDnq8A0n2EYVuDplDZ5hlEwCkbBKBgFo4AckFyQX5xZwVVcWVySmstVYMClEVZSVJrKVWDIVVJgxBVUYMylBwAKxmwMJAgAAA==',
  vlen: 'H4sIAAAAAAACA+3VOwrCQBAG4JmNjxAQRUTUxtQW4h0UtRCE3MHCF4pR0UKwsRDSuRbeQvAullYeQ9Ak7qL2Fgr/B2E2s8Nmss1sm7V6wipYhmmSdlfs3PO9ovLX/iXebtYcQQuRfi/ULEFMFEuQH8R8cNIHNuhbyufkLWyBiTlDJJhZqD0djQxx3o8p9XCYNSnqd2cI0+/cYFJ/a+uDj/R3DqtelgAAAL6hFAxFNRyDwdmotlvhAE29crousI7si2rpRccjt7uQXsxdutPOUO6kF5lOZh25kY4sf37nmMRdAwAAAAAAAPyKB9vM8V8gGAAA',
};

/** A file by the kind of its values. */
export function hdf5WithPickles(kind: keyof typeof packed): Uint8Array {
  return new Uint8Array(gunzipSync(Buffer.from(packed[kind], 'base64')));
}
