/**
 * Operators of an ONNX model that are not of its standard, by their domain (onnx/onnx.proto; docs/IR.md, "Operator sets"), in its graph, in the
 * subgraphs of its nodes and in its functions:
 *
 *   NodeProto { op_type = 4, attribute = 5: AttributeProto { g = 6, graphs = 11 }, domain = 7 };  GraphProto { node = 1 }
 *   FunctionProto { name = 1, node = 7, domain = 10 }
 *
 * Operators that are functions of the model itself are made of others, and need no library.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { LENGTH_DELIMITED } from './protobuf.js';
import type { ProtobufStream, StreamField } from './protobufStream.js';

/** Domains of the standard; an empty one is `ai.onnx`. */
const standard = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'ai.onnx.training', 'ai.onnx.preview', 'ai.onnx.preview.training']);
/** Domains that ONNX Runtime has built in (onnxruntime/core/graph/constants.h). */
const ofRuntime = /^(?:com\.microsoft(?:\.(?:nchwc|nhwc|dml|experimental))?|com\.ms\.internal\.nhwc|ai\.onnx\.internal.*)$/;

export interface CustomOperators {
  domain: string;
  isOfRuntime: boolean;
  /** The first ones, in the order of the graph. */
  names: string[];
  nodes: number;
}

/** What a message of the walk is. */
type Kind = 'node' | 'attribute' | 'graph' | 'function';
const inner: Readonly<Record<Kind, Readonly<Record<number, Kind>>>> = {
  node: { 5: 'attribute' },
  attribute: { 6: 'graph', 11: 'graph' },
  graph: { 1: 'node' },
  function: { 7: 'node' },
};
/** Fields with texts: operator and domain of a node, name and domain of a function. */
const texts: Readonly<Partial<Record<Kind, readonly [name: number, domain: number]>>> = { node: [4, 7], function: [1, 10] };

/** Names of operators and domains have some ten characters. */
const NAME_BYTES = 1024;
const SHOWN = 3;

interface Message {
  kind: Kind;
  end: number;
  name: string;
  domain: string;
}

/** Collects operators by their domain. */
export class OnnxOperators {
  private readonly found = new Map<string, Map<string, number>>();
  private readonly functions = new Set<string>();

  /** Operators of other domains than the standard, without those that are functions of the model. */
  custom(): CustomOperators[] {
    return [...this.found].flatMap(([domain, operators]): CustomOperators[] => {
      const left = [...operators].filter(([name]) => !this.functions.has(`${domain}:${name}`));
      if (left.length === 0) return [];
      const names = left.slice(0, SHOWN).map(([name]) => name);
      if (left.length > SHOWN) names.push(`${left.length - SHOWN} more`);
      return [{ domain, isOfRuntime: ofRuntime.test(domain), names, nodes: left.reduce((sum, [, nodes]) => sum + nodes, 0) }];
    });
  }

  /** Reads one node or function, with the subgraphs in it. What else is in it is stepped over. */
  async read(stream: ProtobufStream, kind: 'node' | 'function', { end }: StreamField): Promise<void> {
    const open: Message[] = [{ kind, end, name: '', domain: '' }];
    for (let message = open.at(-1); message !== undefined; message = open.at(-1)) {
      const field = await stream.next(message.end);
      if (field === undefined) {
        this.add(message);
        open.pop();
        continue;
      }
      if (field.wireType !== LENGTH_DELIMITED) continue;
      const next = inner[message.kind][field.number];
      const place = texts[message.kind]?.indexOf(field.number) ?? -1;
      if (next !== undefined) {
        // Loops within branches within loops: eight are more than any exporter makes.
        if (open.length > limits.configDepth)
          throw new FormatError('limit-exceeded', 'graphs are nested too deep', { offset: field.start });
        open.push({ kind: next, end: field.end, name: '', domain: '' });
      } else if (place !== -1 && field.end - field.start <= NAME_BYTES) {
        const text = decodeText(await stream.take(field.end));
        if (place === 0) message.name = text;
        else message.domain = text;
      } else stream.skipTo(field.end);
    }
  }

  private add({ kind, name, domain }: Message): void {
    if (kind === 'function') this.functions.add(`${domain}:${name}`);
    if (kind !== 'node' || standard.has(domain)) return;
    const operators = this.found.get(domain) ?? new Map<string, number>();
    if (this.found.size < limits.objectChildren) this.found.set(domain, operators);
    if (operators.size < limits.objectNodes || operators.has(name)) operators.set(name, (operators.get(name) ?? 0) + 1);
  }
}
