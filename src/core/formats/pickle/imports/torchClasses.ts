/**
 * Classes and functions of PyTorch 2.15 that saves name without calling them: modules, optimizers, schedulers, samplers, and what distributed
 * checkpoints are made of. Listed from the modules themselves (names whose `__module__` is that module), with names of older versions.
 */

/** Classes by their module. A pickle makes their instances without `__init__`, and gives them their state. */
export const torchClasses: Readonly<Record<string, string>> = {
  'torch.amp.grad_scaler': 'GradScaler OptState _MultiDeviceReplicator',
  'torch.cuda.amp.grad_scaler': 'GradScaler',
  'torch.distributed._mesh_layout': '_FlatLayout _MeshLayout',
  'torch.distributed._shard.metadata': 'ShardMetadata',
  'torch.distributed._shard.sharded_tensor.api': 'ShardedTensor ShardedTensorBase',
  'torch.distributed._shard.sharded_tensor.metadata': 'MEM_FORMAT_ENCODING ShardedTensorMetadata TensorProperties',
  'torch.distributed._shard.sharded_tensor.shard': 'Shard',
  'torch.distributed._shard.sharding_spec': 'ChunkShardingSpec EnumerableShardingSpec ShardMetadata',
  'torch.distributed._shard.sharding_spec._internals': 'ShardMetadata',
  'torch.distributed._shard.sharding_spec.api': `
    DevicePlacementSpec EnumerableShardingSpec PlacementSpec ShardingSpec`,
  'torch.distributed._shard.sharding_spec.chunk_sharding_spec': 'ChunkShardingSpec',
  'torch.distributed._sharded_tensor.metadata': 'MEM_FORMAT_ENCODING ShardedTensorMetadata TensorProperties',
  'torch.distributed._tensor': 'DTensor Replicate Shard _Partial',
  'torch.distributed._tensor.api': 'DTensor DTensorSpec',
  'torch.distributed._tensor.placement_types': `
    DTensorSpec Partial Placement Replicate Shard TensorMeta _Partial _StridedShard`,
  'torch.distributed.checkpoint.filesystem': 'SerializationFormat _StorageInfo _StoragePrefix',
  'torch.distributed.checkpoint.metadata': `
    BytesStorageMetadata ChunkStorageMetadata Metadata MetadataIndex StorageMeta TensorProperties
    TensorStorageMetadata _MEM_FORMAT_ENCODING`,
  'torch.distributed.checkpoint.planner': `
    BytesIOWriteData LoadItemType LoadPlan LoadPlanner ReadItem SavePlan SavePlanner TensorWriteData WriteItem
    WriteItemType`,
  'torch.distributed.device_mesh': 'DeviceMesh _MeshEnv',
  'torch.distributed.fsdp._flat_param': `
    FlatParamHandle FlatParamShardMetadata FlatParameter HandleShardingStrategy ParamInfo SharedParamInfo
    _FlatParameterMeta _ShardParamInfo`,
  'torch.distributed.fsdp._fsdp_extensions': 'FSDPExtensions',
  'torch.distributed.fsdp.api': `
    BackwardPrefetch CPUOffload FullOptimStateDictConfig FullStateDictConfig LocalOptimStateDictConfig
    LocalStateDictConfig MixedPrecision OptimStateDictConfig ShardedOptimStateDictConfig ShardedStateDictConfig
    ShardingStrategy StateDictConfig StateDictSettings StateDictType`,
  'torch.distributed.fsdp.sharded_grad_scaler': 'ShardedGradScaler _GeneralMultiDeviceReplicator',
  'torch.distributed.remote_device': '_remote_device',
  'torch.distributed.tensor': 'DTensor Partial Replicate Shard',
  'torch.distributed.tensor._api': 'DTensor',
  'torch.distributed.tensor._dtensor_spec': 'DTensorSpec ShardOrderEntry TensorMeta _StridedShardNotDecodableError',
  'torch.distributed.tensor.placement_types': `
    Partial Placement Replicate Shard _MaskPartial _Partial _StridedShard _StridedShardOffsetMode`,
  'torch.nn.modules._functions': 'BackwardHookFunction CrossMapLRN2d SyncBatchNorm',
  'torch.nn.modules.activation': `
    CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish
    MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink
    Softsign Tanh Tanhshrink Threshold`,
  'torch.nn.modules.adaptive': 'AdaptiveLogSoftmaxWithLoss _ASMoutput',
  'torch.nn.modules.batchnorm': `
    BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm _BatchNorm
    _LazyNormBase _NormBase`,
  'torch.nn.modules.channelshuffle': 'ChannelShuffle',
  'torch.nn.modules.container': 'Container ModuleDict ModuleList ParameterDict ParameterList Sequential',
  'torch.nn.modules.conv': `
    Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d
    LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d _ConvNd _ConvTransposeMixin _ConvTransposeNd
    _LazyConvXdMixin`,
  'torch.nn.modules.distance': 'CosineSimilarity PairwiseDistance',
  'torch.nn.modules.dropout': 'AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout _DropoutNd',
  'torch.nn.modules.flatten': 'Flatten Unflatten',
  'torch.nn.modules.fold': 'Fold Unfold',
  'torch.nn.modules.instancenorm': `
    InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
    _InstanceNorm`,
  'torch.nn.modules.lazy': 'LazyModuleMixin _LazyProtocol',
  'torch.nn.modules.linear': 'Bilinear Identity LazyLinear Linear NonDynamicallyQuantizableLinear',
  'torch.nn.modules.linear_cross_entropy_options': 'LinearCrossEntropyOptions',
  'torch.nn.modules.loss': `
    BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss
    HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss MultiLabelMarginLoss
    MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss
    TripletMarginLoss TripletMarginWithDistanceLoss _Loss _WeightedLoss`,
  'torch.nn.modules.module': 'Module _IncompatibleKeys _WrappedHook',
  'torch.nn.modules.normalization': 'CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm',
  'torch.nn.modules.padding': `
    CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
    ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d
    _CircularPadNd _ConstantPadNd _ReflectionPadNd _ReplicationPadNd`,
  'torch.nn.modules.pixelshuffle': 'PixelShuffle PixelUnshuffle',
  'torch.nn.modules.pooling': `
    AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
    AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d
    MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d _AdaptiveAvgPoolNd _AdaptiveMaxPoolNd _AvgPoolNd
    _LPPoolNd _MaxPoolNd _MaxUnpoolNd`,
  'torch.nn.modules.rnn': 'GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase',
  'torch.nn.modules.sparse': 'Embedding EmbeddingBag',
  'torch.nn.modules.transformer': `
    Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer`,
  'torch.nn.modules.upsampling': 'Upsample UpsamplingBilinear2d UpsamplingNearest2d',
  'torch.nn.parallel.data_parallel': 'DataParallel',
  'torch.nn.parallel.distributed': `
    DistributedDataParallel _BucketCapacityConfig _BufferCommHook _BufferCommHookLocation _DDPJoinHook _DDPSink
    _MixedPrecision`,
  'torch.nn.parameter': `
    Buffer Parameter UninitializedBuffer UninitializedParameter UninitializedTensorMixin _BufferMeta _ParameterMeta`,
  'torch.nn.utils.parametrizations': '_OrthMaps _Orthogonal _SpectralNorm _WeightNorm',
  'torch.nn.utils.parametrize': 'ParametrizationList',
  'torch.nn.utils.rnn': 'PackedSequence PackedSequence_',
  'torch.nn.utils.spectral_norm': 'SpectralNorm SpectralNormLoadStateDictPreHook SpectralNormStateDictHook',
  'torch.nn.utils.weight_norm': 'WeightNorm',
  'torch.optim._multi_tensor': 'ASGD Adadelta Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD',
  'torch.optim.adadelta': 'Adadelta',
  'torch.optim.adagrad': 'Adagrad',
  'torch.optim.adam': 'Adam',
  'torch.optim.adamax': 'Adamax',
  'torch.optim.adamw': 'AdamW',
  'torch.optim.asgd': 'ASGD',
  'torch.optim.lbfgs': 'LBFGS',
  'torch.optim.lr_scheduler': `
    ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR LRScheduler
    LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR
    _LRScheduler _SchedulePhase`,
  'torch.optim.nadam': 'NAdam',
  'torch.optim.optimizer': 'Optimizer _RequiredParameter',
  'torch.optim.radam': 'RAdam',
  'torch.optim.rmsprop': 'RMSprop',
  'torch.optim.rprop': 'Rprop',
  'torch.optim.sgd': 'SGD',
  'torch.optim.sparse_adam': 'SparseAdam',
  'torch.optim.swa_utils': 'AveragedModel SWALR',
  'torch.torch_version': 'TorchVersion',
  'torch.utils.data.dataloader': 'DataLoader _DatasetKind _InfiniteConstantSampler',
  'torch.utils.data.dataset': 'ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset',
  'torch.utils.data.distributed': 'DistributedSampler',
  'torch.utils.data.sampler': `
    BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler`,
};

