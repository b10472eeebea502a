/**
 * Operations of a TensorFlow graph that run Python, write files or read them (tensorflow/core/protobuf/saved_model.proto, meta_graph.proto;
 * core/framework/graph.proto, function.proto, node_def.proto), and Keras layers with code in the objects of a SavedModel
 * (saved_object_graph.proto, keras/protobuf/saved_metadata.proto):
 *
 *   SavedModel { meta_graphs = 2: MetaGraphDef { graph_def = 2, object_graph_def = 7 } }
 *   GraphDef { node = 1: NodeDef { name = 1, op = 2, attr = 5 }, library = 2: { function = 1: FunctionDef { node_def = 3 } } }
 *   SavedObjectGraph { nodes = 1: SavedObject { user_object = 4: { metadata = 3 } } };  SavedMetadata { nodes = 1: { metadata = 5 } }
 *
 * Constants are stepped over. Nothing runs.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { BoundedFindings } from '../../findings/boundedFindings.js';
import type { FileFinding } from '../../findings/finding.js';
import { codeOfKerasConfig } from '../keras/kerasCode.js';
import { LENGTH_DELIMITED, ProtobufReader } from '../protobuf/protobuf.js';
import { ProtobufStream, type StreamField } from '../protobuf/protobufStream.js';
import { jsonValue } from '../text/jsonValue.js';

const callsPython = 'calls a Python function of the program that runs it, by a name in the graph,';
const writesFiles = 'writes a file whose name the graph has or is given,';

/** What operations do beyond computing (tensorflow/core/ops: io_ops.cc, script_ops.cc, dataset_ops.cc, logging_ops.cc, summary_ops.cc). */
const runs = new Map<string, string>([
  ...['PyFunc', 'PyFuncStateless', 'EagerPyFunc'].map((name) => [name, callsPython] as const),
  ...['WriteFile', 'SaveDataset', 'SaveDatasetV2', 'DistributedSave', 'CreateSummaryFileWriter'].map(
    (name) => [name, writesFiles] as const,
  ),
  ...['DatasetToTFRecord', 'ExperimentalDatasetToTFRecord', 'PrintV2'].map((name) => [name, writesFiles] as const),
  ...['RpcCall', 'RpcClient', 'RpcServer', 'RpcServerStart'].map((name) => [name, 'opens a connection'] as const),
]);
const reads = new Set([
  ...[
    'ReadFile',
    'MatchingFiles',
    'WholeFileReader',
    'WholeFileReaderV2',
    'FixedLengthRecordReader',
    'FixedLengthRecordReaderV2',
  ],
  ...[
    'TextLineReader',
    'TextLineReaderV2',
    'TFRecordReader',
    'TFRecordReaderV2',
    'LMDBReader',
    'TextLineDataset',
    'TFRecordDataset',
  ],
  ...['TFRecordDatasetV2', 'FixedLengthRecordDataset', 'FixedLengthRecordDatasetV2', 'MatchingFilesDataset', 'LMDBDataset'],
  ...[
    'SqlDataset',
    'LoadDataset',
    'LoadDatasetV2',
    'ExperimentalMatchingFilesDataset',
    'ExperimentalLMDBDataset',
    'ImmutableConst',
  ],
]);

/** What the outermost message of a file is. */
export type GraphFile = 'saved-model' | 'meta-graph' | 'graph' | 'keras-metadata';

/** What may be in a message, by the number of the field. */
type Kind =
  | 'SavedModel'
  | 'MetaGraph'
  | 'Graph'
  | 'Library'
  | 'Function'
  | 'Objects'
  | 'Object'
  | 'UserObject'
  | 'Metadata'
  | 'MetadataNode';
type Inner = Kind | 'Node' | 'Json';

const fields: Readonly<Record<Kind, Readonly<Record<number, Inner>>>> = {
  SavedModel: { 2: 'MetaGraph' },
  MetaGraph: { 2: 'Graph', 7: 'Objects' },
  Graph: { 1: 'Node', 2: 'Library' },
  Library: { 1: 'Function' },
  Function: { 3: 'Node' },
  Objects: { 1: 'Object' },
  Object: { 4: 'UserObject' },
  UserObject: { 3: 'Json' },
  Metadata: { 1: 'MetadataNode' },
  MetadataNode: { 5: 'Json' },
};

const roots: Readonly<Record<GraphFile, Kind>> = {
  'saved-model': 'SavedModel',
  'meta-graph': 'MetaGraph',
  graph: 'Graph',
  'keras-metadata': 'Metadata',
};

/** Nodes up to this size are read whole; of a longer one, which has a constant in it, only name and operation are. */
const NODE_BYTES = 16 * 1024;

/**
 * The findings of one graph file. What was found before damage is kept.
 * @throws FormatError `corrupt`, `limit-exceeded` for more nodes than are read, with what was found before
 */
export async function codeOfGraph(
  source: ByteSource,
  file: GraphFile,
  signal: AbortSignal | undefined,
): Promise<{ findings: FileFinding[]; failure: FormatError | undefined }> {
  const walk = new GraphWalk(new ProtobufStream(source, signal));
  let failure: FormatError | undefined;
  try {
    await walk.run(roots[file], source.sizeBytes);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    failure = error;
  }
  return { findings: walk.findings(), failure };
}

