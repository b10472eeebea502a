import { isTfRecord } from '../../formats/tensorflow/tfRecord.js';
import { noSums, type SumFormat } from './sumFormat.js';

/** Masked CRC-32C of the length and of the data of each record. */
export const tfRecordSums: SumFormat = {
  recognises: (_, head) => isTfRecord(head),
  read: () => Promise.resolve({ ...noSums(), by: ['tfrecord-crc32c'], streams: ['tfrecord'] }),
};