/** Functions that modules keep as attributes: the activation of a transformer layer. */
export const torchFunctions: Readonly<Record<string, string>> = {
  'torch.nn.init': `
    calculate_gain constant constant_ dirac dirac_ eye eye_ kaiming_normal kaiming_normal_ kaiming_uniform kaiming_uniform_ normal normal_
    ones_ orthogonal orthogonal_ sparse sparse_ trunc_normal_ uniform uniform_ xavier_normal xavier_normal_ xavier_uniform xavier_uniform_
    zeros_`,
  'torch.nn.functional': `
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices
    adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices
    affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
    binary_cross_entropy_with_logits celu celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dropout
    dropout1d dropout2d dropout3d elu elu_ embedding embedding_bag feature_alpha_dropout fold fractional_max_pool2d
    fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices gaussian_nll_loss
    gelu glu grid_sample group_norm grouped_mm gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_
    hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_
    linear linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d
    margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d
    max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss multi_head_attention_forward
    multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss native_channel_shuffle nll_loss normalize
    one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6 relu_
    rms_norm rrelu rrelu_ scaled_addmm scaled_addmm_ scaled_dot_product_attention scaled_grouped_mm scaled_mm selu
    selu_ sigmoid silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh tanhshrink
    threshold threshold_ triplet_margin_loss triplet_margin_with_distance_loss unfold upsample upsample_bilinear
    upsample_nearest`,
  'torch._C._nn':
    'gelu silu_ elu_ softplus hardtanh hardswish leaky_relu log_sigmoid linear one_hot pad scaled_dot_product_attention',
  torch: 'relu relu_ tanh sigmoid gelu softmax log_softmax selu celu prelu rrelu exp sin cos',
};
