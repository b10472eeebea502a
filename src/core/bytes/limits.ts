/**
 * Every bound that keeps a hostile or damaged file from costing more than a report is worth, with its reason. A declared size is
 * compared with the bytes that are really there before it is compared with these.
 */
export const limits = {
  /** The reference reader refuses headers above 100,000,000 bytes (safetensors, MAX_HEADER_SIZE); the largest seen are below 1 MB. */
  safetensorsHeaderBytes: 100_000_000,
  /** Texts of one header's metadata, some 200 bytes each with its key. Those of trained adapters have some 200. */
  headerTexts: 100_000,
  /** A tensor of rank 8 is rare, 64 is what NumPy allows at most (NPY_MAXDIMS). */
  tensorRank: 64,
  /** An optimizer's data.pkl takes about 200 bytes a tensor; 64 MiB holds 300,000. Sampler states with index lists are the largest. */
  pickleBytes: 512 * 1024 * 1024,
  /** Python prints no integer above 4,300 digits either; longer ones are kept as a remark. */
  pickleIntegerBytes: 1_800,
  /**
   * Memory that the values of one pickle may take beyond some times what was read of it: of a state_dict with 160,000 tensors, 32 MB, it is that much. A byte of a pickle
   * can become 100 bytes of objects, so that a small file would fill the memory.
   */
  pickleValueBytes: 64 * 1024 * 1024,
  /** Entries of the stack, and marks, that a scan for imports holds; a dict of a million entries is set in batches of 1,000. */
  pickleScanStack: 100_000,
  /** Lists and dicts whose first items such a scan keeps for the text of a call. Of others it keeps whether they hold anything unexpected. */
  pickleScanGroups: 100_000,
  /** Values that such a scan keeps for their own sake: unexpected calls, nested bytes, containers with something unexpected in them. */
  pickleScanKept: 10_000,
  /** What is scanned of a pickle above `pickleBytes`. */
  largePickleScanBytes: 64 * 1024 * 1024,
  /** Different imports of one file that are listed; a whole model with its library has some hundred. */
  pickleImports: 10_000,
  /** Unexpected calls of one file that are written out: one is enough to distrust it. */
  pickleCalls: 20,
  /** Values of one checkpoint's object that are looked into for state dicts; a checkpoint's dict has some ten. */
  stateDictValues: 1_000,
  /** Files that one HDF5 file links to, and that are named; a model has none. */
  linkedFiles: 100,
  /** Pickles within pickles within archives: torch.load of bytes in a pickle in a zip is three. */
  pickleNesting: 8,
  /** Pickles within one file: `.pkl` members of an archive, nested bytes, arrays of objects. */
  nestedPickles: 1_000,
  /** Values of samples of one data set that an index declares to be pickles, and that are scanned: two reads each. */
  pickledSamples: 2_000,
  /** The same of one shard. */
  pickledSamplesPerShard: 8,
  /** What is read of one such sample: a pickle that calls is seldom larger, an array in one is not scanned to its end. */
  pickledSampleBytes: 64 * 1024,
  /** What an inspection may decompress without regard to what it read: 2 s, and less than the heap of a process grows by itself. */
  unpackedBytes: 32 * 1024 * 1024,
  /** What it may besides, for each byte that it read: 0.1 s a MB. Models of scikit-learn shrink to a tenth, text to a quarter, 1 MB of zeros to 1 kB. */
  unpackedPerByteRead: 16,
  /** What all compressed and nested pickles of one file may unpack to: a model of scikit-learn takes some 100 MB. Scanning it takes 0.1 s a MB. */
  pickleUnpackedBytes: 128 * 1024 * 1024,
  /** Nodes that a walk over a pickled object may visit; shared references make the walk longer than the file ("billion laughs"). */
  pickleWalkNodes: 2_000_000,
  /** Nesting that a walk follows; CPython itself gives up near 1,000 when it pickles. */
  pickleWalkDepth: 1_000,
  /** 56 bytes an entry at least: 256 MiB of central directory are 4 million records. */
  zipDirectoryBytes: 256 * 1024 * 1024,
  /** Entries of one directory, each an object that takes up to 1.2 kB until it is listed. A state_dict of 160,000 tensors has as many storages. */
  zipEntries: 250_000,
  /** Text records inside archives (JSON configs, byteorder, version) and JSON side files are small; 64 MiB is a large tokenizer. */
  jsonBytes: 64 * 1024 * 1024,
  /**
   * Objects and lists of one JSON text: each takes some 100 bytes of memory, 370 where no two have the same keys. A tokenizer.json has up to
   * 600,000 (a list for each of its merges), a log of 100,000 steps as many.
   */
  jsonContainers: 1_000_000,
  /** Keys and values of one: some 20 bytes each. The largest tokenizer.json have 3 million. */
  jsonValues: 8_000_000,
  /** Configs and templates that are read for the code that they name: a tokenizer_config.json with 100,000 added tokens takes 15 MB. */
  codeTextBytes: 32 * 1024 * 1024,
  /** Path configurations of packages (`.pth`) have a line or two; the longest seen (namespace packages of setuptools) have 2 KB. */
  pathConfigurationBytes: 1024 * 1024,
  /** Entries of one list or map of a config that name code or are templates, each some 200 bytes while they are looked at. Those of real models are some dozens. */
  codeEntries: 100_000,
  /** Nodes of a TensorFlow graph and of its functions: a large language model, unrolled, has some 200,000. */
  graphNodes: 2_000_000,
  /** `latest` and its like hold the name of a directory; a path has at most 4,096 bytes. */
  pointerBytes: 4096,
  /** Vocabulary, merges and scores of 262,144 tokens take about 12 MB. */
  ggufHeaderBytes: 128 * 1024 * 1024,
  /** Key-values of one header, each an object of some 100 bytes and a name. The largest seen have some 60. */
  ggufKeys: 100_000,
  /**
   * Tensors of one header whose reader makes an object of each, some 250 bytes until it is listed (GGUF, ggml, ONNX, HDF5, tensor bundles). The largest
   * models have 3,000 in all of their files, a state with 64,000 parameters and two moments 192,000.
   */
  headerTensors: 200_000,
  /** Names of these, where the header itself has no bound: 300 bytes each. */
  tensorNameBytes: 64 * 1024 * 1024,
  /** Extents of data of one file beside one a tensor: strings of an ONNX tensor have one each, slices of a partitioned variable too. */
  headerExtents: 500_000,
  /** Weights, scales and zero points of quantizing operators of an ONNX graph: three for each of `headerTensors`, some 150 bytes each. */
  quantizedInputs: 600_000,
  /**
   * Keys of a sorted table, written out, beyond three times its size: keys share their beginnings, so that 200 bytes of a name take some 55
   * of a table.
   */
  tableKeyBytes: 64 * 1024 * 1024,
  /** Blocks of such a table, decompressed, beyond eight times its size: each of their entries takes three bytes and a microsecond. */
  tableBlockBytes: 4 * 1024 * 1024,
  /** YAML that is read at once, a second a MB: it takes up to 300 times its size in memory. Longer texts are read entry by entry. */
  yamlPieceBytes: 256 * 1024,
  /** A manifest of 100,000 entries takes 30 MB. */
  manifestBytes: 64 * 1024 * 1024,
  /** Entries of a manifest: each takes some 500 bytes of memory, in YAML 20 µs besides. Within `manifestBytes` there are some 200,000. */
  manifestEntries: 200_000,
  /** An object header or a heap of names: links and attributes of a group with 100,000 members. */
  hdf5StructureBytes: 16 * 1024 * 1024,
  /** Messages of one object header: links and attributes are stored in it up to 65,535 of each (H5Pset_link_phase_change, H5Pset_attr_phase_change). */
  hdf5Messages: 150_000,
  /** Groups and datasets of one file, and chunks of its datasets. */
  hdf5Objects: 1_000_000,
  /** Values of the datasets of one file that are scanned for pickles: each is a read of a page, and no more pickles than `nestedPickles` are scanned. */
  hdf5PickleValues: 1_000,
  /** An index of 500,000 tensors takes 60 MB. */
  indexBytes: 512 * 1024 * 1024,
  /** Tensors that an index names and no file holds, of which each takes some 150 bytes. An index of 500,000 may have lost all its shards. */
  absentTensors: 500_000,
  /** Tensors that a report lists one by one because config and files differ in them, for each kind of difference; all are counted. A screen shows some dozen. */
  loadDifferences: 1_000,
  /** Places of tensors that are compared one by one where a config and files differ: each takes some 100 bytes while its key is compared. The largest models have 200,000; beyond it numbers alone are compared. */
  loadPlaces: 8_000_000,
  /** Of one kind of tensor, as `loadPlaces`. */
  loadPlacesOfKey: 1_000_000,
  /** Files that one index names and that are not there, which are listed one by one. The largest models have some hundred shards. */
  missingShards: 10_000,
  /** Side tensors and pickled scalars that are metadata may be read up to this size (see the design, "only headers"). */
  metadataPayloadBytes: 64 * 1024,
  /** Small objects between the tensors of a distributed checkpoint: counters and settings of 1.3 KB each, loader positions. */
  storedObjectsBytes: 16 * 1024 * 1024,
  /** Objects of ranks' files of one kind that are kept whole; of a rank's 300 tensors each takes 1 MB of memory. */
  wholeRankObjects: 128,
  /** Ranks that are looked for by name: the largest jobs have some 100,000, and a number out of a file could be anything. */
  rankFiles: 200_000,
  /** Arrays of a flax tree with their shapes, ten values each: 150,000 arrays. A value takes some 150 bytes with its key. */
  msgpackValues: 1_500_000,
  /** TensorStore splits nodes above 8 MiB decoded by default, Orbax above 100,000,000 bytes (max_decoded_node_bytes). */
  ocdbtNodeBytes: 256 * 1024 * 1024,
  /** All nodes of one database decoded: 20 million chunks at 100 bytes each. A small node may be compressed a thousandfold. */
  ocdbtDecodedBytes: 2 * 1024 * 1024 * 1024,
  /** Archives that are walked in an unfinished save, two reads each: what they are called is lost anyhow. */
  unindexedItems: 4_000,
  /** Directories listed at once: enough to hide the latency of a network file system, few enough not to flood its metadata server. */
  concurrentFolders: 8,
  /** Directories in which runs are looked for: at 8 at once and 10 ms each a million takes 20 minutes. */
  searchedFolders: 1_000_000,
  /** Checkpoints of all runs of one search, some 1 kB each in the report, whose text may have 512 MB. */
  searchedCheckpoints: 400_000,
  /** Of the file with what earlier searches saw, which is read whole. */
  folderCacheFileBytes: 256 * 1024 * 1024,
  /** Text of what earlier searches saw: 15 million files at 100 bytes each, which compressed are a tenth of that. */
  folderCacheBytes: 1536 * 1024 * 1024,
  /** Of one directory in it: 500,000 files. */
  folderLineCharacters: 64 * 1024 * 1024,
  /** Files below one root. A run of 1,000 checkpoints with 100 files each. */
  listedFiles: 500_000,
  /** Bytes that are compared of two files with tensors of the same names: 5 tensors at three places of 16 KiB in both, 64 others at one of 4 KiB. */
  copyBytes: 1024 * 1024,
  /** The same of all such files: a second on a slow network. */
  allCopiesBytes: 64 * 1024 * 1024,
  /** Checkpoints of a run with files of the same names and sizes, the last ones, of which some bytes are compared: two reads each. All saves of a run have the same sizes. */
  copyProbes: 256,
  /** Things under one directory that are read, each by its headers. Those of a team's share are some dozens. */
  collectionParts: 500,
  /**
   * Files of one listing that are opened for their first bytes as their names leave open what they are, 4 operations each: 0.3 s on
   * a disk, and some 2 s where each operation takes 10 ms. A repository has 100,000 of them, and a checkpoint some dozens.
   */
  sniffedFiles: 2_000,
  /** Files of all sets that are sampled for holes: at 18 KiB each a MiB, and 10 s where each of 18 reads takes 10 ms. */
  sparseFilesOfSets: 56,
  /** Files beside data sets and the parts of a collection that are opened for their first bytes, as they may be pickles: as `sniffedFiles`. */
  picklesBeside: 2_000,
  /** Of a token file that begins as a pickle: one in 16,384 of true ones does by chance, and a pickle that calls is seldom larger. */
  tokenFileScanBytes: 16 * 1024 * 1024,
  /**
   * Files with names of texts, source code or pictures that are opened for their first bytes, as they may be pickles all the same: a checkpoint has
   * some dozens of them, a repository 100,000.
   */
  plainNamesSniffed: 200,
  /**
   * Files of the sets of one listing, or of one data set that were not read as such, whose first bytes are looked at, as they may be pickles: one operation each, of
   * which eight are under way at once. A distributed save has one for each rank, a zarr store thousands.
   */
  picklesInstead: 500,
  /** Files of one directory that are looked at where there are more `.json` files than that: one data set's are alike. */
  sniffedOfDirectory: 4,
  /** Refs of a cache of the Hugging Face Hub, a read each. Large caches have some hundred repositories with a few refs. */
  cacheRefs: 10_000,
  /** Directories nested below one root. */
  listedDepth: 64,
  /** Bytes read of files that are kept for the next reader of the same inspection, so that files below this size are read once. */
  rememberedBytes: 64 * 1024 * 1024,
  /** A longer read is of a whole payload, which its only reader keeps itself. */
  rememberedReadBytes: 16 * 1024 * 1024,
  /** Files read at once: where an operation takes 10 ms, 1,000 ranks of three operations take half a second with 64. */
  concurrentReads: 64,
  /**
   * Objects of one inspection in a worker: the index of a save of 100,000 GPUs takes half of it. Above it the panel offers twice as much.
   */
  inspectionHeapBytes: 2 * 1024 * 1024 * 1024,
  /** Objects of an estimator or a check, whose inputs are configs and settings. */
  otherHeapBytes: 1024 * 1024 * 1024,
  /** An answer of a file system: tapes and busy servers take a minute, one that is gone takes for ever. */
  answerSeconds: 120,
  /** Text without an index is counted in full up to this size, uncompressed; a larger one is sampled. */
  countedTextBytes: 64 * 1000 * 1000,
  /**
   * Records of the files of one data set whose texts are kept for counting, each text some 90 bytes more than its characters: records of 32
   * bytes on average. Files with more are sampled.
   */
  countedTexts: 2_000_000,
  /** Members of tar archives of one dataset that are walked over, a read each where they are large: some ten seconds on a disk. */
  tarMembers: 300_000,
  /** What is looked at of one line: the longest documents of web crawls take about this much. */
  textLineBytes: 1024 * 1024,
  /** What zstd itself takes without being asked (ZSTD_WINDOWLOG_LIMIT_DEFAULT, 2^27). */
  zstdWindowBytes: 128 * 1024 * 1024,
  /** Lengths of samples that are read without being asked for: 4 million of 4 bytes take some 50 ms from a disk's cache. */
  lengthsBytes: 16 * 1024 * 1024,
  /** Reads for such lengths where they lie here and there, one a batch of rows: some 100 ms from a local disk. */
  lengthsReads: 2_000,
  /** Batches of an Arrow file from which stored tokens are drawn, evenly spread: a draw looks at sixteen places in all. */
  arrowPlaces: 256,
  /** Fields of an Arrow or Parquet schema: wide tables of features have some 10,000. */
  schemaFields: 100_000,
  /** Nesting of such a schema: chat messages with tool calls in them take about 12. */
  schemaDepth: 128,
  /** Schema of 10,000 fields with Hugging Face's features as JSON in it: 3 MB. */
  arrowMetadataBytes: 64 * 1024 * 1024,
  /** Pickles in the metadata of one schema that are scanned: pyarrow wrote one for each field of an extension type, of which tables have some. */
  pickledMetadata: 100,
  /** Footer of a Parquet file: 60 bytes or more a column and row group; 2,000 row groups of 500 columns take 100 MB. */
  parquetFooterBytes: 512 * 1024 * 1024,
  /** A page that is read for the text in it, compressed and not; writers aim at 1 MB, a text that is longer has a page for itself. */
  textPageBytes: 64 * 1024 * 1024,
  /** Values of such a page: a run takes a few bytes however long it is, so that a page's size is no bound. Writers end pages at 20,000 rows. */
  textPageValues: 8 * 1024 * 1024,
  /** A training config has some 10,000 characters; saved ones with lists of files in them (OLMo) a few hundred thousand. */
  configCharacters: 1024 * 1024,
  /** Lines of a config, and items within a line: saved ones with lists of files in them have some 20,000. */
  configItems: 100_000,
  /** The same of TOML, whose parser takes four times as much for each. Those of torchtitan have some 200. */
  tomlItems: 20_000,
  /** A character takes at most four bytes. */
  configBytes: 4 * 1024 * 1024,
  /** Maps within maps of a config: the deepest seen (Hydra, OLMo-core) have 8. Parsers of libraries recurse on it. */
  configDepth: 100,
  /** A dimension, a count of layers or of steps: 2^50 is above all of them and exact as a double. */
  configNumber: 2 ** 50,
  /** References that lead from one key of a config to another. */
  configReferences: 16,
  /** Arguments of one call in Python: trainers have some 150; a call of a generated file may be as long as it likes. */
  callArguments: 500,
  /** Characters of such a call. */
  callCharacters: 50_000,
  /** Calls of one function that are read. */
  callsOfFunction: 20,
  /** Nodes of a cluster's job that are looked at for its command: aliases may share them without end. */
  jobNodes: 20_000,
  /** Documents of a YAML file: manifests of a cluster have tens, and each that follows is read for its command alone. */
  yamlDocuments: 200,
  /** Rounds of a loop that lists a model's layers: the deepest have some hundred. */
  configLoop: 10_000,
  /** Sizes that a batch goes through as it ramps up: the published runs have at most some hundred. */
  batchStages: 10_000,
  /** Files that a script sources, and those that they source: launch scripts have three at most. */
  configSources: 20,
  /** Characters of the scripts in words of a script, `bash -c '…'`: a launch has one or two of some thousand. */
  nestedScripts: 500_000,
  /** A plan has some 5,000 characters; with the checkpoints of a long run in it a few hundred thousand. */
  planCharacters: 4 * 1024 * 1024,
  /** A sites file: a thousand systems of some 500 characters each. */
  sitesCharacters: 1024 * 1024,
  /** Systems of a sites file: more than a company has. */
  sitesSystems: 1000,
  /** Names, paths and sources in a plan. */
  planNameCharacters: 500,
  /** Checkpoints of a run that a plan holds: one an hour for a year. */
  planListItems: 10_000,
  /** A retention policy or a file of holds: thousands of entries of some 100 characters. */
  retentionCharacters: 1024 * 1024,
  /** Holds and milestones of a run: more than it has checkpoints. */
  retentionItems: 10_000,
  /** Places that a policy wants copies at. */
  copyManifests: 20,
  /** A manifest of a copy, of some 150 bytes a file, and a table of steps and values. */
  copyManifestBytes: 128 * 1024 * 1024,
  /** A trainer_state.json: some 200 bytes a logged step. */
  trainerStateBytes: 32 * 1024 * 1024,
  /** Those that are read of a run, the newest first: each repeats the history of the ones before it. */
  trainerStates: 16,
  /** An adapter's config has some 30 keys; lists of modules make it longer. */
  adapterConfigBytes: 1024 * 1024,
  /** Small texts beside the checkpoints of a run that are read for the names of these: people keep a few. */
  otherPointers: 100,
  /** Links of a workspace whose ends are looked for, two calls each: caches of models have thousands. */
  workspaceLinks: 50_000,
  /** Adapters below one directory: a run of adapters has one a checkpoint. */
  adapterConfigs: 20_000,
  /** What a bandwidth check tells of itself in its directory: 1,408 names of at most 255 characters. */
  checkMarkerBytes: 1024 * 1024,
  /** Data that a bandwidth check makes ahead, in memory: 2 blocks of 64 MiB for each of 8 streams, and one to read into. */
  checkBufferBytes: 2 * 1024 * 1024 * 1024,
  /** What another program (`lfs`, `quota`, `dd`) may say: a few lines, of which the first tell. */
  programOutputBytes: 256 * 1024,
  /** Levels of the tree of modules, which is walked by recursion. Names of models have below 20 parts; what is deeper is one part. */
  moduleDepth: 32,
  /** Modules of the tree, of which each takes some 120 bytes in columns: 120 MB. 200,000 tensors of experts have 466,000. */
  moduleNodes: 1_000_000,
  /** Where filters leave no more tensors than these, the tree shows them at once: a line each. */
  moduleTensorsExpanded: 10_000,
  /** Nodes of pickled objects in one report. The panel shows them as a tree; a training_args.bin has about 150. */
  objectNodes: 20_000,
  /** Entries of one container that the tree shows before it says how many more there are. */
  objectChildren: 200,
  /** Characters of one value in the tree. */
  objectTextLength: 500,
  /** Findings of one code in one file that are kept, each an object of some 200 bytes; the others are counted. */
  fileFindings: 1_000,
  /** Findings of one code that are listed before the rest is counted. */
  findingsPerCode: 50,
  /** Most bytes that a bandwidth check writes at once unless another size is set: a burst that a file server absorbs. */
  checkSpaceBytes: 4 * 1024 * 1024 * 1024,
  /** Of the free space, unless another size is set: others write there as well. */
  checkFreeShare: 0.05,
  /** A check needs this many times its own bytes free, whatever is set: a full disk stops the training that it is for. */
  checkFreeTimes: 3,
  /** O_DIRECT needs multiples of the logical block of the device, which is 512 or 4,096 bytes (open(2)). */
  checkSectorBytes: 4096,
  /** Files that are written in place of a checkpoint's: enough to keep eight writers of a large save busy. */
  checkFiles: 1_024,
  /** Threads that write at once: as many ranks as the largest nodes have, eight times over. */
  checkStreams: 128,
  /** Names in the marker of a check: its files, one for each stream of a sweep, and two for each stream that measures the sustained rate. */
  checkMarkerFiles: 1_024 + 128 + 2 * 128,
  /** Numbers of streams of a sweep: doubling from 1 to 128 takes eight; each takes its part of the time. */
  sweepPoints: 16,
  /** Time for the sustained rate: credits of cloud volumes last from half an hour to some hours. */
  sustainedSeconds: 4 * 3_600,
  /** Rates that are kept while the sustained rate is measured: at most twice this many before two become one. */
  sustainedBins: 600,
  /** Points of the rate over time in a report: a history has 200 reports, and 200 points take 10 kB. */
  sustainedCurvePoints: 200,
  /** One write: above it a stream would hold more than a gigabyte of data ready. */
  checkBlockBytes: 256 * 1024 * 1024,
  checkRepeats: 20,
  checkSeconds: 3_600,
  /** Small files of the check of metadata: enough for a 99th percentile. */
  checkSmallFiles: 1_000,
  /** Checks of a directory that are kept: one a week for four years, some 8 kB each, 10 kB more with a sustained rate. */
  bandwidthHistory: 200,
  /** Points of the curve of a running check: one for each pixel that it is drawn with. */
  bandwidthCurvePoints: 1_000,
  /** Lines of a node that joins a check: nonce and proof of 64 characters each, and the node's name. They may come from any process. */
  clusterHelloBytes: 4_096,
  /** One message between nodes: a request with 1,024 names of 105 characters takes 150 kB. */
  clusterMessageBytes: 4 * 1024 * 1024,
  /** `~/.aws/config` and `credentials`: profiles of 200 bytes each. */
  awsProfileBytes: 1024 * 1024,
  /** An answer of an object store: 1,000 keys of 1,024 bytes, written as entities, take 6 MB. */
  storeAnswerBytes: 8 * 1024 * 1024,
  /** Requests to one store that are under way at once: stores slow down who has more, and browsers have fewer. */
  remoteRequests: 16,
  /** What an inspection fetches without a question: the headers of a model of 64 shards, or of a save of some hundred files. */
  remoteQuestionRequests: 200,
  remoteQuestionBytes: 64 * 1024 * 1024,
  /** Headers of stores that are kept: some ten of the largest models, each read in a few hundred ranges. */
  headerCacheBytes: 256 * 1024 * 1024,
  headerCacheRanges: 16_384,
  /** What lies between two reads and is fetched with them: it comes in the time of a round trip. */
  remoteGapBytes: 32 * 1024,
  /** What is fetched of the beginning and of the end of a file where a part of it is asked for. */
  remoteEndBytes: 4096,
  /** What is fetched at once of several reads. */
  remoteJoinedBytes: 4 * 1024 * 1024,
  /** Files and folders of one folder of a store that an explorer is shown: some twenty pages of a listing. */
  remoteFolderEntries: 20_000,
  /** A file of a store that is opened in an editor: configs, logs, tokenizers. */
  remoteOpenedBytes: 64 * 1024 * 1024,
  /** A file of a server without ranges that is fetched whole: a tokenizer.json has up to 12 MB. */
  remoteWholeBytes: 16 * 1024 * 1024,
  /** Multipart uploads have parts of 5 MiB and more, and at most 10,000 of them (Amazon S3, "multipart upload limits"). */
  storePartBytes: 5 * 1024 * 1024,
  storeParts: 10_000,
  /** Measurements of 4,096 nodes with 20 repeats take 25 MB. */
  jobResultBytes: 64 * 1024 * 1024,
  /** `job.json` of an array: some 150 bytes a file of a million of them. */
  arrayJobBytes: 256 * 1024 * 1024,
  /** The command line itself, which pods of Kubernetes get a copy of: 3 MB. */
  programBytes: 64 * 1024 * 1024,
  /** What one attempt of an array's task leaves: 3 kB a tensor with its histogram, of half a million in one task. */
  arrayResultBytes: 2 * 1024 ** 3,
  /** Sets of files with the same tensors that one more is compared with: a directory may hold any number of them, and each with each takes the square. */
  comparedGroups: 256,
  /** Entries of each list of a comparison: more than anybody reads, and a report of all of them stays below some 20 MB. */
  comparedDifferences: 10_000,
  /** Patterns of names that are looked up in the names of all frameworks: a model has hundreds, with numbers inside of words some thousands. */
  comparedPatterns: 50_000,
  /** Names of each side that are listed of tensors that are stored together: query, key and value are three, and stacks have hundreds. */
  comparedFusedNames: 8,
  /** Steps of two runs of which settings are compared: each is an inspection of both. */
  comparedSteps: 32,
  /** JSON files of each side whose keys are compared: a checkpoint has some ten. */
  comparedConfigs: 64,
  /** Keys of one such file: a config has hundreds, and the state of Trainer some thousands without its log. */
  comparedKeys: 100_000,
  /** A JSON file whose keys are compared: a tokenizer of 64 MiB is no config. */
  comparedConfigBytes: 16 * 1024 * 1024,
  /** Files of a tokenizer whose bytes are compared; above it their sizes are. */
  comparedTokenizerBytes: 64 * 1024 * 1024,
  /** Nodes of the objects of a checkpoint that are looked at for groups of an optimizer. */
  comparedNodes: 20_000,
  /** Nodes of one check: each holds a connection to the one that leads. */
  clusterNodes: 4_096,
  /** Lines of what a cluster's program prints that are read: sinfo has one for each kind of node of a partition, nvidia-smi one for each GPU. */
  clusterLines: 10_000,
  /** Connections beyond the number of nodes that may wait for their proof: each is a socket and 4 kB. */
  clusterStrangers: 64,
  /** Samples of telemetry, each three numbers of eight bytes, and as much again while they are looked at: a step of 1 s for six weeks. */
  telemetrySamples: 4_000_000,
  /** Texts of job_stats and mountstats, which are read whole: 5 kB a minute for a month take 200 MB. */
  telemetryTextBytes: 256 * 1024 * 1024,
  /** Bursts of telemetry that are searched for jobs, the largest: each is compared with the others of its size. */
  telemetryBursts: 1000,
  /** Times at which saves of a job may be, the likeliest, for comparing the job with chance: each is compared with those before it, for some intervals. */
  telemetryTimes: 1000,
  /** Stretches of telemetry that are listed as uncertain, the largest. */
  telemetryUncertain: 500,
  /** A list of digests beside files: 300 bytes a file for `listedFiles`. */
  sumListBytes: 128 * 1024 * 1024,
  /** `stowage-manifest.json`: 300 bytes a file, and 10 more for each block of 64 MiB. */
  manifestFileBytes: 256 * 1024 * 1024,
  /** `.stowage/verified.json`: two entries of some 700 bytes for each of `verifiedNames`. */
  verifiedLogBytes: 4 * 1024 * 1024,
  /** Names in such a log: more than a directory has checkpoints that anybody verifies. */
  verifiedNames: 2_000,
  /** Directories of the checkpoints of a run, or of the parts of a collection, whose logs are read: nearly always one. */
  verifiedLogs: 16,
  /** Blocks in which files are read to be hashed: reads of this size reach the rate of parallel file systems, and a thread has three of them. */
  verifiedReadBytes: 4 * 1024 * 1024,
  /** Values of a slice: a heat map of 128 rows and columns. */
  sliceValues: 128 * 128,
  /**
   * A chunk of an array that is unpacked as a whole, and what it unpacks to: zarr's and h5py's own choices are below 1 MB, those of users some MB. Of a damaged file as many as
   * may share bytes are in memory at once.
   */
  valueChunkBytes: 32 * 1024 * 1024,
  /** Reads of a slice: at 64 at once and 10 ms each they take half a second. Rows of a large matrix lie far apart. */
  sliceReads: 4_096,
  /** Bytes that a slice reads, with those between its values where one read is less work than two. */
  sliceBytes: 16 * 1024 * 1024,
  /** A file opened in an editor without range reads (virtual file systems) is read whole, so it has to be small. */
  wholeFileBytes: 256 * 1024 * 1024,
} as const;
