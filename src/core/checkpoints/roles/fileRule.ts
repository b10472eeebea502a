/** Rules that say by its name what a file is for. */
import type { Classifier } from '../../formats/fileSink.js';
import type { ComponentId } from '../../tensors/component.js';
import type { FileFormatId } from '../fileReaders.js';

/**
 * How a file is opened. `text` is a pointer or a note of a few bytes; `sniff` looks at the first bytes; `none` leaves it closed, as
 * its name says all that is reported.
 */
export type FileReader = FileFormatId | 'json' | 'index' | 'text' | 'sniff' | 'none';

/** What the tensors of a file are: all the same, or by their key path. Default: the file's own component. */
type TensorRule = ComponentId | Classifier;

/**
 * A pattern with a slash in it is matched with the end of the path, any other with the whole base name. `padded`: see
 * `FileSink.isPadded`.
 */
export type Rule = [
  pattern: RegExp,
  role: string,
  component: ComponentId,
  reader: FileReader,
  tensors?: TensorRule,
  storages?: 'padded',
];
