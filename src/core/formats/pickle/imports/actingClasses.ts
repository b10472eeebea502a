/**
 * Classes that act when they are made: they open or write files, reach devices or other machines, start programs or load native code. A list of
 * facts, by package and reason; in which module of its package a class is differs between releases. Functions need no list, as a call of one is
 * unexpected anyhow.
 */

/** Names of classes by package. */
type ClassesByPackage = Readonly<Record<string, string>>;

/** Modules also hold what they import: these names are those of the same class in any of them. */
const anyPackage = '';

const classesByReason: Readonly<Record<string, ClassesByPackage>> = {
  'opens, creates or overwrites a file or a database': {
    [anyPackage]: `
      OSFile MemoryMappedFile HDFStore ExcelWriter SummaryWriter EventFileWriter ParquetWriter ORCWriter ArrowWriter RecordBatchFileWriter
      TFRecordWriter MDSWriter H5IOStore SqliteDict SoundFile VideoCapture VideoWriter RotatingFileHandler TimedRotatingFileHandler
      WatchedFileHandler TemporaryDirectory`,
    cv2: 'FileStorage',
    diskcache: 'Cache FanoutCache DjangoCache Deque Index',
    h5py: 'File',
    keras: 'DiskIOStore ShardedH5IOStore',
    leveldb: 'LevelDB',
    lmdb: 'Environment',
    mxnet: 'MXRecordIO MXIndexedRecordIO',
    netCDF4: 'Dataset MFDataset',
    nibabel: 'Opener ImageOpener',
    openbabel: 'Outputfile',
    pandas: 'ExcelFile',
    plyvel: 'DB',
    pyarrow: `
      CompressedInputStream CompressedOutputStream ParquetFile ParquetDataset RecordBatchFileReader RecordBatchStreamWriter ORCFile
      CSVWriter`,
    pysam: 'AlignmentFile VariantFile FastaFile FastxFile TabixFile BGZFile HTSFile',
    rasterio: 'DatasetReader DatasetWriter',
    rocksdb: 'DB',
    tables: 'File',
    tensorboard: 'RecordWriter',
    tensorizer: 'TensorSerializer',
    tensorflow: 'GFile FileWriter PyRecordReader PyRecordWriter WritableFile BufferedInputStream',
    tensorstore: 'KvStore TensorStore',
    torch: 'PyTorchFileReader PyTorchFileWriter FileWriter FileStore',
    webdataset: 'TarWriter ShardWriter',
    zarr: 'ZipStore DBMStore LMDBStore SQLiteStore TempStore',
  },
  'connects to another machine': {
    [anyPackage]: 'MongoClient KafkaProducer KafkaConsumer BlockingConnection SSHClient TCPStore',
    pyarrow: 'S3FileSystem GcsFileSystem AzureFileSystem HadoopFileSystem FlightClient FlightServerBase',
    torch: 'ProcessGroupGloo ProcessGroupNCCL ProcessGroupMPI TensorPipeAgent',
    zarr: 'RedisStore MongoDBStore ABSStore',
  },
  'opens a device': {
    pyaudio: 'PyAudio Stream',
    serial: 'Serial',
    smbus: 'SMBus',
    smbus2: 'SMBus',
    sounddevice: 'Stream InputStream OutputStream RawStream RawInputStream RawOutputStream',
    spidev: 'SpiDev',
  },
  'starts a program': {
    julia: 'Julia LegacyJulia',
    [anyPackage]: 'SparkContext JavaGateway SubprocessHandler ProcessPoolExecutor',
    cmdstanpy: 'CmdStanModel',
    moviepy: 'VideoFileClip AudioFileClip FFMPEG_VideoReader FFMPEG_AudioReader FFMPEG_VideoWriter',
  },
  'loads native code, or a model that runs': {
    [anyPackage]: 'OleDLL WinDLL LibraryLoader',
    kenlm: 'Model LanguageModel',
    onnxruntime: 'InferenceSession TrainingSession',
    openvino: 'Extension',
    tl2cgen: 'Predictor',
    torch: 'DynamicLibrary AOTIModelPackageLoader AOTIModelContainerRunnerCpu AOTIModelContainerRunnerCuda',
    treelite_runtime: 'Predictor',
  },
};

