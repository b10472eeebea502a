/**
 * The pickle of `os.system("id")`, packed by Python's own modules, as Node has none of these compressions:
 *
 *     python3 -c "import base64, bz2, lzma; a = b'\\x80\\x02cos\\nsystem\\nX\\x02\\0\\0\\0id\\x85R.'; print(base64.b64encode(bz2.compress(a)))"
 */
export const bzip2Base64 = 'QlpoOTFBWSZTWUUf7OoAAArTwFAQAAEQQA4ijCBCACAAIiaA9Rp6npChppgAd2woIkArnipEMp+LuSKcKEgij/Z1AA==';
/** `lzma.compress(a, format=lzma.FORMAT_ALONE)` */
export const lzmaBase64 = 'XQAAgAD//////////wBAAIgDvDC9NN4vXibQafs16B2HBjiolM3C/aj//+KwgAA=';
/** `lzma.compress(a)` */
export const xzBase64 =
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAWgAJjb3MKc3lzdGVtClgCAAAAaWSFUi4AAKkv8K7IcPy4AAEvF4EISbEftvN9AQAAAAAEWVo=';

/** An HDF5 file with the pickle as `numpy.void` in the attribute `state` of the group `g` (h5py 3.16.0, libver='latest'), in gzip. */
export const hdf5Base64 =
  'H4sIAAAAAAACA+v0cHHj5ZLiYubgYICB/1DgxgThG0DFfX7IZvt7uAQxMVQwCSErhAEuJgZGBgY2HgYgxZi+GaoNyq8wY4QKWDCQDTak2OsR4QRRIQYWTDkeIwYGZgY2Bg6QZHFJYkkqgyjQCHEgBvm0gSk5v5iruLK4JDWXKwIkkpnSGqTHwIPqBLv6F2vBTgD6iVEEqJURCKByMJpZhIFRUEEeZA8QKDCIczCI1wNZrEDXMXNxAF3OzOgEDV0WuN8YhhwQtlQIANEApXIlkUYCAAA=';

/** A tar archive (Python's tarfile) with the pickle as `model.pkl`, in `bz2.compress` and `lzma.compress`. */
export const tarBzip2Base64 =
  'QlpoOTFBWSZTWdOQkacAAHhbwNqYQAFXgBDAbi7eIEIACAggAHURNJoAMgbUA9R6nqBJUGgaAAAAH2bR1CBr6Y4kCJt3IipscAhFvjwbcsL6LIBOEGATWA3CLya+Yp1kIUj52bpURAPRDSz1Ycgo/XwSQfi7kinChIachI04';
export const tarXzBase64 =
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AHNdADabyLBXF+Henb9Y49cKTiXywMHuErDeWp9x4ZsuMeJFdxulfSlHon8LOyT0VJckOb06J5j0qt0bW4tSnCi74FUzCLz/NYhqoYHnc8zkpmubbZDMKpvAZHCLocsN+RGHlFsm7+MX0VQIoVxooYYtQMX2cAAAAK5zujp7mbt/AAGPAYBQAADrwzaQscRn+wIAAAAABFla';

/** An array of objects (`buildNpy`, `|O`, shape `(1,)`) that is the pickle, in `bz2.compress`. */
export const objectsBzip2Base64 =
  'QlpoOTFBWSZTWZEOg1gAAC9f4HAQQOUgMAED0mCvZ90uQgAIACAASIpkZAAaMgaMg0GmhjNEANABo0AHqaZBiAbDnatlbZgqAwDENHShelACGJcjNEJXhJd8l2qVeLq82SCB+Mz1w4dCkgrWBDQsdKyJtkk8pSHyOhv4u5IpwoSEiHQawA==';
/** Four numbers of f32, 1 to 4, as `.npy` of 144 bytes, in `bz2.compress`, and as zipfile.ZIP_LZMA stores them in a record. */
export const numbersBzip2Base64 =
  'QlpoOTFBWSZTWW90BY0AACxf4GAQQOQEVMEDQiCvRd0KQAAIACAAVDVHpADQAPUAek2oRT9KbU0DTRoAaAaFIYoGSuzK5kJibUQMG3rUJARJWjl7WrkIvWuBq0+PbdOMPXlW9jh5ExAmRONVBLO3UaQg/xdyRThQkG90BY0=';
export const numbersZipLzmaBase64 =
  'CQQFAF0AAIAAAEmThqTe04J5alsNIzg2q52dTE3u423DHetnImbuHKRAuviZ10knJuIXLXlpMzluRyU2vPz8lQiX+BXurVzSEMFhulaiEDaWhrNIzWUs1lVmd7jc/viWuAA=';