interface FoundOperation {
  nodes: number;
  first: string;
  offset: number;
}

class GraphWalk {
  private readonly operations = new Map<string, FoundOperation>();
  private readonly ofKeras = new BoundedFindings();
  private readonly identities = new Set<string>();
  private nodes = 0;

  constructor(private readonly stream: ProtobufStream) {}

  /** Messages within messages are a stack: the depth is that of the definitions above. */
  async run(root: Kind, end: number): Promise<void> {
    const open: { kind: Kind; end: number }[] = [{ kind: root, end }];
    for (let message = open.at(-1); message !== undefined; message = open.at(-1)) {
      const field = await this.stream.next(message.end);
      if (field === undefined) {
        open.pop();
        continue;
      }
      if (field.wireType !== LENGTH_DELIMITED) continue;
      const inner = fields[message.kind][field.number];
      if (inner === undefined) this.stream.skipTo(field.end);
      else if (inner === 'Node') await this.addNode(field);
      else if (inner === 'Json') await this.addJson(field);
      else open.push({ kind: inner, end: field.end });
    }
  }

  findings(): FileFinding[] {
    const ofGraph = [...this.operations].map(([operation, { nodes, first, offset }]): FileFinding => {
      const what = runs.get(operation);
      return what === undefined
        ? { code: 'graph-reads-files', offset, facts: { operation, nodes, first } }
        : { code: 'graph-runs-code', offset, facts: { operation, nodes, first, what } };
    });
    return [...ofGraph, ...this.ofKeras.kept];
  }

  private async addNode(field: StreamField): Promise<void> {
    this.nodes += 1;
    if (this.nodes > limits.graphNodes)
      throw new FormatError('limit-exceeded', `more than ${limits.graphNodes} nodes`, { offset: field.start });
    const isShort = field.end - field.start <= NODE_BYTES;
    const node = isShort ? nodeOf(await this.stream.take(field.end)) : await this.longNode(field.end);
    const { operation, name, isFilePrint } = node;
    if (operation === 'PrintV2' ? !isFilePrint : !runs.has(operation) && !reads.has(operation)) return;
    const known = this.operations.get(operation);
    if (known === undefined) this.operations.set(operation, { nodes: 1, first: shown(name), offset: field.start });
    else known.nodes += 1;
  }

  /** Name and operation of a node with a constant in it. */
  private async longNode(end: number): Promise<Node> {
    const node: Node = { name: '', operation: '', isFilePrint: false };
    for (let field = await this.stream.next(end); field !== undefined; field = await this.stream.next(end)) {
      if (field.wireType !== LENGTH_DELIMITED) continue;
      const isText = (field.number === 1 || field.number === 2) && field.end - field.start <= NODE_BYTES;
      if (!isText) this.stream.skipTo(field.end);
      else if (field.number === 1) node.name = decodeText(await this.stream.take(field.end));
      else node.operation = decodeText(await this.stream.take(field.end));
    }
    return node;
  }

  /** What Keras says of one object: the config of a layer, or of the whole model, which repeats those of its layers. */
  private async addJson(field: StreamField): Promise<void> {
    if (field.end - field.start > limits.jsonBytes)
      throw new FormatError('limit-exceeded', 'the metadata of an object are larger than what is read', { offset: field.start });
    const text = decodeText(await this.stream.take(field.end));
    const isKeras = text.startsWith('{') && text.includes('"class_name"');
    if (!isKeras) return;
    for (const finding of codeOfKerasConfig(configOf(text), 'metadata', 'legacy'))
      if (this.isNew(finding)) this.ofKeras.add({ ...finding, offset: field.start });
  }

  /** False for the same code in the config of a layer and in that of the model around it. */
  private isNew({ code, facts }: FileFinding): boolean {
    const { layer, bytes, name, first } = facts as Record<string, unknown>;
    const identity = JSON.stringify([code, layer, bytes, name, first]);
    if (this.identities.has(identity)) return false;
    if (this.identities.size < limits.pickleScanKept) this.identities.add(identity);
    return true;
  }
}

function configOf(text: string): unknown {
  try {
    return jsonValue(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Node {
  name: string;
  operation: string;
  /** True for PrintV2 with a file as its output. */
  isFilePrint: boolean;
}

function nodeOf(bytes: Uint8Array): Node {
  const node: Node = { name: '', operation: '', isFilePrint: false };
  for (const field = new ProtobufReader(bytes); field.next();) {
    if (field.wireType !== LENGTH_DELIMITED) continue;
    if (field.field === 1) node.name = decodeText(bytes, field.start, field.end);
    else if (field.field === 2) node.operation = decodeText(bytes, field.start, field.end);
    // `output_stream` is `stdout`, `log(info)`, or `file://` with a path (logging_ops.cc).
    else if (field.field === 5 && decodeText(bytes, field.start, field.end).includes('file://')) node.isFilePrint = true;
  }
  return node;
}

function shown(text: string): string {
  return text.length > limits.objectTextLength ? `${text.slice(0, limits.objectTextLength)}…` : text;
}