/** Classes of models and their data that open the file, or parse the bytes, that they are given. Their saves make them without arguments, and set a state. */
const openingClasses: ClassesByPackage = {
  accelerate: 'HfDeepSpeedConfig',
  ai_edge_litert: 'Interpreter',
  ase: 'Trajectory',
  catboost: 'Pool',
  coremltools: 'MLModel CompiledMLModel',
  ctranslate2: 'Translator Generator Encoder Whisper',
  cv2: 'CascadeClassifier FaceDetectorYN FaceRecognizerSF Net',
  deepsparse: 'Engine',
  exllamav2: 'ExLlamaV2Config',
  faiss: 'OnDiskInvertedLists',
  faster_whisper: 'WhisperModel',
  fasttext: '_FastText',
  fiona: 'Collection',
  fitz: 'Document',
  gensim: 'MmCorpus',
  gpt4all: 'GPT4All',
  hailo_platform: 'HEF',
  huggingface_hub: 'CommitScheduler',
  hunspell: 'HunSpell',
  hydra: 'StructuredConfigSource',
  keras: 'NpzIOStore TFSMLayer',
  lance: 'LanceDataset',
  lightgbm: 'Booster Dataset',
  llama_cpp: 'Llama LlamaModel',
  matplotlib: 'FT2Font',
  MDAnalysis: 'Universe',
  MeCab: 'Tagger Model',
  mlc_llm: 'MLCEngine',
  MNN: 'Interpreter',
  nltk: 'ZipFilePathPointer SentimentIntensityAnalyzer',
  onnx: 'ReferenceEvaluator',
  opencc: 'OpenCC',
  openvino: 'Core Model',
  PIL: 'FreeTypeFont PdfParser TarIO ImageCmsProfile',
  pymupdf: 'Document',
  pyonmttok: 'Tokenizer',
  pyrocksdb: 'DB',
  pywhispercpp: 'Model',
  rdkit: 'SDMolSupplier ForwardSDMolSupplier SmilesMolSupplier MaeMolSupplier',
  sentence_transformers: 'SentenceTransformer CrossEncoder SparseEncoder',
  sentencepiece: 'SentencePieceProcessor',
  sglang: 'Engine',
  stable_baselines3: 'ResultsWriter Monitor',
  stanza: 'Pipeline',
  sudachipy: 'Dictionary',
  tensorflow: 'Interpreter',
  tensorizer: 'TensorDeserializer',
  tensorrt: 'OnnxParser',
  tflite_runtime: 'Interpreter',
  tokenizers: 'BPE WordPiece WordLevel',
  ultralytics: 'YOLO YOLOE YOLOWorld RTDETR SAM FastSAM NAS Model',
  usearch: 'Index',
  vaex: 'Hdf5MemoryMapped',
  vllm: 'LLM LLMEngine',
  vosk: 'Model',
  webdataset: 'LMDBCached',
  vowpalwabbit: 'Workspace',
  xgboost: 'Booster DMatrix QuantileDMatrix ExtMemQuantileDMatrix',
  youtokentome: 'BPE',
};

/**
 * Classes of Rust and of Cython that open what they are given before `__init__`, in `__new__` and `__cinit__`: NEWOBJ is enough. Those of pybind11 and SWIG have all in
 * `__init__`.
 */
const newOpeners: ClassesByPackage = {
  safetensors: 'safe_open',
  sudachipy: 'Dictionary',
  tokenizers: 'BPE WordPiece WordLevel',
  youtokentome: 'BPE',
};

/** Packages whose classes open what they are given: databases, stores, drivers and clients. No save has to make their objects with arguments. */
const openingPackages = new Set(
  `
  adlfs aiobotocore aiokafka aioredis aiosqlite amqp apsw asyncpg asyncssh boto boto3 botocore cassandra clickhouse_connect clickhouse_driver
  clr comtypes confluent_kafka consul cx_Oracle dulwich duckdb elasticsearch etcd3 evdev ffmpeg gcsfs git gpiozero grpc h5netcdf h5py h5pyd
  hdfs hid httplib2 hvac impacket influxdb jpype kafka kazoo kombu ldap3 leveldb lmdb minio mss MySQLdb mysql neo4j netCDF4 netmiko
  opensearchpy oracledb paho pika playwright plyvel psycopg py4j pyaudio pyautogui pycurl pycuda pygit2 pyhive pymemcache pymongo pymssql
  pymysql pynput pyodbc pyppeteer pythoncom pyudev pyvisa redis rocksdb rocksdict s3fs s3transfer scapy selenium serial smart_open smbclient
  smbprotocol smbus smbus2 snowflake socketio socks sounddevice soundfile spidev sqlitedict sshfs sshtunnel telethon thriftpy2 tiledb tinydb
  unqlite usb webdav3 websocket websockets win32api win32com xlsxwriter zmq`
    .trim()
    .split(/\s+/),
);

/** What classes are called that open what a text names. */
const openerName =
  /(?:File|FileHandler|FileSystem|Filesystem|Writer|Client|Server|Socket|Connection|Listener|Database|Daemon|Browser|WebDriver|Downloader|Reader|OutputFormat|DataFormat|IOStore|ConfigSource)$/;

const actingClasses = namesByPackage(Object.values(classesByReason));
const openers = namesByPackage([openingClasses]);
const openersInNew = namesByPackage([newOpeners]);

function namesByPackage(tables: readonly ClassesByPackage[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const table of tables)
    for (const [top, names] of Object.entries(table))
      found.set(top, new Set([...(found.get(top) ?? []), ...names.trim().split(/\s+/)]));
  return found;
}

/** True for a class that acts when it is made, whatever its arguments are. @param name dotted for a class within a class */
export function isActingClass(top: string, name: string): boolean {
  const own = ownName(name);
  return actingClasses.get(anyPackage)?.has(own) === true || actingClasses.get(top)?.has(own) === true;
}

function ownName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** True for a class that opens what it is given, by its package or its name. */
export function isOpeningClass(top: string, name: string): boolean {
  return openingPackages.has(top) || openers.get(top)?.has(ownName(name)) === true || openerName.test(name);
}

/** Classes that saves name, and whose instances they make without a call: called with a text, they read that file or import that module. */
const openersWhenCalled = new Set([
  'HfDeepSpeedConfig',
  'HfTrainerDeepSpeedConfig',
  'DeepSpeedPlugin',
  'FullyShardedDataParallelPlugin',
]);

/** True for a class of frameworks that opens what it is called with. */
export function opensWhenCalled(name: string): boolean {
  return openersWhenCalled.has(name);
}

/** True for a class that opens what it is given as soon as an instance is made, before `__init__`. */
export function opensInNew(module: string, name: string): boolean {
  const [top = ''] = module.split('.', 1);
  return openersInNew.get(top)?.has(ownName(name)) === true;
}
