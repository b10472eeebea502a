/**
 * tf.train.Example (tensorflow/core/example/example.proto): Features 1 { map<string, Feature> 1 { key 1, value 2 } }, Feature { bytes_list 1,
 * float_list 2, int64_list 3 }, each with its values in field 1, packed or not.
 */
import { decodeText } from '../../bytes/text.js';
import { FIXED32, LENGTH_DELIMITED, ProtobufReader, VARINT } from '../protobuf/protobuf.js';

export interface TfFeature {
  name: string;
  kind: 'bytes' | 'float' | 'int64';
  values: number;
  /** Payload of the values. */
  bytes: number;
  /** Extents of byte strings within the record. */
  strings: { start: number; end: number }[];
}

const kinds = [undefined, 'bytes', 'float', 'int64'] as const;

/**
 * The features of an example.
 * @throws FormatError `corrupt` where it is no protobuf message
 */
export function readExample(record: Uint8Array): TfFeature[] {
  const features: TfFeature[] = [];
  const example = new ProtobufReader(record);
  while (example.next()) {
    if (example.field !== 1 || example.wireType !== LENGTH_DELIMITED) continue;
    const map = example.message;
    while (map.next()) if (map.field === 1 && map.wireType === LENGTH_DELIMITED) addFeature(record, map.message, features);
  }
  return features;
}

function addFeature(record: Uint8Array, entry: ProtobufReader, features: TfFeature[]): void {
  let name = '';
  let feature: TfFeature | undefined;
  while (entry.next()) {
    if (entry.wireType !== LENGTH_DELIMITED) continue;
    if (entry.field === 1) name = decodeText(record, entry.start, Math.min(entry.end, entry.start + 200));
    if (entry.field === 2) feature = readFeature(record, entry.message);
  }
  if (feature !== undefined) features.push({ ...feature, name });
}

function readFeature(record: Uint8Array, message: ProtobufReader): TfFeature | undefined {
  while (message.next()) {
    const kind = kinds[message.field];
    if (kind !== undefined && message.wireType === LENGTH_DELIMITED) return readValues(record, message.message, kind);
  }
  return undefined;
}

function readValues(record: Uint8Array, list: ProtobufReader, kind: TfFeature['kind']): TfFeature {
  const feature: TfFeature = { name: '', kind, values: 0, bytes: 0, strings: [] };
  while (list.next()) {
    if (list.field !== 1) continue;
    feature.bytes += list.end - list.start;
    if (kind === 'bytes' && list.wireType === LENGTH_DELIMITED) {
      feature.values += 1;
      feature.strings.push({ start: list.start, end: list.end });
    } else if (list.wireType === VARINT || list.wireType === FIXED32) feature.values += 1;
    else if (list.wireType === LENGTH_DELIMITED)
      feature.values += kind === 'float' ? Math.floor((list.end - list.start) / 4) : countVarints(record, list.start, list.end);
  }
  return feature;
}

/** Each number ends with the byte whose highest bit is not set. */
function countVarints(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if ((bytes[at] as number) < 0x80) count += 1;
  return count;
}
