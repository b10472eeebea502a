import { defineFormat } from '../fileFormat.js';
import { isLlmc, readLlmc } from './llmc.js';

/** Its files are named `.bin`, as those of many others are. */
export const llmcFormat = defineFormat({
  id: 'llmc',
  label: 'llm.c',
  role: 'llmc-file',
  component: 'weights',
  content: { matches: isLlmc },
  checks: 'llm.c: header, sizes of its parts, file size',
  read: readLlmc,
});
