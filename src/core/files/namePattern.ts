/** Names of files by their ends, as expressions and as globs. */

/** Names of the files of one format, by their ends. */
export interface NamePattern {
  /** Ends of the names without the first dot, in lower case. */
  readonly extensions: readonly string[];
  /** Extensions that writers append where they compress. */
  readonly compressions?: readonly string[];
  /** True where writers number the files of a set behind the extension: `train.tfrecord-00000-of-00008`. */
  readonly isNumbered?: true;
  /** True for formats of training alone: no other program opens these files, so their report is shown by default. */
  readonly isOwn: boolean;
  /** True for files that say nothing without those beside them: their report is that of the folder around them. */
  readonly isPartOfFolder?: true;
}

/** The files of one format. */
export interface ReadableFiles extends NamePattern {
  /** What a file that is opened by itself is part of. */
  readonly kind: 'checkpoint' | 'dataset';
}

/** Matches the ends of such names, in any case of letters. */
export function patternOf(files: readonly NamePattern[]): RegExp {
  return new RegExp(`\\.(${files.map(endOf).join('|')})$`, 'i');
}

/** Globs for the names of these files. */
export function globsOf({ extensions, compressions = [], isNumbered }: NamePattern): string[] {
  return extensions.flatMap((extension) => [
    `*.${extension}`,
    ...compressions.map((compression) => `*.${extension}.${compression}`),
    ...(isNumbered === true ? [`*.${extension}-*-of-*`] : []),
  ]);
}

function endOf({ extensions, compressions, isNumbered }: NamePattern): string {
  const names = extensions.map((extension) => extension.replaceAll('.', '\\.')).join('|');
  if (compressions === undefined && isNumbered !== true) return names;
  const ends = [
    ...(compressions === undefined ? [] : [`\\.(${compressions.join('|')})`]),
    ...(isNumbered === true ? ['-\\d+-of-\\d+'] : []),
  ];
  return `(${names})(${ends.join('|')})?`;
}
