var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// src/core/planning/systems/siteNames.ts
function soleSiteOf(id) {
  return soleSites[id] ?? null;
}
var sites, soleSites, siteNames, siteChoices;
var init_siteNames = __esm({
  "src/core/planning/systems/siteNames.ts"() {
    "use strict";
    sites = ["on-premises", "aws", "google", "azure"];
    soleSites = {
      nfs: "on-premises",
      "fsx-lustre": "aws",
      efs: "aws",
      "ebs-gp3": "aws",
      "s3-standard": "aws",
      "s3-express": "aws",
      "gcp-managed-lustre": "google",
      filestore: "google",
      "gcs-standard": "google",
      "gcs-rapid": "google",
      "azure-managed-lustre": "azure",
      "azure-blob": "azure"
    };
    siteNames = {
      "on-premises": "on premises",
      aws: "AWS",
      google: "Google Cloud",
      azure: "Azure"
    };
    siteChoices = [
      { value: "any", label: "any" },
      { value: "on-premises", label: siteNames["on-premises"] },
      { value: "aws", label: siteNames.aws },
      { value: "google", label: siteNames.google },
      { value: "azure", label: siteNames.azure }
    ];
  }
});

// src/core/planning/systems/systemNames.ts
var systemNames, systemIds, storeSystemIds, refusedStores, objectSystemIds, storeSystemChoices, objectSystemChoices;
var init_systemNames = __esm({
  "src/core/planning/systems/systemNames.ts"() {
    "use strict";
    systemNames = {
      "gpu-direct-storage": "GPU-direct storage",
      "host-memory": "Host memory",
      "neighbour-memory": "Neighbour\u2019s memory",
      "local-nvme": "Node-local NVMe",
      "neighbour-nvme": "Neighbour\u2019s NVMe",
      lustre: "Lustre",
      exascaler: "DDN EXAScaler",
      weka: "WEKA",
      "storage-scale": "IBM Storage Scale (GPFS)",
      daos: "DAOS",
      vast: "VAST",
      powerscale: "Dell PowerScale",
      flashblade: "Pure Storage FlashBlade",
      beegfs: "BeeGFS",
      "3fs": "3FS",
      hdfs: "HDFS",
      "ceph-rados": "Ceph RADOS",
      cephfs: "CephFS",
      "ceph-rgw": "Ceph Object Gateway (RGW)",
      minio: "MinIO",
      "s3-standard": "S3 Standard",
      "s3-express": "S3 Express One Zone",
      "gcs-standard": "Google Cloud Storage",
      "gcs-rapid": "Google Cloud Storage Rapid",
      "azure-blob": "Azure Blob Storage",
      "fsx-lustre": "Amazon FSx for Lustre",
      "gcp-managed-lustre": "Google Cloud Managed Lustre",
      "azure-managed-lustre": "Azure Managed Lustre",
      "ebs-gp3": "Amazon EBS gp3",
      nfs: "NFS",
      efs: "Amazon EFS",
      filestore: "Google Cloud Filestore",
      archive: "Archive (S3 Glacier Deep Archive, tape)"
    };
    systemIds = Object.keys(systemNames);
    storeSystemIds = [
      "lustre",
      "exascaler",
      "weka",
      "storage-scale",
      "daos",
      "vast",
      "powerscale",
      "flashblade",
      "beegfs",
      "3fs",
      "cephfs",
      "hdfs",
      "nfs",
      "fsx-lustre",
      "efs",
      "gcp-managed-lustre",
      "filestore",
      "azure-managed-lustre",
      "gcs-rapid",
      "s3-express",
      "s3-standard",
      "gcs-standard",
      "azure-blob",
      "ceph-rgw",
      "minio",
      "ebs-gp3",
      "neighbour-nvme",
      "local-nvme"
    ];
    refusedStores = {
      archive: "nothing can be resumed from it for hours. Set objectStore to it for what stays",
      "host-memory": "it is lost with its node. Set saveMode to multi-level, which saves to it first",
      "neighbour-memory": "it is lost with the job. Set saveMode to multi-level, which saves to it before the storage",
      "gpu-direct-storage": "it is a way to drives. Set local-nvme or the file system behind it",
      "ceph-rados": "no framework writes to it. Set cephfs or ceph-rgw"
    };
    objectSystemIds = [
      "s3-standard",
      "gcs-standard",
      "azure-blob",
      "ceph-rgw",
      "minio",
      "archive"
    ];
    storeSystemChoices = storeSystemIds.map((id) => ({
      value: id,
      label: systemNames[id]
    }));
    objectSystemChoices = [
      ...objectSystemIds.map((id) => ({ value: id, label: systemNames[id] })),
      { value: "none", label: "none" }
    ];
  }
});

// src/core/planning/systems/storageSystem.ts
function bandwidthOf(per, writeBytesPerSecond, readBytesPerSecond) {
  return { writeBytesPerSecond, readBytesPerSecond, per };
}
function bandwidthLimit({ sustained }, direction) {
  if (sustained === null || sustained.per !== "account" && sustained.per !== "file system") return Infinity;
  return (direction === "write" ? sustained.writeBytesPerSecond : sustained.readBytesPerSecond) ?? Infinity;
}
function systemOfKind(kind, id, row2) {
  const site = soleSiteOf(id);
  return { ...unlessGiven, id, name: systemNames[id], kind, sites: site === null ? sites : [site], ...row2 };
}
function priceOf(perGBMonth, rest) {
  return {
    perGBMonth,
    unit: "GiB",
    per1000Writes: null,
    per1000Reads: null,
    egressPerGB: null,
    leastStoredSeconds: null,
    date: "2026-11",
    ...rest
  };
}
var monthSeconds, failureClasses, sourceOf, primary, secondary, recalled, usualLatency, unlessGiven, coherentPosix;
var init_storageSystem = __esm({
  "src/core/planning/systems/storageSystem.ts"() {
    "use strict";
    init_siteNames();
    init_systemNames();
    monthSeconds = 365.25 / 12 * 86400;
    failureClasses = ["process", "node", "rack", "site"];
    sourceOf = (evidence) => (of, text, date) => ({ of, text, date, evidence });
    primary = sourceOf("primary");
    secondary = sourceOf("secondary");
    recalled = sourceOf("recalled");
    usualLatency = recalled("latency", "order of magnitude", "2025");
    unlessGiven = {
      burst: null,
      sustained: null,
      clientBytesPerSecond: null,
      scalesOut: true,
      levels: [],
      objects: null,
      price: null
    };
    coherentPosix = "POSIX, coherent between clients";
  }
});

// src/core/planning/inputs/sharedStorage.ts
function shareOfJob(ofStorage, { jobs }) {
  return ofStorage === null ? null : ofStorage / jobs;
}
var init_sharedStorage = __esm({
  "src/core/planning/inputs/sharedStorage.ts"() {
    "use strict";
  }
});

// src/core/planning/systems/memorySystems.ts
var memorySystems;
var init_memorySystems = __esm({
  "src/core/planning/systems/memorySystems.ts"() {
    "use strict";
    init_storageSystem();
    memorySystems = [
      systemOfKind("memory", "host-memory", {
        sustained: bandwidthOf("GPU", 64e9, 64e9),
        latencySeconds: [1e-6, 1e-5],
        survives: ["process"],
        durability: "none: lost with the node, and with the process unless another one holds it",
        consistency: "the node\u2019s own",
        limits: ["needs the node\u2019s share of a checkpoint twice: one being drained, one being written"],
        roles: ["burst buffer", "offload"],
        strengths: ["training goes on as soon as the copy is there", "a process that dies comes back without any storage"],
        weaknesses: ["competes with data loaders and offloaded state for room"],
        sources: [
          primary("bandwidth", "PCIe 5.0 x16: 64 GB/s each way, nominal; some 50 are reached", "2025"),
          primary("room", "MaxText: a RAM disk of twice a shard and 15 % more", "2025"),
          usualLatency
        ]
      }),
      systemOfKind("memory", "neighbour-memory", {
        sustained: bandwidthOf("node", 4e10, 4e10),
        latencySeconds: [2e-6, 2e-5],
        survives: ["process", "node"],
        durability: "two nodes hold each shard; lost where both fail, or their rack does",
        consistency: "of the library that copies",
        limits: ["shares the network with training", "each copy takes a node\u2019s share of a checkpoint more"],
        roles: ["burst buffer"],
        strengths: ["survives the failure that is most common: one node", "reads back at network speed"],
        weaknesses: ["neighbours of one rack fail together", "a job that is ended takes it along"],
        sources: [
          primary("bandwidth", "400 Gb/s is 50 GB/s nominal; 80 % is planned with", "2025"),
          secondary("use", "GEMINI (SOSP 2023): recovery 13 times faster from memory of peers", "2023"),
          primary("use", "Nebula: memory, then a neighbour, then the object store (Microsoft Learn)", "2024"),
          usualLatency
        ]
      })
    ];
  }
});

// src/core/planning/systems/nodeSystems.ts
var MiB, nodeSystems;
var init_nodeSystems = __esm({
  "src/core/planning/systems/nodeSystems.ts"() {
    "use strict";
    init_storageSystem();
    MiB = 2 ** 20;
    nodeSystems = [
      systemOfKind("node", "gpu-direct-storage", {
        sustained: bandwidthOf("node", 26e9, 48e9),
        latencySeconds: [1e-5, 1e-3],
        survives: ["process"],
        durability: "that of the drives or the file system behind it",
        consistency: "that of the file system behind it",
        limits: [
          "needs a file system that supports it, and transfers that are aligned",
          "each GPU shares its PCIe switch with a drive or a port"
        ],
        roles: ["offload", "burst buffer"],
        strengths: ["no copy through host memory, and little work for the CPU"],
        weaknesses: [
          "does not make drives faster",
          "does nothing for state that the CPU updates",
          "training stalls for the drives, not for memory"
        ],
        sources: [
          primary("bandwidth", "DeepNVMe: 8 PCIe 5 drives, 48 GB/s reading, 26 writing", "2025"),
          primary("way", "NVIDIA GPUDirect Storage, design guide 1.16", "2025-12"),
          usualLatency
        ]
      }),
      systemOfKind("node", "local-nvme", {
        burst: bandwidthOf("node", 26e9, 48e9),
        sustained: bandwidthOf("node", 5e9, 1e10),
        latencySeconds: [5e-5, 2e-4],
        survives: ["process"],
        durability: "lost to the job with its node; in a cloud, wiped when the machine is given back",
        consistency: "POSIX on one node",
        limits: ["drives wear: full writes a day", "a drive\u2019s fast cache is smaller than many shards"],
        roles: ["burst buffer", "recent checkpoints", "offload"],
        strengths: ["grows with the job: each node brings its own"],
        weaknesses: ["must be drained to where a checkpoint is safe"],
        sources: [
          primary("bandwidth", "DeepNVMe: 4 drives of an Azure NC96ads A100, 10 GB/s reading, 5 writing", "2025"),
          primary("burst", "DeepNVMe: 8 PCIe 5 drives, 48 GB/s reading, 26 writing", "2025"),
          secondary("latency", "about 0.1 ms", "2025")
        ]
      }),
      systemOfKind("node", "neighbour-nvme", {
        sustained: bandwidthOf("node", 5e9, 1e10),
        latencySeconds: [1e-4, 1e-3],
        survives: ["process", "node"],
        durability: "two nodes hold each shard on their drives; lost where both fail, or their rack does",
        consistency: "of the library that copies",
        limits: ["each drive takes two shards: its own and a neighbour\u2019s", "the copy shares the network with training"],
        roles: ["burst buffer", "recent checkpoints", "offload"],
        strengths: ["survives the failure that is most common: one node", "grows with the job: each node brings its own"],
        weaknesses: ["neighbours of one rack fail together", "in a cloud, wiped when the machines are given back"],
        sources: [
          primary("bandwidth", "DeepNVMe: 4 drives of an Azure NC96ads A100, 10 GB/s reading, 5 writing", "2025"),
          primary("use", "Nebula: memory, then the adjacent node\u2019s SSD, then the object store (Microsoft Learn)", "2024"),
          usualLatency
        ]
      }),
      systemOfKind("node", "ebs-gp3", {
        clientBytesPerSecond: 1e3 * MiB,
        sustained: bandwidthOf("volume", 1e3 * MiB, 1e3 * MiB),
        latencySeconds: [5e-4, 2e-3],
        survives: ["process", "node"],
        durability: "99.8 to 99.9 % a year, in one availability zone",
        consistency: "a block device; POSIX of the file system on it",
        limits: [
          "3,000 operations and 125 MiB/s unless more is paid for",
          "the instance\u2019s own limit to EBS comes first: 4 fast volumes do not add up on a small instance",
          "one instance mounts it"
        ],
        roles: ["recent checkpoints", "datasets"],
        // $0.04 for a MiB/s.
        price: priceOf(0.08, { throughput: { includedBytesPerSecond: 125 * MiB, perGBps: 0.04 * (1e9 / MiB) }, date: "2026" }),
        strengths: ["outlives its instance, and attaches to the next one", "snapshots go to S3"],
        weaknesses: ["no other node sees it: each node restores its own shards only", "slow and dear beside the node\u2019s drives"],
        sources: [
          primary(
            "bandwidth",
            "AWS Prescriptive Guidance: 1,000 MiB/s and 16,000 operations a volume; 2,000 MiB/s announced in 2025",
            "2024"
          ),
          secondary("limits", "AWS re:Invent 2025, STG320: 64 TiB and 80,000 operations", "2025-12"),
          primary("durability", "AWS Prescriptive Guidance, EBS storage types", "2024"),
          secondary("latency", "AWS: single-digit milliseconds, mostly below 1", "2024"),
          secondary("price", "AWS, us-east-1", "2026"),
          recalled("price of throughput", "AWS, us-east-1: $0.04 a month for a MiB/s above 125", "2025")
        ]
      })
    ];
  }
});

// src/core/planning/systems/objectSystems.ts
function multipart(largestObjectBytes, rateOf, writesPerSecond, readsPerSecond) {
  return { largestObjectBytes, ...s3Parts, writesPerSecond, readsPerSecond, rateOf };
}
var MiB2, GiB, TiB, day, longTerm, s3Parts, s3Object, billedInGiB, objectSystems;
var init_objectSystems = __esm({
  "src/core/planning/systems/objectSystems.ts"() {
    "use strict";
    init_storageSystem();
    MiB2 = 2 ** 20;
    GiB = 2 ** 30;
    TiB = 2 ** 40;
    day = 86400;
    longTerm = ["milestones", "golden copies", "datasets", "recent checkpoints"];
    s3Parts = { mostParts: 1e4, smallestPartBytes: 5 * MiB2, largestPartBytes: 5 * GiB };
    s3Object = s3Parts.mostParts * s3Parts.largestPartBytes;
    billedInGiB = secondary("unit of the bill", "AWS\u2019s own example divides by 2^30 (S3 FAQ)", "2025");
    objectSystems = [
      systemOfKind("object", "ceph-rados", {
        latencySeconds: [1e-3, 0.01],
        survives: ["process", "node", "rack"],
        durability: "3 replicas or erasure code, as its pool is set",
        consistency: "strong",
        limits: ["objects of up to 128 MiB unless raised: a shard must be cut into many"],
        objects: {
          largestObjectBytes: 128 * MiB2,
          mostParts: 1,
          smallestPartBytes: 1,
          largestPartBytes: 128 * MiB2,
          writesPerSecond: null,
          readsPerSecond: null,
          rateOf: "the servers that are installed"
        },
        roles: ["recent checkpoints"],
        strengths: ["what CephFS and the gateway are built on, without their cost"],
        weaknesses: ["no framework writes to it: use CephFS or the gateway"],
        sources: [secondary("object size", "Ceph, osd_max_object_size: 128 MiB", "2025"), usualLatency]
      }),
      systemOfKind("object", "s3-express", {
        latencySeconds: [3e-3, 9e-3],
        survives: ["process", "node", "rack"],
        durability: "in one availability zone, available 99.95 % of the time",
        consistency: "strong",
        limits: [
          "200,000 reads and 100,000 writes a second for a directory bucket; up to 2,000,000 and 200,000 on request",
          "each GB that is uploaded or read is charged as well"
        ],
        objects: multipart(s3Object, "a directory bucket", 1e5, 2e5),
        roles: ["recent checkpoints", "burst buffer", "datasets"],
        price: priceOf(0.11, {
          per1000Writes: 113e-5,
          per1000Reads: 3e-5,
          perGBWritten: 32e-4,
          perGBRead: 6e-4,
          date: "2025"
        }),
        strengths: ["a first byte in milliseconds", "requests cost less than in S3 Standard"],
        weaknesses: ["one availability zone", "five times the price of S3 Standard for what is kept"],
        sources: [
          primary("rates and latency", "AWS, Optimizing S3 Express One Zone performance", "2026"),
          primary("durability", "AWS, How is S3 Express One Zone different", "2025"),
          secondary("price", "AWS S3 FAQ, example for us-east-1", "2025"),
          recalled(
            "price of uploads and retrieval",
            "AWS: $0.0032 for each GB uploaded, $0.0006 for each retrieved, of all bytes",
            "2025-04"
          ),
          billedInGiB
        ]
      }),
      systemOfKind("object", "gcs-rapid", {
        sustained: bandwidthOf("system", null, 15e12),
        latencySeconds: [3e-4, 1e-3],
        survives: ["process", "node", "rack"],
        durability: "in one zone",
        consistency: "strong; objects can be appended to",
        limits: [
          "one zone; needs a hierarchical namespace",
          "up to 20 million requests a second and 15 TB/s in all; older pages say 6"
        ],
        objects: multipart(5 * TiB, "a zonal bucket", null, null),
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        strengths: ["below a millisecond, and appends", "bandwidth is not bought with capacity"],
        weaknesses: ["one zone: copy what must stay", "no price here: ask the calculator"],
        sources: [
          primary("bandwidth, rate and latency", "cloud.google.com, Rapid Bucket", "2026"),
          recalled("object size and parts", "as Cloud Storage", "2025")
        ]
      }),
      systemOfKind("object", "s3-standard", {
        latencySeconds: [0.1, 0.2],
        survives: ["process", "node", "rack", "site"],
        durability: "11 nines a year over three availability zones",
        consistency: "strong",
        limits: [
          "3,500 writes and 5,500 reads a second for a partitioned prefix; splitting takes 30 to 60 minutes",
          "objects of up to 48.8 TiB in 10,000 parts; 5 TiB in older documentation"
        ],
        objects: multipart(s3Object, "a partitioned prefix", 3500, 5500),
        roles: [...longTerm],
        price: priceOf(0.023, { per1000Writes: 5e-3, per1000Reads: 4e-4, egressPerGB: 0.02 }),
        strengths: ["keeps what it has", "Object Lock keeps it from being deleted", "no capacity to plan"],
        weaknesses: [
          "slow to the first byte, and shards must be uploaded in parallel parts",
          "no rename: a checkpoint needs a marker that it is complete"
        ],
        sources: [
          primary("rates", "AWS re:Post, S3 object key naming pattern", "2025"),
          primary("object size and parts", "AWS, S3 multipart upload limits", "2026"),
          secondary("price", "AWS, us-east-1, first 50 TB", "2026-11"),
          secondary("price of requests", "$0.005 for 1,000 writes", "2023"),
          recalled("price of reads", "AWS, us-east-1: $0.0004 for 1,000", "2025"),
          secondary("egress", "between regions, from $0.02", "2026"),
          recalled("latency", "AWS: 100 to 200 ms", "2024"),
          billedInGiB
        ]
      }),
      systemOfKind("object", "gcs-standard", {
        latencySeconds: [0.02, 0.1],
        survives: ["process", "node", "rack", "site"],
        durability: "11 nines a year over the zones of a region",
        consistency: "strong",
        limits: [
          "about 1,000 writes and 5,000 reads a second for a new bucket, then more as it is used",
          "one write a second to one object: `latest` is such a one"
        ],
        objects: multipart(5 * TiB, "a bucket at first", 1e3, 5e3),
        roles: [...longTerm],
        price: priceOf(0.02, { per1000Writes: 5e-3, per1000Reads: 4e-4, egressPerGB: 0.02 }),
        strengths: ["keeps what it has", "soft delete gives back what was deleted by mistake"],
        weaknesses: ["the first bursts of a new bucket are throttled", "soft-deleted objects are billed until they are gone"],
        sources: [
          primary("rates", "cloud.google.com, Cloud Storage quotas and limits", "2026-09"),
          secondary("object size", "cloud.google.com, quotas and limits: 5 TiB", "2026"),
          primary("parts", "multipart uploads are compatible with S3\u2019s (cloud.google.com)", "2025"),
          secondary("price", "Google, a region in the US", "2026-11"),
          recalled(
            "price of requests",
            "Google, single region: $0.005 for 1,000 class A, $0.0004 for 1,000 class B operations",
            "2025"
          ),
          recalled("egress", "Google, between regions of North America: $0.02", "2025"),
          recalled("latency", "tens of milliseconds", "2025")
        ]
      }),
      systemOfKind("object", "azure-blob", {
        sustained: bandwidthOf("account", 75e8, 25e9),
        latencySeconds: [0.02, 0.1],
        survives: ["process", "node", "rack"],
        durability: "11 nines a year in one zone (LRS), more with copies in others",
        consistency: "strong",
        limits: [
          "an account takes 60 Gb/s in and gives 200 Gb/s out, 25 and 50 in some regions; both can be raised",
          "40,000 requests a second for an account",
          "50,000 blocks of up to 4,000 MiB: 190.7 TiB"
        ],
        objects: {
          largestObjectBytes: 5e4 * 4e3 * MiB2,
          mostParts: 5e4,
          smallestPartBytes: 1,
          largestPartBytes: 4e3 * MiB2,
          writesPerSecond: 4e4,
          readsPerSecond: 4e4,
          rateOf: "an account"
        },
        roles: [...longTerm],
        price: priceOf(0.018, { egressPerGB: 0.02 }),
        strengths: ["keeps what it has", "immutable blobs under legal hold"],
        weaknesses: ["an account\u2019s bandwidth has a limit that large jobs reach: ask for more, or use several"],
        sources: [
          primary("bandwidth and rates", "Microsoft Learn, targets for standard storage accounts", "2026"),
          primary("object size and blocks", "Microsoft Learn, targets for Blob Storage", "2026"),
          secondary("price", "Azure, hot tier, LRS", "2026-11"),
          recalled("egress", "Azure, between regions of North America: $0.02", "2025"),
          recalled("latency", "tens of milliseconds", "2025")
        ]
      }),
      systemOfKind("object", "ceph-rgw", {
        latencySeconds: [5e-3, 0.05],
        survives: ["process", "node", "rack"],
        durability: "3 replicas or erasure code, as its pool is set",
        consistency: "strong in one zone, later in another site",
        limits: ["10,000 parts of 5 MiB to 5 GiB", "a bucket\u2019s index is sharded: many small objects slow it down"],
        objects: multipart(s3Object, "the gateways that are installed", null, null),
        roles: [...longTerm],
        strengths: ["S3 on your own drives, without egress", "copies to a second site by itself"],
        weaknesses: ["gateways are one more thing to size: all bytes pass through them"],
        sources: [
          primary("parts", "Ceph, rgw_multipart_part_upload_limit, rgw_multipart_min_part_size, rgw_max_put_size", "2025"),
          usualLatency
        ]
      }),
      systemOfKind("object", "minio", {
        latencySeconds: [2e-3, 0.02],
        survives: ["process", "node", "rack"],
        durability: "erasure code over drives and servers; half of them must be there to read",
        consistency: "strong",
        limits: ["objects of up to 50 TiB, 10,000 parts of 5 MiB to 5 GiB"],
        // 10,000 parts of 5 GiB end before the 50 TiB.
        objects: multipart(s3Object, "the gateways that are installed", null, null),
        roles: ["recent checkpoints", "milestones", "golden copies", "datasets"],
        strengths: ["S3 on your own drives, without egress", "object locking"],
        weaknesses: ["no file system: frameworks need a library or a mount"],
        sources: [primary("object size and parts", "docs.min.io, thresholds and limits", "2025"), usualLatency]
      }),
      systemOfKind("archive", "archive", {
        latencySeconds: [3600, 43200],
        survives: ["process", "node", "rack", "site"],
        durability: "11 nines a year in Deep Archive, over three availability zones; tape as many copies as are made",
        consistency: "strong, once it is restored",
        limits: ["hours before the first byte", "billed for 180 days at least", "reading back is charged by the GB"],
        objects: multipart(s3Object, "a partitioned prefix", 3500, null),
        roles: ["golden copies"],
        price: priceOf(99e-5, { per1000Writes: 0.05, per1000Reads: 0.1, perGBRead: 0.02, leastStoredSeconds: 180 * day }),
        strengths: ["a twentieth of the price of an object store"],
        weaknesses: ["nothing can be resumed from it: it must be brought back first", "deleting early is paid for"],
        sources: [
          secondary("price", "AWS, S3 Glacier Deep Archive, us-east-1", "2026-11"),
          secondary("price of requests", "$0.05 for 1,000 writes", "2023"),
          recalled(
            "price of retrieval",
            "AWS, us-east-1, standard, within 12 hours: $0.02 for each GB, $0.10 for 1,000 requests",
            "2025"
          ),
          secondary("latency and least time", "AWS: within 12 hours; 180 days", "2023"),
          primary("object size and parts", "AWS, S3 multipart upload limits", "2026")
        ]
      })
    ];
  }
});

// src/core/planning/systems/sharedSystems.ts
var MiB3, GiB2, TiB2, fsxLevel, managedLustreLevel, azureLustreLevel, wholeSite, sharedSystems;
var init_sharedSystems = __esm({
  "src/core/planning/systems/sharedSystems.ts"() {
    "use strict";
    init_storageSystem();
    MiB3 = 2 ** 20;
    GiB2 = 2 ** 30;
    TiB2 = 2 ** 40;
    fsxLevel = (megabytes, perGiBMonth, evidence) => ({
      bytesPerSecondPerTiB: megabytes * 1e6,
      leastBytes: 1200 * GiB2,
      stepBytes: 2400 * GiB2,
      largestBytes: null,
      perGiBMonth,
      evidence
    });
    managedLustreLevel = (megabytes, leastGiB, largestGiB) => ({
      bytesPerSecondPerTiB: megabytes * 1e6,
      leastBytes: leastGiB * GiB2,
      stepBytes: leastGiB * GiB2,
      largestBytes: largestGiB * GiB2,
      perGiBMonth: null,
      evidence: "primary"
    });
    azureLustreLevel = (megabytes, leastTiB, largestTiB) => ({
      bytesPerSecondPerTiB: megabytes * 1e6,
      leastBytes: leastTiB * TiB2,
      stepBytes: leastTiB * TiB2,
      largestBytes: largestTiB * TiB2,
      perGiBMonth: null,
      evidence: "secondary"
    });
    wholeSite = ["process", "node", "rack"];
    sharedSystems = [
      systemOfKind("shared", "lustre", {
        sustained: bandwidthOf("system", 1e13, 1e13),
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "as its arrays are built; one site",
        consistency: coherentPosix,
        limits: ["metadata: a file for each of thousands of ranks at once", "a file\u2019s bandwidth is that of its stripes"],
        roles: ["recent checkpoints", "milestones", "datasets", "burst buffer"],
        strengths: ["writes of many nodes add up", "frameworks write to it as to a directory"],
        weaknesses: ["slows down when nearly full", "shared with other jobs: what one sees is not what was bought"],
        sources: [
          secondary("bandwidth", "Orion (OLCF), flash tier: 11.5 PB, 10 TB/s; disk tier 679 PB, 5.5 reading, 4.6 writing", "2021"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "exascaler", {
        sustained: bandwidthOf("appliance", 65e9, 9e10),
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "that of its appliances: pairs of controllers over declustered RAID; one site",
        consistency: coherentPosix,
        limits: ["bandwidth comes with appliances", "metadata: a file for each of thousands of ranks at once"],
        roles: ["recent checkpoints", "milestones", "datasets", "burst buffer"],
        strengths: ["Lustre that is bought whole, with its support", "supports GPU-direct storage"],
        weaknesses: ["no price is published", "slows down when nearly full"],
        sources: [
          recalled("bandwidth", "DDN, data sheet of the AI400X2: 90 GB/s reading, 65 GB/s writing for each appliance", "2023"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "weka", {
        latencySeconds: [2e-4, 1e-3],
        survives: [...wholeSite],
        durability: "N + 2 or N + 4 over servers, from 3 + 2 to 16 + 2",
        consistency: coherentPosix,
        limits: ["clients give it cores of their own", "the flash tier\u2019s room; the rest tiers to an object store"],
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        strengths: ["small files and metadata at flash speed", "tiers to an object store by itself"],
        weaknesses: ["no price is published"],
        sources: [
          primary("durability", "docs.weka.io, system functionality features", "2024"),
          secondary("latency", "vendor: about 0.2 ms", "2025")
        ]
      }),
      systemOfKind("shared", "storage-scale", {
        sustained: bandwidthOf("system", 25e11, 25e11),
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "as its arrays or its erasure code are built; replicas on request",
        consistency: "POSIX, coherent by distributed locks",
        limits: ["locks: many ranks that write one file or one directory"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: [
          "BLOOM wrote 2.3 TiB in 40 s to it",
          "supports GPU-direct storage",
          "moves old files to tape or an object store by policy"
        ],
        weaknesses: ["no price is published", "shared with other jobs"],
        sources: [
          recalled("bandwidth", "OLCF, Alpine of Summit: 250 PB, 2.5 TB/s; BLOOM wrote 63 GB/s to a smaller one", "2018"),
          primary("GPU-direct", "IBM Storage Scale 5.2.2, GPUDirect Storage support", "2025"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "daos", {
        sustained: bandwidthOf("system", 1e12, null),
        latencySeconds: [5e-5, 5e-4],
        survives: [...wholeSite],
        durability: "erasure code (16 + 1 on Aurora) or replicas; one site",
        consistency: "transactions on objects; POSIX through its own client",
        limits: [
          "programs that do not use its library go through FUSE or an interception library",
          "containers have their own redundancy: a wrong class is not protected"
        ],
        roles: ["burst buffer", "recent checkpoints"],
        strengths: ["small operations cost little: no locks, no kernel", "a part of Aurora passed 20 TiB/s in IO500"],
        weaknesses: ["few sites run it", "data are moved elsewhere to be kept"],
        sources: [
          secondary(
            "bandwidth",
            "MLPerf Storage v2.0, a part of Aurora (Argonne): nearly 1 TB/s of checkpoint writes, Llama 3 405B and 1T",
            "2025-08"
          ),
          primary("IO500 and durability", "daos.io: 642 servers, 160 PiB, 16 + 1", "2023"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "vast", {
        latencySeconds: [5e-4, 2e-3],
        survives: [...wholeSite],
        durability: "erasure code over enclosures; write buffers in RAID 6 since version 5.1",
        consistency: "NFS and S3 on one set of data",
        limits: ["writing is slower than reading: it goes through the write buffer"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: ["flash for all data, so old checkpoints read as fast as new ones", "files and objects over the same data"],
        weaknesses: ["no price is published", "weights and moments hardly compress: do not count on data reduction"],
        sources: [primary("durability", "kb.vastdata.com, write buffers on VAST clusters", "2024"), usualLatency]
      }),
      systemOfKind("shared", "powerscale", {
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "erasure code over nodes (OneFS), N + 2 and more as it is set",
        consistency: "close-to-open over NFS; one file system behind it",
        limits: ["a mount goes to one node unless multipath or nconnect spreads it", "at most 252 nodes in a cluster"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: ["NFS, SMB and S3 over the same data", "grows by nodes"],
        weaknesses: ["no price is published", "no bandwidth is published"],
        sources: [recalled("durability and nodes", "Dell, PowerScale OneFS technical overview", "2024"), usualLatency]
      }),
      systemOfKind("shared", "flashblade", {
        latencySeconds: [5e-4, 3e-3],
        survives: [...wholeSite],
        durability: "erasure code over blades",
        consistency: "close-to-open over NFS; strong for its objects",
        limits: ["bandwidth comes with blades and chassis", "a mount goes to one address unless nconnect spreads it"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: ["files and objects, all flash", "small files and metadata at flash speed"],
        weaknesses: ["no price is published", "no bandwidth is published"],
        sources: [recalled("durability", "Pure Storage, FlashBlade data sheet", "2024"), usualLatency]
      }),
      systemOfKind("shared", "3fs", {
        sustained: bandwidthOf("system", null, 6.6 * TiB2),
        latencySeconds: [2e-4, 5e-3],
        survives: [...wholeSite],
        durability: "copies in a chain over storage nodes (CRAQ), as many as its table of chains has",
        consistency: "strong, by chain replication",
        limits: ["needs RDMA and a transactional key-value store (FoundationDB) for its metadata", "each copy is written once more"],
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        strengths: ["DeepSeek saves to it every 5 minutes", "scales with drives and networks of hundreds of storage nodes"],
        weaknesses: ["few sites run it", "full speed needs its own client library: FUSE is slower"],
        sources: [
          primary("bandwidth", "deepseek-ai/3FS, README: 6.6 TiB/s reading from 180 storage nodes; none for writing", "2025-02"),
          primary("use", "An et al., SC24: saves every 5 minutes on their clusters", "2024"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "beegfs", {
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "of its targets; a server\u2019s loss is survived only with buddy mirroring",
        consistency: "POSIX; client caches by mode",
        limits: ["stripes of 4 targets and 1 MiB unless a directory says otherwise", "mirroring takes the room twice"],
        roles: ["recent checkpoints", "burst buffer", "datasets"],
        strengths: ["can be made of the drives of a job\u2019s own nodes for as long as it runs (BeeOND)"],
        weaknesses: ["not mirrored by default: a server\u2019s loss is data\u2019s loss"],
        sources: [primary("stripes and mirrors", "doc.beegfs.io, striping; mirroring", "2025"), usualLatency]
      }),
      systemOfKind("shared", "hdfs", {
        latencySeconds: [2e-3, 0.02],
        survives: [...wholeSite],
        durability: "3 replicas by default, one of them in another rack",
        consistency: "written once, then read; appends, no changes in place",
        limits: ["the name node holds all names: few large files", "3 replicas write three times the bytes"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: ["MegaScale drains checkpoints of 10,000 GPUs to it in the background"],
        weaknesses: ["a rack and network that were built for throughput, not for bursts", "frameworks need a client for it"],
        sources: [
          primary("use", "MegaScale (NSDI 2024): second stage to HDFS", "2024"),
          secondary("replicas", "Apache Hadoop, hdfs-default.xml", "2024"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "cephfs", {
        latencySeconds: [1e-3, 0.01],
        survives: [...wholeSite],
        durability: "3 replicas or erasure code, as its pool is set",
        consistency: coherentPosix,
        limits: ["metadata servers: directories with a file of each rank", "files are cut into objects of 4 MiB"],
        roles: ["recent checkpoints", "milestones", "datasets"],
        strengths: ["clients write to all servers at once, without a gateway"],
        weaknesses: ["3 replicas write three times the bytes", "recovery after a failed server takes bandwidth from saves"],
        sources: [
          primary("way of writing", "docs.ceph.com, Tentacle: Ceph File System", "2025"),
          primary("objects", "docs.ceph.com, file layouts", "2025"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "fsx-lustre", {
        sustained: bandwidthOf("TiB", 1e9, 1e9),
        levels: [
          fsxLevel(125, 0.145, "secondary"),
          fsxLevel(250, 0.21, "recalled"),
          fsxLevel(500, 0.34, "recalled"),
          fsxLevel(1e3, 0.6, "recalled")
        ],
        latencySeconds: [5e-4, 2e-3],
        survives: [...wholeSite],
        durability: "persistent: replicated in one availability zone; scratch is not replicated",
        consistency: coherentPosix,
        limits: [
          "bandwidth is bought with capacity: 125, 250, 500 or 1,000 MB/s for each TiB",
          "bursts beyond the baseline use credits"
        ],
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        price: priceOf(0.145, { date: "2026" }),
        strengths: ["is there for as long as the run", "copies to S3 and back"],
        weaknesses: ["dear for what is only kept: export it", "one availability zone"],
        sources: [
          primary("bandwidth", "AWS, FSx for Lustre: PerUnitStorageThroughput of PERSISTENT_2", "2026"),
          secondary("price at 125", "AWS, us-east-1: 1.2 TB cost $174 a month", "2026"),
          recalled("prices at 250, 500, 1,000", "$0.210, $0.340, $0.600", "2025"),
          secondary("latency", "AWS: below a millisecond", "2025")
        ]
      }),
      systemOfKind("shared", "gcp-managed-lustre", {
        sustained: bandwidthOf("TiB", 1e9, 1e9),
        levels: [
          managedLustreLevel(25, 472e3, 84016e3),
          managedLustreLevel(125, 72e3, 20448e3),
          managedLustreLevel(250, 36e3, 40032e3),
          managedLustreLevel(500, 18e3, 20016e3),
          managedLustreLevel(1e3, 9e3, 10008e3)
        ],
        latencySeconds: [5e-4, 2e-3],
        survives: [...wholeSite],
        durability: "in one zone",
        consistency: coherentPosix,
        limits: [
          "bandwidth is bought with capacity: 125, 250, 500 or 1,000 MB/s for each TiB; the dynamic level gives 25",
          "the level cannot be changed, capacity only grows",
          "files of up to 0.5 PiB, 20,000 clients"
        ],
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        strengths: ["up to 80.1 PiB", "mounted by virtual machines and GKE alike"],
        weaknesses: ["one zone", "no price here: ask the calculator"],
        sources: [
          primary("levels and sizes", "cloud.google.com, Managed Lustre: performance tiers; quotas and limits", "2026-09"),
          secondary("latency", "Google: below a millisecond", "2026")
        ]
      }),
      systemOfKind("shared", "azure-managed-lustre", {
        sustained: bandwidthOf("TiB", 5e8, 5e8),
        levels: [
          azureLustreLevel(40, 48, 12.5 * 1024),
          azureLustreLevel(125, 16, 4 * 1024),
          azureLustreLevel(250, 8, 2 * 1024),
          azureLustreLevel(500, 4, 1024)
        ],
        latencySeconds: [5e-4, 2e-3],
        survives: [...wholeSite],
        durability: "in one zone",
        consistency: coherentPosix,
        limits: [
          "bandwidth is bought with capacity: 40, 125, 250 or 500 MB/s for each TiB",
          "size and level cannot be changed once it is made"
        ],
        roles: ["recent checkpoints", "datasets", "burst buffer"],
        strengths: ["imports from and exports to Blob Storage", "mounted by virtual machines and AKS alike"],
        weaknesses: ["one zone", "no price here: ask the calculator"],
        sources: [
          secondary("levels and sizes", "Microsoft Learn, Azure Managed Lustre: throughput configurations", "2025"),
          primary("limits", "Microsoft Learn, create an Azure Managed Lustre file system", "2024-05"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "efs", {
        sustained: bandwidthOf("file system", 5 * GiB2, 60 * GiB2),
        clientBytesPerSecond: 1500 * MiB3,
        scalesOut: false,
        latencySeconds: [1e-3, 3e-3],
        survives: ["process", "node", "rack", "site"],
        durability: "11 nines a year over the zones of a region",
        consistency: "close-to-open: what is closed is seen by who opens it after that",
        limits: [
          "a file system takes 1 to 5 GiB/s and gives 20 to 60, by region; provisioned, 1 to 3.33 and 3 to 10",
          "one client has 1,500 MiB/s, 500 where throughput is provisioned"
        ],
        roles: ["milestones", "datasets"],
        // Elastic throughput charges the bytes; provisioned throughput charges $6 a month for a MB/s in their place.
        price: priceOf(0.3, { perGBWritten: 0.06, perGBRead: 0.03, provisionedPerGBps: 6e3, date: "2026-06" }),
        strengths: ["grows by itself: no capacity to plan", "outlives an availability zone"],
        weaknesses: [
          "thirteen times the price of S3 Standard for what is kept",
          "each GB that is written or read is charged as well"
        ],
        sources: [
          primary(
            "bandwidth, clients and latency",
            "AWS, Amazon EFS performance specifications: Regional, elastic throughput",
            "2026"
          ),
          secondary("price", "AWS, us-east-1: $0.30, $0.06 for each GB written, $0.03 for each read", "2026-06"),
          recalled("price of throughput", "AWS, us-east-1: $6.00 a month for a MB/s that is provisioned", "2025")
        ]
      }),
      systemOfKind("shared", "filestore", {
        sustained: bandwidthOf("TiB", 88 * MiB3, 260 * MiB3),
        levels: [
          {
            bytesPerSecondPerTiB: 88 * MiB3,
            leastBytes: TiB2,
            stepBytes: 256 * GiB2,
            largestBytes: 100 * TiB2,
            perGiBMonth: 0.25,
            evidence: "secondary"
          }
        ],
        latencySeconds: [5e-4, 5e-3],
        survives: [...wholeSite],
        durability: "in one zone; regional instances hold two more copies and cost more",
        consistency: "close-to-open: what is closed is seen by who opens it after that",
        limits: [
          "bandwidth comes with capacity, three times as much for reading",
          "100 TiB an instance, in steps of 2.5 TiB above 10"
        ],
        roles: ["milestones", "datasets"],
        price: priceOf(0.25, { date: "2025" }),
        strengths: ["NFS without a server to run", "snapshots and backups"],
        weaknesses: ["writes a third of what it reads", "an instance ends at 8.8 GiB/s of writes: a large job needs several"],
        sources: [
          primary("sizes", "cloud.google.com, Filestore service tiers: zonal, 1 to 100 TiB", "2026"),
          recalled(
            "bandwidth",
            "cloud.google.com, Filestore performance: zonal, 2,600 MiB/s reading and 880 writing for 10 TiB",
            "2025"
          ),
          secondary("price", "cloud.google.com, Filestore service tiers, us-central1: $0.25 a GiB", "2025"),
          usualLatency
        ]
      }),
      systemOfKind("shared", "nfs", {
        scalesOut: false,
        latencySeconds: [5e-4, 0.01],
        survives: [...wholeSite],
        durability: "that of its server",
        consistency: "close-to-open: what is closed is seen by who opens it after that",
        limits: ["one server, or one address of many", "a rename is not seen at once by other clients, so `latest` may lag"],
        roles: ["milestones", "datasets"],
        strengths: ["is everywhere", "holds logs, configs and small models well"],
        weaknesses: ["all writers meet at one server", "an export with async says written before it is"],
        sources: [primary("consistency", "nfs(5), data and metadata coherence", "2024"), usualLatency]
      })
    ];
  }
});

// src/core/planning/systems/storageSystems.ts
function systemOf(id) {
  const found = storageSystems.find((system) => system.id === id);
  if (found === void 0) throw new RangeError(`there are no data of ${id}`);
  return found;
}
function furtherStoreOf({ store, objectStore }) {
  return objectStore === "none" || objectStore === store ? null : systemOf(objectStore);
}
function objectSystemOf(inputs) {
  const store = systemOf(inputs.store);
  return store.objects === null ? furtherStoreOf(inputs) : store;
}
function comesWithNode({ kind, price }) {
  return kind === "memory" || kind === "node" && price === null;
}
var storageSystems;
var init_storageSystems = __esm({
  "src/core/planning/systems/storageSystems.ts"() {
    "use strict";
    init_memorySystems();
    init_nodeSystems();
    init_objectSystems();
    init_sharedSystems();
    storageSystems = [...memorySystems, ...nodeSystems, ...sharedSystems, ...objectSystems];
  }
});

// src/core/planning/money/capital.ts
function capitalPerMonth(capitalDollars, lifetimeSeconds) {
  return capitalDollars * monthSeconds / lifetimeSeconds;
}
function energyPerMonth(watts, pricePerKilowattHour) {
  return watts / 1e3 * (monthSeconds / 3600) * pricePerKilowattHour;
}
var init_capital = __esm({
  "src/core/planning/money/capital.ts"() {
    "use strict";
    init_storageSystem();
  }
});

// src/core/planning/money/bandwidthPrice.ts
function bandwidthPriceOf(inputs) {
  const { storageWattsPerGBps: watts, energyPricePerKilowattHour: energyPrice } = inputs;
  const energy = watts === null || energyPrice === null ? 0 : energyPerMonth(watts, energyPrice);
  if (inputs.storePricePerGBps !== null) return { capital: 0, rent: inputs.storePricePerGBps, energy, basis: "given" };
  const { storeCapitalDollars: capitalDollars, writeBytesPerSecond } = inputs;
  if (capitalDollars !== null && writeBytesPerSecond !== null) {
    const capital = capitalPerMonth(capitalDollars, inputs.storeLifetimeSeconds) / (writeBytesPerSecond / 1e9);
    return { capital, rent: 0, energy, basis: "capital" };
  }
  const sold = listPriceOf(inputs);
  if (sold !== null) return { capital: 0, rent: sold, energy, basis: "list" };
  const isBought = systemOf(inputs.store).kind === "shared";
  return { capital: 0, rent: isBought ? usualPerMonth : 0, energy, basis: isBought ? "usual" : "none" };
}
function atHandRate(inputs) {
  return bandwidthPriceOf(inputs).basis === "usual" ? shareOfJob(inputs.writeBytesPerSecond, inputs) ?? 0 : 0;
}
function listPriceOf({ store }) {
  const { levels, price } = systemOf(store);
  return levels.reduce(cheaper, null) ?? price?.throughput?.perGBps ?? price?.provisionedPerGBps ?? null;
}
function cheaper(least, { perGiBMonth, bytesPerSecondPerTiB }) {
  if (perGiBMonth === null) return least;
  const price = perGiBMonth * 1024 / (bytesPerSecondPerTiB / 1e9);
  return least === null ? price : Math.min(least, price);
}
var usualPerMonth;
var init_bandwidthPrice = __esm({
  "src/core/planning/money/bandwidthPrice.ts"() {
    "use strict";
    init_sharedStorage();
    init_storageSystems();
    init_capital();
    usualPerMonth = 614;
  }
});

// src/core/planning/money/storageMoney.ts
function together({ capital, running }) {
  return capital + running;
}
function bandwidthMoney(inputs, bytesPerSecond, atHandBytesPerSecond = atHandRate(inputs)) {
  const { capital, rent, energy, basis } = bandwidthPriceOf(inputs);
  const isPaidWhole = basis === "capital" || basis === "given";
  const paid = isPaidWhole || atHandBytesPerSecond === 0 ? Math.max(slowestSold, bytesPerSecond) : Math.max(0, bytesPerSecond - atHandBytesPerSecond);
  return { capital: capital * paid / 1e9, running: (rent * paid + energy * bytesPerSecond) / 1e9 };
}
function storageDollarsPerSecond(inputs, bytesPerSecond) {
  return together(bandwidthMoney(inputs, bytesPerSecond)) / monthSeconds;
}
function energyOfBytes({ storageWattsPerTB, energyPricePerKilowattHour }, storedBytes) {
  if (storageWattsPerTB === null || energyPricePerKilowattHour === null) return 0;
  return energyPerMonth(storageWattsPerTB * storedBytes / 1e12, energyPricePerKilowattHour);
}
var slowestSold;
var init_storageMoney = __esm({
  "src/core/planning/money/storageMoney.ts"() {
    "use strict";
    init_storageSystem();
    init_bandwidthPrice();
    init_capital();
    slowestSold = 125e6;
  }
});

// src/core/planning/money/gpuMoney.ts
function boughtGpu(inputs) {
  const { gpuCapitalDollars: capitalDollars, gpuWatts: watts, energyPricePerKilowattHour: price } = inputs;
  if (capitalDollars === null) return null;
  return {
    capital: capitalPerMonth(capitalDollars, inputs.gpuLifetimeSeconds),
    running: watts === null || price === null ? 0 : energyPerMonth(watts, price)
  };
}
function boughtGpuPricePerHour(inputs) {
  const money = boughtGpu(inputs);
  return money === null ? null : (money.capital + money.running) / hoursOfMonth;
}
function gpusMoney(inputs) {
  const { capital, running } = boughtGpu(inputs) ?? { capital: 0, running: inputs.gpuPricePerHour * hoursOfMonth };
  return { capital: capital * inputs.gpus, running: running * inputs.gpus };
}
function gpuDollarsPerSecond({ gpus, gpuPricePerHour }) {
  return gpus * gpuPricePerHour / 3600;
}
var hoursOfMonth;
var init_gpuMoney = __esm({
  "src/core/planning/money/gpuMoney.ts"() {
    "use strict";
    init_storageSystem();
    init_capital();
    hoursOfMonth = monthSeconds / 3600;
  }
});

// src/core/planning/settings/frameworkSettings.ts
function set(...lines) {
  return lines.flatMap(([line, value]) => value === null ? [] : [`${line}${String(value)}`]);
}
function trainer({ steps, keep }) {
  return ["save_strategy: steps", ...set(["save_steps: ", steps], ["save_total_limit: ", keep])];
}
function settingsOf(id) {
  return id === "unlisted" ? null : frameworkSettings[id];
}
var trainerLike, frameworkSettings, frameworkChoices;
var init_frameworkSettings = __esm({
  "src/core/planning/settings/frameworkSettings.ts"() {
    "use strict";
    trainerLike = { language: "yaml", lines: trainer, deletes: true, savesInBackground: false };
    frameworkSettings = {
      "training-arguments": { label: "Hugging Face Trainer", ...trainerLike },
      axolotl: { label: "Axolotl", ...trainerLike },
      "llama-factory": { label: "LLaMA-Factory", ...trainerLike },
      torchtitan: {
        label: "torchtitan",
        language: "toml",
        // One checkpoint alone is refused, as it may be the one that is being written; 0 keeps all.
        lines: ({ steps, keep, isInBackground }) => [
          "[checkpoint]",
          "enable = true",
          ...set(
            ["interval = ", steps],
            ["keep_latest_k = ", keep === null ? 0 : Math.max(2, keep)],
            ["async_mode = ", isInBackground ? '"async"' : '"disabled"']
          )
        ],
        deletes: true,
        savesInBackground: true
      },
      megatron: {
        label: "Megatron-LM",
        language: "bash",
        lines: ({ steps, nearSteps, isInBackground }) => [
          ...set(["--save-interval ", steps]),
          "--ckpt-format torch_dist",
          ...isInBackground ? ["--async-save"] : [],
          ...nearSteps === null ? [] : [`--non-persistent-save-interval ${nearSteps}`, "--non-persistent-ckpt-type local"]
        ],
        deletes: false,
        savesInBackground: true
      },
      nemo: {
        label: "NeMo",
        language: "yaml",
        // Resuming takes the last one, which is kept beside the others.
        lines: ({ steps, keep, isInBackground }) => [
          "exp_manager:",
          "  create_checkpoint_callback: true",
          "  checkpoint_callback_params:",
          ...set(
            ["    every_n_train_steps: ", steps],
            ["    monitor: ", "step"],
            ["    mode: ", "max"],
            ["    save_top_k: ", keep === null ? -1 : Math.max(1, keep - 1)],
            ["    save_last: ", true],
            ["    async_save: ", isInBackground]
          )
        ],
        deletes: true,
        savesInBackground: true
      },
      lightning: {
        label: "Lightning",
        language: "yaml",
        // More than one are kept by a value that is watched.
        lines: ({ steps, keep, isInBackground }) => [
          "trainer:",
          "  callbacks:",
          "    - class_path: lightning.pytorch.callbacks.ModelCheckpoint",
          "      init_args:",
          ...set(
            ["        every_n_train_steps: ", steps],
            ["        monitor: ", "step"],
            ["        mode: ", "max"],
            ["        save_top_k: ", keep ?? -1]
          ),
          ...isInBackground ? ["  plugins:", "    - class_path: lightning.pytorch.plugins.io.AsyncCheckpointIO"] : []
        ],
        deletes: true,
        savesInBackground: true
      },
      composer: {
        label: "Composer",
        language: "yaml",
        lines: ({ steps, keep }) => set(["save_interval: ", steps === null ? null : `${steps}ba`], ["save_num_checkpoints_to_keep: ", keep ?? -1]),
        deletes: true,
        savesInBackground: false
      },
      maxtext: {
        label: "MaxText",
        language: "yaml",
        lines: ({ steps, nearSteps, keep, isInBackground }) => [
          "enable_checkpointing: true",
          ...set(["checkpoint_period: ", steps], ["async_checkpointing: ", isInBackground], ["max_num_checkpoints_to_keep: ", keep]),
          ...nearSteps === null ? [] : ["enable_multi_tier_checkpointing: true", `local_checkpoint_period: ${nearSteps}`]
        ],
        deletes: true,
        savesInBackground: true
      },
      "olmo-core": {
        label: "OLMo-core",
        language: "yaml",
        lines: ({ steps, isInBackground }) => [
          "trainer:",
          "  callbacks:",
          "    checkpointer:",
          ...set(["      save_interval: ", steps], ["      save_async: ", isInBackground])
        ],
        deletes: false,
        savesInBackground: true
      },
      nanotron: {
        label: "nanotron",
        language: "yaml",
        lines: ({ steps }) => ["checkpoints:", ...set(["  checkpoint_interval: ", steps])],
        deletes: false,
        savesInBackground: false
      },
      torchtune: {
        label: "torchtune",
        language: "yaml",
        lines: ({ steps, keep, isInBackground }) => [
          ...set(["save_every_n_steps: ", steps], ["enable_async_checkpointing: ", isInBackground]),
          ...keep === null ? [] : ["checkpointer:", `  keep_last_n_checkpoints: ${keep}`]
        ],
        deletes: true,
        savesInBackground: true
      },
      verl: {
        label: "verl",
        language: "yaml",
        lines: ({ steps, keep }) => ["trainer:", ...set(["  save_freq: ", steps], ["  max_actor_ckpt_to_keep: ", keep])],
        deletes: true,
        savesInBackground: false
      },
      litgpt: {
        label: "LitGPT",
        language: "yaml",
        lines: ({ steps }) => ["train:", ...set(["  save_interval: ", steps])],
        deletes: false,
        savesInBackground: false
      },
      "gpt-neox": {
        label: "GPT-NeoX",
        language: "yaml",
        lines: ({ steps, keep }) => set(["checkpoint_factor: ", steps], ["keep_last_n_checkpoints: ", keep]),
        deletes: true,
        savesInBackground: false
      }
    };
    frameworkChoices = [
      { value: "unlisted", label: "not listed" },
      ...Object.entries(frameworkSettings).map(([id, { label }]) => ({ value: id, label }))
    ];
  }
});

// src/core/planning/size/recipes.ts
function recipeOf(id) {
  return recipes.find((recipe) => recipe.id === id) ?? recipes[0];
}
var term, weights16, weights32, master, moments32, recipes, recipeChoices;
var init_recipes = __esm({
  "src/core/planning/size/recipes.ts"() {
    "use strict";
    term = (part, bytesPerParameter) => ({ part, bytesPerParameter });
    weights16 = term("weights", 2);
    weights32 = term("weights", 4);
    master = term("masterWeights", 4);
    moments32 = [term("firstMoment", 4), term("secondMoment", 4)];
    recipes = [
      {
        id: "mixed-adam",
        label: "16-bit weights, 32-bit copy, Adam (2 + 4 + 8)",
        terms: [weights16, master, ...moments32],
        source: "Megatron-LM and DeepSpeed: a 32-bit copy of the weights in the optimizer"
      },
      {
        id: "f32-adam",
        label: "32-bit weights, Adam (4 + 8)",
        terms: [weights32, ...moments32],
        source: "FSDP, torchtitan, MaxText, the Hugging Face Trainer in 32 bits"
      },
      {
        id: "bf16-adam",
        label: "16-bit weights, Adam in 32 bits (2 + 8)",
        terms: [weights16, ...moments32],
        source: "weights stored in 16 bits without a 32-bit copy (OPT-175B)"
      },
      {
        id: "pure-bf16",
        label: "all in 16 bits (2 + 4)",
        terms: [weights16, term("firstMoment", 2), term("secondMoment", 2)],
        source: "torchtune and others that keep the moments in the weights\u2019 dtype"
      },
      {
        id: "mixed-adam-8bit",
        label: "16-bit weights, 32-bit copy, 8-bit Adam (2 + 4 + 2)",
        terms: [weights16, master, term("firstMoment", 1), term("secondMoment", 1)],
        source: "bitsandbytes; its block scales add less than 2 %"
      },
      {
        id: "mixed-momentum",
        label: "16-bit weights, 32-bit copy, one moment (2 + 4 + 4)",
        terms: [weights16, master, term("firstMoment", 4)],
        source: "Lion, Muon on matrices, SGD with momentum"
      },
      {
        id: "mixed-adam-export",
        label: "the same with an exported copy (2 + 4 + 8 + 2)",
        terms: [weights16, master, ...moments32, term("exportedWeights", 2)],
        source: "the upper rule of 16 bytes: what the Trainer leaves beside DeepSpeed\u2019s files"
      },
      {
        id: "rule-8",
        label: "the rule of 8 (2 + 3 \xD7 2)",
        terms: [weights16, term("masterWeights", 2), term("firstMoment", 2), term("secondMoment", 2)],
        source: "the rule of thumb: weights and three states as large as the weights"
      },
      { id: "weights-bf16", label: "weights alone, 16 bits (2)", terms: [weights16], source: "a model as it is published" }
    ];
    recipeChoices = recipes.map(({ id, label }) => ({
      value: id,
      label
    }));
  }
});

// src/core/planning/saving/failureRates.ts
function smallJobFactor(gpus) {
  const position = Math.log(gpus / measuredSmall.gpus) / Math.log(leastScalingGpus / measuredSmall.gpus);
  return measuredSmall.factor ** Math.min(1, Math.max(0, 1 - position));
}
function failureRateOf(id) {
  return failureRates.find((rate) => rate.id === id) ?? failureRates[0];
}
var hour, ofNodeDays, failureRates, leastScalingGpus, measuredSmall, failureRateChoices;
var init_failureRates = __esm({
  "src/core/planning/saving/failureRates.ts"() {
    "use strict";
    hour = 3600;
    ofNodeDays = (failuresPerNodeDay) => 8 * 24 * hour / failuresPerNodeDay;
    failureRates = [
      {
        id: "llama3",
        label: "Llama 3 405B: 419 in 54 days on 16,384 GPUs",
        gpuMtbfSeconds: 54 * 24 * hour * 16384 / 419,
        source: "The Llama 3 Herd of Models (2024), section 3.3.4: unexpected interruptions; 50,700 GPU-hours each"
      },
      {
        id: "llama3-all",
        label: "Llama 3 405B with planned stops: 466",
        gpuMtbfSeconds: 54 * 24 * hour * 16384 / 466,
        source: "The Llama 3 Herd of Models (2024), section 3.3.4: all interruptions"
      },
      {
        id: "rsc-1",
        label: "Meta RSC-1: 6.50 in 1,000 node-days",
        gpuMtbfSeconds: ofNodeDays(65e-4),
        source: "Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters (HPCA 2025)"
      },
      {
        id: "rsc-2",
        label: "Meta RSC-2: 2.34 in 1,000 node-days",
        gpuMtbfSeconds: ofNodeDays(234e-5),
        source: "Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters (HPCA 2025)"
      },
      {
        id: "mlcommons",
        label: "MLCommons: 50,000 hours an accelerator",
        gpuMtbfSeconds: 5e4 * hour,
        source: "MLCommons, MLPerf Storage v2.0 announcement (4 August 2025)"
      }
    ];
    leastScalingGpus = 16384;
    measuredSmall = { gpus: 1024, factor: 28.8 / 7.9 };
    failureRateChoices = failureRates.map(({ id, label }) => ({
      value: id,
      label
    }));
  }
});

// src/core/planning/training/gpuModels.ts
function gpu(name, gigabytes, peakTeraflops, utilization, powerWatts, pricesPerHour) {
  return {
    name,
    memoryBytes: gigabytes * 1e9,
    peakFlopsPerSecond: peakTeraflops * 1e12,
    utilization,
    powerWatts,
    pricesPerHour
  };
}
function gpuModelOf(id) {
  return id === "unlisted" ? null : gpuModels[id];
}
function gpuInputs(id = "unlisted") {
  const model = gpuModelOf(id);
  if (model === null) return {};
  const [least, most] = model.pricesPerHour;
  return {
    deviceMemoryBytes: model.memoryBytes,
    gpuFlopsPerSecond: Math.round(model.peakFlopsPerSecond * model.utilization),
    gpuPricePerHour: Math.round(50 * (least + most)) / 100,
    gpuWatts: model.powerWatts
  };
}
var gpuModels, gpuChoices, largestGpuBytes;
var init_gpuModels = __esm({
  "src/core/planning/training/gpuModels.ts"() {
    "use strict";
    gpuModels = {
      v100: gpu("NVIDIA V100 SXM 32 GB", 32, 125, 0.3, 300, [0.3, 3.1]),
      "a100-40": gpu("NVIDIA A100 SXM 40 GB", 40, 312, 0.45, 400, [1, 2.8]),
      a100: gpu("NVIDIA A100 SXM 80 GB", 80, 312, 0.45, 400, [1.4, 3.4]),
      h100: gpu("NVIDIA H100 SXM", 80, 989.4, 0.4, 700, [2.5, 4]),
      h200: gpu("NVIDIA H200 SXM", 141, 989.4, 0.4, 700, [3.4, 5]),
      b200: gpu("NVIDIA B200 SXM", 180, 2250, 0.35, 1e3, [5, 8]),
      gb200: gpu("NVIDIA GB200 NVL72", 186, 2500, 0.35, 1200, [6, 10.5]),
      l40s: gpu("NVIDIA L40S", 48, 362, 0.3, 350, [0.8, 1.9]),
      rtx4090: gpu("NVIDIA GeForce RTX 4090", 24, 165.2, 0.3, 450, [0.3, 0.7]),
      mi300x: gpu("AMD Instinct MI300X", 192, 1307.4, 0.3, 750, [1.7, 5]),
      mi325x: gpu("AMD Instinct MI325X", 256, 1307.4, 0.3, 1e3, [2, 5]),
      mi355x: gpu("AMD Instinct MI355X", 288, 2516.6, 0.3, 1400, [2.5, 8.6]),
      "tpu-v4": gpu("Google TPU v4", 32, 275, 0.45, 192, [1.4, 3.2]),
      "tpu-v5e": gpu("Google TPU v5e", 16, 197, 0.45, null, [0.5, 1.2]),
      "tpu-v5p": gpu("Google TPU v5p", 95, 459, 0.45, null, [1.9, 4.2]),
      "tpu-v6e": gpu("Google TPU v6e", 32, 918, 0.4, null, [1.2, 2.7])
    };
    gpuChoices = [
      { value: "unlisted", label: "not listed" },
      ...Object.entries(gpuModels).map(([id, { name }]) => ({ value: id, label: name }))
    ];
    largestGpuBytes = Object.values(gpuModels).reduce((most, { memoryBytes }) => Math.max(most, memoryBytes), 0);
  }
});

// src/core/planning/inputs/quantities.ts
function dataUnits(...endings) {
  const units = {};
  for (const ending of endings)
    for (const [multiple, size] of Object.entries(multiples)) {
      if (multiple.endsWith("i")) units[`${multiple}${ending}`] = size;
      for (const [letter, bytes] of Object.entries(counted)) units[`${multiple}${letter}${ending}`] = size * bytes;
    }
  return units;
}
function unitsOf(quantity) {
  return quantities[quantity];
}
var multiples, counted, spans, quantities;
var init_quantities = __esm({
  "src/core/planning/inputs/quantities.ts"() {
    "use strict";
    multiples = {
      "": 1,
      k: 1e3,
      K: 1e3,
      M: 1e6,
      G: 1e9,
      T: 1e12,
      P: 1e15,
      ki: 2 ** 10,
      Ki: 2 ** 10,
      Mi: 2 ** 20,
      Gi: 2 ** 30,
      Ti: 2 ** 40,
      Pi: 2 ** 50
    };
    counted = { B: 1, b: 1 / 8, bit: 1 / 8 };
    spans = {
      ms: 1e-3,
      s: 1,
      sec: 1,
      min: 60,
      h: 3600,
      hours: 3600,
      d: 86400,
      days: 86400,
      w: 604800,
      weeks: 604800,
      y: 31557600
    };
    quantities = {
      count: {
        base: "number",
        unit: "",
        size: 1,
        maximum: 1e15,
        example: "16,384 or 405B",
        units: { "": 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 }
      },
      bytes: { base: "bytes", unit: "GB", size: 1e9, maximum: 1e18, example: "5.7 TB", units: dataUnits("") },
      // At most 100 years.
      seconds: { base: "s", unit: "s", size: 1, maximum: 315576e4, example: "90 min", units: spans },
      bytesPerSecond: {
        base: "bytes/s",
        unit: "GB/s",
        size: 1e9,
        maximum: 1e15,
        example: "172 GB/s",
        units: dataUnits("/s", "ps")
      },
      share: { base: "share of 1", unit: "%", size: 0.01, maximum: 1, example: "10 %", units: { "%": 0.01 } },
      bytesPerValue: { base: "bytes", unit: "B", size: 1, maximum: 1024, example: "14", units: { b: 1 } },
      flopsPerSecond: {
        base: "FLOP/s",
        unit: "TFLOP/s",
        size: 1e12,
        maximum: 1e18,
        example: "400 TFLOP/s",
        units: { gflops: 1e9, tflops: 1e12, pflops: 1e15, "gflop/s": 1e9, "tflop/s": 1e12, "pflop/s": 1e15 }
      },
      watts: { base: "W", unit: "W", size: 1, maximum: 1e9, example: "700 W", units: { W: 1, kW: 1e3, MW: 1e6, mW: 1e-3 } },
      capital: { base: "US$", unit: "$", size: 1, maximum: 1e12, example: "200,000", units: { $: 1, k: 1e3, K: 1e3, M: 1e6 } },
      price: { base: "US$", unit: "$", size: 1, maximum: 1e6, example: "0.023", units: { $: 1 } }
    };
  }
});

// src/core/planning/inputs/planFields.ts
function field(group, quantity, words, limits) {
  const { unit, size, maximum } = unitsOf(quantity);
  const shown = { unit: limits.unit ?? unit, size: limits.size ?? size };
  const isWhole = limits.whole === true || quantity === "count" || quantity === "bytes";
  return {
    kind: "number",
    group,
    quantity,
    ...words,
    minimum: limits.minimum ?? 0,
    maximum: limits.maximum ?? maximum,
    ...isWhole ? { whole: true } : {},
    shown
  };
}
function given(group, quantity, standard, words, limits = {}) {
  return { ...field(group, quantity, words, limits), standard };
}
function derived(group, quantity, from, words, limits = {}) {
  return { ...field(group, quantity, words, limits), standard: null, derived: from };
}
function optional(group, quantity, words, limits = {}) {
  return { ...field(group, quantity, words, limits), standard: null, optional: true };
}
function choice(group, standard, choices, words) {
  return { kind: "choice", group, ...words, choices, standard };
}
function flag(group, standard, words) {
  return { kind: "flag", group, ...words, standard };
}
var mostGpus, minutes, hours, years, days, planFields;
var init_planFields = __esm({
  "src/core/planning/inputs/planFields.ts"() {
    "use strict";
    init_frameworkSettings();
    init_recipes();
    init_failureRates();
    init_gpuModels();
    init_siteNames();
    init_systemNames();
    init_quantities();
    mostGpus = { minimum: 1, maximum: 1e7 };
    minutes = { unit: "min", size: 60 };
    hours = { unit: "h", size: 3600 };
    years = { unit: "years", size: 31557600 };
    days = { unit: "d", size: 86400 };
    planFields = {
      parameters: given(
        "model",
        "count",
        8030261248,
        { label: "Parameters", hint: "all of them, tied ones once" },
        { minimum: 1 }
      ),
      activeParameters: derived(
        "model",
        "count",
        "all parameters",
        { label: "Active parameters", hint: "what one token passes, in a mixture of experts", rare: true },
        { minimum: 1 }
      ),
      recipe: choice("model", "mixed-adam", recipeChoices, {
        label: "What is saved",
        hint: "precision and optimizer decide the bytes of each parameter"
      }),
      bytesPerParameter: derived("model", "bytesPerValue", "the sum of what is saved", {
        label: "Bytes a parameter",
        hint: "in a full checkpoint"
      }),
      checkpointBytes: derived(
        "model",
        "bytes",
        "parameters \xD7 bytes a parameter",
        { label: "Checkpoint", hint: "a measured size, in place of the product", rare: true },
        { minimum: 1 }
      ),
      gpus: given("cluster", "count", 64, { label: "GPUs", hint: "of the job" }, mostGpus),
      gpusPerNode: given(
        "cluster",
        "count",
        8,
        { label: "GPUs a node", hint: "they share its memory, drives and network" },
        mostGpus
      ),
      gpu: choice("cluster", "unlisted", gpuChoices, {
        label: "GPU model",
        hint: "its memory, arithmetic and price, unless these are given"
      }),
      gpuPricePerHour: given("cluster", "price", 2.5, {
        label: "Price of a GPU",
        hint: "US dollars an hour, with its share of the node: what lost time costs",
        rare: true
      }),
      // Purchase, power and its price are bounded so that an hour of a GPU stays within the limits of its own input.
      gpuCapitalDollars: optional(
        "cluster",
        "capital",
        {
          label: "Purchase price of a GPU",
          hint: "US dollars, with its share of the node: written off over its lifetime in place of a price an hour",
          rare: true
        },
        { maximum: 1e7 }
      ),
      gpuLifetimeSeconds: given(
        "cluster",
        "seconds",
        5 * 31557600,
        { label: "Lifetime of GPUs", hint: "over which a purchase is written off", rare: true },
        { ...years, minimum: 86400 }
      ),
      gpuWatts: derived(
        "cluster",
        "watts",
        "that of the GPU model",
        { label: "Power of a GPU", hint: "with its share of the node where that is known", rare: true },
        { maximum: 1e5 }
      ),
      tensorParallel: given("cluster", "count", 1, { label: "Tensor parallel", hint: "TP" }, mostGpus),
      pipelineParallel: given("cluster", "count", 1, { label: "Pipeline parallel", hint: "PP" }, mostGpus),
      dataParallel: derived(
        "cluster",
        "count",
        "GPUs \xF7 (TP \xD7 PP)",
        { label: "Data parallel", hint: "DP, replicas of the model, or GPUs that share it" },
        mostGpus
      ),
      expertParallel: given(
        "cluster",
        "count",
        1,
        { label: "Expert parallel", hint: "EP, within data parallel", rare: true },
        mostGpus
      ),
      zeroStage: choice(
        "cluster",
        "0",
        [
          { value: "0", label: "0: every replica holds all" },
          { value: "1", label: "1: optimizer state is sharded" },
          { value: "2", label: "2: gradients as well" },
          { value: "3", label: "3: weights as well (FSDP)" }
        ],
        { label: "ZeRO stage", hint: "what the data-parallel replicas share; decides who writes" }
      ),
      shardDegree: derived(
        "cluster",
        "count",
        "all data-parallel GPUs",
        { label: "GPUs that share", hint: "one copy of what is sharded; fewer than DP is HSDP", rare: true },
        mostGpus
      ),
      saveMode: choice(
        "saving",
        "asynchronous",
        [
          { value: "synchronous", label: "synchronous: training waits for storage" },
          { value: "asynchronous", label: "asynchronous: training waits for the copy to host memory" },
          { value: "multi-level", label: "multi-level: memory, neighbour, drives, then storage" }
        ],
        { label: "Way of saving", hint: "what training waits for" }
      ),
      framework: choice("saving", "unlisted", frameworkChoices, {
        label: "Framework",
        hint: "whose settings the plan is told in"
      }),
      intervalSeconds: derived(
        "saving",
        "seconds",
        "the interval that loses least",
        { label: "Interval", hint: "training time between two saves" },
        { ...minutes, minimum: 1e-3 }
      ),
      stepSeconds: optional(
        "saving",
        "seconds",
        { label: "Time of a step", hint: "to say intervals in steps", rare: true },
        { minimum: 1e-6 }
      ),
      intervalSteps: optional(
        "saving",
        "count",
        {
          label: "Interval in steps",
          hint: "as configs have it; taken where the time of a step or its tokens are known, and no interval in time is given",
          rare: true
        },
        { minimum: 1 }
      ),
      tokensPerStep: optional(
        "saving",
        "count",
        { label: "Tokens of a step", hint: "the global batch; with tokens a second, the time of a step", rare: true },
        { minimum: 1 }
      ),
      accumulation: optional(
        "saving",
        "count",
        {
          label: "Micro-batches of a step",
          hint: "accumulated on each GPU; the tokens of a step where these are not given",
          rare: true
        },
        { minimum: 1, maximum: 1e6 }
      ),
      runSteps: optional(
        "saving",
        "count",
        { label: "Steps of the run", hint: "its length where that is not given in time", rare: true },
        { minimum: 1 }
      ),
      overlapTarget: given(
        "saving",
        "share",
        0.1,
        { label: "Overlap wanted, at most", hint: "share of the time in which a save is being written" },
        { minimum: 1e-4 }
      ),
      stallSeconds: derived("saving", "seconds", "the way of saving decides", {
        label: "Stall of a save",
        hint: "how long training stands still for one"
      }),
      fixedStallSeconds: given("saving", "seconds", 5, {
        label: "Fixed part of a stall",
        hint: "collecting state, agreeing on who writes what; PyTorch\u2019s asynchronous save of a 7B takes 6.3 s in all",
        rare: true
      }),
      deviceToHostBytesPerSecond: given(
        "saving",
        "bytesPerSecond",
        25e9,
        { label: "GPU to host memory", hint: "of one GPU; PCIe 4 gives about 25 GB/s, PCIe 5 about 50", rare: true },
        { minimum: 1e6 }
      ),
      graceSeconds: given("saving", "seconds", 120, {
        label: "Grace period",
        hint: "from the warning to the end: 30 s to 120 s on spot machines, Slurm as configured"
      }),
      failureRate: choice("failures", "llama3", failureRateChoices, { label: "Failures as at", hint: "a published failure rate" }),
      gpuMtbfSeconds: derived(
        "failures",
        "seconds",
        "the published rate",
        { label: "GPU\u2019s mean time between failures", hint: "that end the job; of one GPU with its share of the node", rare: true },
        { ...hours, minimum: 1 }
      ),
      mtbfSeconds: derived(
        "failures",
        "seconds",
        "a GPU\u2019s \xF7 GPUs",
        { label: "Job\u2019s mean time between failures", hint: "of the whole job" },
        { ...hours, minimum: 1 }
      ),
      restartSeconds: given("failures", "seconds", 300, {
        label: "Restart and restore",
        hint: "from a failure until training goes on, lost work aside"
      }),
      reclaimSeconds: optional(
        "failures",
        "seconds",
        {
          label: "Machines are taken back every",
          hint: "spot machines: a warning comes before the end",
          rare: true
        },
        { ...hours, minimum: 1 }
      ),
      acceptableLossSeconds: optional(
        "failures",
        "seconds",
        { label: "Largest acceptable loss", hint: "of work, by one failure that leaves the storage standing", rare: true },
        { ...minutes, minimum: 1 }
      ),
      walltimeSeconds: optional(
        "failures",
        "seconds",
        { label: "Walltime of a job", hint: "it ends after so long, and the next one goes on (Slurm --time)", rare: true },
        { ...hours, minimum: 1 }
      ),
      nodeFailureShare: given("failures", "share", 0.78, {
        label: "Failures that take a node",
        hint: "its memory and drives are lost to the job; the rest are processes that die",
        rare: true
      }),
      rackFailureShare: given("failures", "share", 0.08, {
        label: "Failures that take a rack",
        hint: "a switch, its power",
        rare: true
      }),
      siteFailureShare: given("failures", "share", 2e-3, {
        label: "Failures that take the site",
        hint: "or its storage: the copy elsewhere is what is left",
        rare: true
      }),
      site: choice("tiers", "any", siteChoices, {
        label: "Site",
        hint: "where the job runs: systems that can be had there are ranked, and taken where none is named"
      }),
      store: {
        ...choice("tiers", "lustre", storeSystemChoices, { label: "Storage", hint: "where a checkpoint is safe" }),
        refused: refusedStores
      },
      writeBytesPerSecond: derived(
        "tiers",
        "bytesPerSecond",
        "what is worth its money; of objects and drives, what the job gets",
        { label: "Write bandwidth", hint: "sustained, of the whole storage" },
        { minimum: 1e3 }
      ),
      readBytesPerSecond: derived(
        "tiers",
        "bytesPerSecond",
        "as for writing, or what one restore needs",
        { label: "Read bandwidth", hint: "sustained" },
        { minimum: 1e3 }
      ),
      storeCapacityBytes: derived(
        "tiers",
        "bytes",
        "as much as is needed",
        {
          label: "Room or quota",
          hint: "of the storage, with what is used already"
        },
        { unit: "TB", size: 1e12 }
      ),
      storeUsedBytes: given(
        "tiers",
        "bytes",
        0,
        { label: "Used already", hint: "of that room or quota, by other files", rare: true },
        { unit: "TB", size: 1e12 }
      ),
      storePricePerGBMonth: derived("tiers", "price", "the list price, where there is one", {
        label: "Price of storage",
        hint: "US dollars for a GB a month",
        rare: true
      }),
      storePricePerGBps: derived(
        "tiers",
        "price",
        "the list price of its bandwidth, or that of FSx for Lustre; none for objects and drives",
        {
          label: "Price of bandwidth",
          hint: "US dollars a month for a GB/s",
          rare: true
        }
      ),
      storeCapitalDollars: optional("tiers", "capital", {
        label: "Purchase price of storage",
        hint: "US dollars, of all of it, with the write bandwidth that was bought",
        rare: true
      }),
      storeLifetimeSeconds: given(
        "tiers",
        "seconds",
        5 * 31557600,
        { label: "Lifetime of storage", hint: "over which a purchase is written off", rare: true },
        { ...years, minimum: 86400 }
      ),
      energyPricePerKilowattHour: optional(
        "tiers",
        "price",
        { label: "Price of energy", hint: "US dollars a kWh, where power is paid for besides", rare: true },
        { maximum: 1e3 }
      ),
      storageWattsPerGBps: optional("tiers", "watts", {
        label: "Power of a GB/s",
        hint: "what the storage draws for each GB/s of write bandwidth",
        rare: true
      }),
      storageWattsPerTB: optional("tiers", "watts", {
        label: "Power of a TB",
        hint: "what the storage draws for each TB that lies there",
        rare: true
      }),
      jobs: given(
        "tiers",
        "count",
        1,
        { label: "Jobs on the storage", hint: "equal ones; each has its share of bandwidth and room", rare: true },
        { minimum: 1, maximum: 1e6 }
      ),
      nvmeWriteBytesPerSecond: given("tiers", "bytesPerSecond", 1e10, {
        label: "Node\u2019s drives, writing",
        hint: "all drives of one node; 0 where it has none"
      }),
      nvmeReadBytesPerSecond: given("tiers", "bytesPerSecond", 2e10, {
        label: "Node\u2019s drives, reading",
        hint: "all of one node",
        rare: true
      }),
      nvmeCapacityBytes: given(
        "tiers",
        "bytes",
        1536e10,
        { label: "Node\u2019s drives, room", hint: "of one node", rare: true },
        { unit: "TB", size: 1e12 }
      ),
      networkBytesPerSecond: given(
        "tiers",
        "bytesPerSecond",
        4e10,
        { label: "Node\u2019s network", hint: "to its neighbours: 80 % of one 400 Gb/s port", rare: true },
        { minimum: 1e6 }
      ),
      clientBytesPerSecond: derived(
        "tiers",
        "bytesPerSecond",
        "the node\u2019s network",
        { label: "Node\u2019s way to the storage", hint: "as a bandwidth check on one node measures it", rare: true },
        { minimum: 1e3 }
      ),
      fileBytesPerSecond: optional(
        "tiers",
        "bytesPerSecond",
        { label: "One file, writing", hint: "what the storage takes of a single file, where that is a limit", rare: true },
        { minimum: 1e3 }
      ),
      objectStore: choice("tiers", "s3-standard", objectSystemChoices, {
        label: "Object store",
        hint: "for milestones and copies elsewhere"
      }),
      objectBytesPerSecond: given(
        "tiers",
        "bytesPerSecond",
        1e10,
        { label: "To the object store", hint: "sustained, of the whole job" },
        { minimum: 1e3 }
      ),
      objectPricePerGBMonth: derived("tiers", "price", "the list price", {
        label: "Price of the object store",
        hint: "US dollars for a GB a month",
        rare: true
      }),
      secondRegion: flag("tiers", false, { label: "Copy to a second region", hint: "what is kept for ever, once more elsewhere" }),
      egressPricePerGB: derived("tiers", "price", "the list price", {
        label: "Price of leaving the region",
        hint: "US dollars for each GB that is copied",
        rare: true
      }),
      restoreTargetSeconds: given(
        "restore",
        "seconds",
        300,
        { label: "Restored within", hint: "reading alone, from the shared storage" },
        { minimum: 0.1 }
      ),
      runSeconds: given(
        "retention",
        "seconds",
        30 * 86400,
        { label: "Length of the run", hint: "wall-clock" },
        { ...days, minimum: 1 }
      ),
      keepLast: given("retention", "count", 3, { label: "Keep the last", hint: "full checkpoints" }, { maximum: 1e9 }),
      keepEvery: given(
        "retention",
        "count",
        0,
        { label: "Keep every Nth for ever", hint: "full checkpoints; 0 for none" },
        { maximum: 1e9 }
      ),
      milestones: given(
        "retention",
        "count",
        0,
        { label: "Milestones", hint: "full checkpoints that stay besides", rare: true },
        { maximum: 1e9 }
      ),
      exportEvery: given(
        "retention",
        "count",
        0,
        { label: "Export weights every Nth", hint: "weights alone, kept for ever; 0 for none" },
        { maximum: 1e9 }
      ),
      legalHolds: given(
        "retention",
        "count",
        0,
        { label: "Under legal hold", hint: "checkpoints that must not be deleted", rare: true },
        { maximum: 1e9 }
      ),
      copies: given(
        "retention",
        "count",
        2,
        { label: "Copies of what stays for ever", hint: "in places that do not fail together", rare: true },
        { minimum: 1, maximum: 100 }
      ),
      tokens: given("data", "count", 15e12, { label: "Tokens of the dataset", hint: "once over it" }, { maximum: 1e18 }),
      bytesPerToken: given(
        "data",
        "bytesPerValue",
        4,
        { label: "Bytes a token", hint: "2 for vocabularies below 65,500, else 4" },
        { minimum: 0.1 }
      ),
      tokensPerSecond: derived(
        "data",
        "count",
        "FLOP/s of all GPUs \xF7 (6 \xD7 active parameters)",
        { label: "Tokens a second", hint: "of the whole job", rare: true },
        { maximum: 1e12, minimum: 1 }
      ),
      gpuFlopsPerSecond: given(
        "data",
        "flopsPerSecond",
        4e14,
        { label: "A GPU achieves", hint: "Llama 3 405B reached 380 to 430", rare: true },
        { minimum: 1e9 }
      ),
      deviceMemoryBytes: given("memory", "bytes", 8e10, { label: "GPU memory", hint: "of one GPU" }),
      hostMemoryBytes: given("memory", "bytes", 2e12, { label: "Host memory", hint: "of one node" }),
      layers: given("memory", "count", 32, { label: "Layers", hint: "for activations", rare: true }, { minimum: 1, maximum: 1e6 }),
      hiddenSize: given(
        "memory",
        "count",
        4096,
        { label: "Hidden size", hint: "for activations", rare: true },
        { minimum: 1, maximum: 1e7 }
      ),
      attentionHeads: given(
        "memory",
        "count",
        32,
        { label: "Attention heads", hint: "for activations", rare: true },
        { minimum: 1, maximum: 1e6 }
      ),
      sequenceLength: given("memory", "count", 8192, { label: "Sequence length", hint: "tokens" }, { minimum: 1, maximum: 1e9 }),
      microBatch: given(
        "memory",
        "count",
        1,
        { label: "Micro-batch", hint: "sequences that a GPU computes at once" },
        { minimum: 1, maximum: 1e6 }
      ),
      activations: choice(
        "memory",
        "selective",
        [
          { value: "kept", label: "kept, attention scores too: without FlashAttention" },
          { value: "selective", label: "selective: all but attention scores, as FlashAttention keeps them" },
          { value: "full", label: "full: each layer is computed again" }
        ],
        { label: "Activation checkpointing", hint: "saves memory; has nothing to do with checkpoints on disk" }
      ),
      tuning: choice(
        "memory",
        "full",
        [
          { value: "full", label: "all weights" },
          { value: "lora", label: "an adapter (LoRA)" },
          { value: "qlora", label: "an adapter over 4-bit weights (QLoRA)" }
        ],
        { label: "What is trained", hint: "gradients and optimizer state are of it alone", rare: true }
      ),
      adapterParameters: derived("memory", "count", "0.5 % of the parameters", {
        label: "Parameters of an adapter",
        hint: "for LoRA and QLoRA",
        rare: true
      }),
      gradientBytes: derived(
        "memory",
        "bytesPerValue",
        "as wide as the weights",
        { label: "Bytes of a gradient", hint: "Megatron sums gradients of 16-bit weights in 32 bits: 4", rare: true },
        { maximum: 16 }
      ),
      offload: choice(
        "memory",
        "none",
        [
          { value: "none", label: "nothing" },
          { value: "optimizer-memory", label: "optimizer to host memory" },
          { value: "optimizer-nvme", label: "optimizer to the node\u2019s drives" },
          { value: "all-nvme", label: "optimizer and weights to the node\u2019s drives" }
        ],
        { label: "Offloaded while training", hint: "moved in and out every step" }
      )
    };
  }
});

// src/core/planning/saving/writers.ts
function topologyOf(inputs) {
  const { gpus, gpusPerNode, tensorParallel, pipelineParallel } = inputs;
  const replica = tensorParallel * pipelineParallel;
  const dataParallel = inputs.dataParallel ?? Math.max(1, Math.floor(gpus / replica));
  const product = replica * dataParallel;
  const shardDegree = Math.min(dataParallel, inputs.shardDegree ?? dataParallel);
  const shardCopies = Math.max(1, Math.round(dataParallel / shardDegree));
  return {
    gpus,
    nodes: Math.ceil(gpus / gpusPerNode),
    tensorParallel,
    pipelineParallel,
    dataParallel,
    expertParallel: inputs.expertParallel,
    shardDegree,
    shardCopies,
    replicas: inputs.zeroStage === "3" ? shardCopies : dataParallel,
    product: product === gpus ? null : product
  };
}
function writersOf(topology2, size, zeroStage, gpusPerNode) {
  const all = Math.min(topology2.tensorParallel * topology2.pipelineParallel * topology2.dataParallel, topology2.gpus);
  const replica = Math.min(topology2.tensorParallel * topology2.pipelineParallel * topology2.expertParallel, all);
  const weightWriters = zeroStage === "3" ? all : replica;
  const optimizerWriters = zeroStage === "0" ? replica : all;
  const ofWeights = size.weightBytes / weightWriters;
  const ofOptimizer = (size.checkpointBytes - size.weightBytes) / optimizerWriters;
  const writers = Math.max(weightWriters, size.checkpointBytes > size.weightBytes ? optimizerWriters : 0);
  const together2 = Math.min(gpusPerNode, writers);
  return {
    weightWriters,
    optimizerWriters,
    writers,
    writingNodes: Math.ceil(writers / gpusPerNode),
    largestWriterBytes: ofWeights + ofOptimizer,
    largestNodeBytes: Math.min(gpusPerNode, weightWriters) * ofWeights + Math.min(together2, optimizerWriters) * ofOptimizer,
    filesPerSave: weightWriters + (size.checkpointBytes > size.weightBytes ? optimizerWriters : 0)
  };
}
var init_writers = __esm({
  "src/core/planning/saving/writers.ts"() {
    "use strict";
  }
});

// src/core/planning/training/dataFeed.ts
function dataFeed(inputs, nodes, writeBytesPerSecond) {
  const tokensPerSecond = tokensPerSecondOf(inputs);
  const readBytesPerSecond = tokensPerSecond * inputs.bytesPerToken;
  return {
    tokensPerSecond,
    tokensBasis: inputs.tokensPerSecond === null ? "compute" : "given",
    datasetBytes: inputs.tokens * inputs.bytesPerToken,
    datasetBytes16: inputs.tokens * 2,
    datasetBytes32: inputs.tokens * 4,
    readBytesPerSecond,
    perNodeBytesPerSecond: readBytesPerSecond / nodes,
    readsPerSecond: tokensPerSecond / inputs.sequenceLength,
    bytesPerRead: inputs.sequenceLength * inputs.bytesPerToken,
    epochSeconds: inputs.tokens / tokensPerSecond,
    shareOfWriting: readBytesPerSecond / writeBytesPerSecond
  };
}
function tokensPerSecondOf(inputs) {
  const { gpus, gpuFlopsPerSecond, activeParameters, parameters } = inputs;
  return inputs.tokensPerSecond ?? gpus * gpuFlopsPerSecond / (flopsPerParameterAndToken * (activeParameters ?? parameters));
}
var flopsPerParameterAndToken;
var init_dataFeed = __esm({
  "src/core/planning/training/dataFeed.ts"() {
    "use strict";
    flopsPerParameterAndToken = 6;
  }
});

// src/core/planning/training/stepTime.ts
function stepSecondsOf(inputs) {
  if (inputs.stepSeconds !== null) return inputs.stepSeconds;
  const tokens = tokensPerStepOf(inputs);
  return tokens === null ? null : tokens / tokensPerSecondOf(inputs);
}
function tokensPerStepOf(inputs) {
  const { tokensPerStep, accumulation, microBatch, sequenceLength } = inputs;
  if (tokensPerStep !== null || accumulation === null) return tokensPerStep;
  return accumulation * microBatch * sequenceLength * topologyOf(inputs).dataParallel;
}
function givenIntervalSeconds(inputs) {
  return inputs.intervalSeconds ?? secondsOfSteps(inputs.intervalSteps, inputs, planFields.intervalSeconds);
}
function secondsOfRun(inputs) {
  return secondsOfSteps(inputs.runSteps, inputs, planFields.runSeconds);
}
function secondsOfSteps(steps, inputs, { minimum, maximum }) {
  const stepSeconds = stepSecondsOf(inputs);
  return steps === null || stepSeconds === null ? null : Math.min(maximum, Math.max(minimum, steps * stepSeconds));
}
var init_stepTime = __esm({
  "src/core/planning/training/stepTime.ts"() {
    "use strict";
    init_planFields();
    init_writers();
    init_dataFeed();
  }
});

// src/core/planning/systems/nodeDrives.ts
function driveCopies({ store }) {
  if (store === "local-nvme") return 1;
  return store === "neighbour-nvme" ? 2 : null;
}
function driveRateOf(inputs, direction) {
  const copies = driveCopies(inputs);
  const { nvmeWriteBytesPerSecond: write, nvmeReadBytesPerSecond: read, networkBytesPerSecond: network2 } = inputs;
  if (copies === null || write === 0 || read === 0) return null;
  const rate = direction === "write" ? write / copies : read;
  return copies > 1 ? Math.min(rate, network2) : rate;
}
function storeCapacityOf(inputs, checkpointBytes, largestNodeBytes) {
  const copies = driveCopies(inputs);
  if (inputs.storeCapacityBytes !== null || copies === null) return inputs.storeCapacityBytes;
  return checkpointBytes / largestNodeBytes * inputs.nvmeCapacityBytes / copies * inputs.jobs;
}
function storeRoomOf(inputs, checkpointBytes, largestNodeBytes) {
  const capacity = storeCapacityOf(inputs, checkpointBytes, largestNodeBytes);
  return capacity === null ? null : shareOfJob(Math.max(0, capacity - inputs.storeUsedBytes), inputs);
}
var init_nodeDrives = __esm({
  "src/core/planning/systems/nodeDrives.ts"() {
    "use strict";
    init_sharedStorage();
  }
});

// src/core/planning/saving/clientRate.ts
function clientRateOf(inputs, direction = "write") {
  const { clientBytesPerSecond, networkBytesPerSecond, store } = inputs;
  if (clientBytesPerSecond !== null) return clientBytesPerSecond;
  return driveRateOf(inputs, direction) ?? Math.min(networkBytesPerSecond, systemOf(store).clientBytesPerSecond ?? Infinity);
}
function carriedRate(inputs, size, writers) {
  const ofNodes = size.checkpointBytes / writers.largestNodeBytes * clientRateOf(inputs);
  const { fileBytesPerSecond } = inputs;
  if (fileBytesPerSecond === null) return ofNodes;
  const ofWeights = size.weightBytes / writers.weightWriters;
  const ofRest = (size.checkpointBytes - size.weightBytes) / writers.optimizerWriters;
  return Math.min(ofNodes, size.checkpointBytes / Math.max(ofWeights, ofRest) * fileBytesPerSecond);
}
var init_clientRate = __esm({
  "src/core/planning/saving/clientRate.ts"() {
    "use strict";
    init_nodeDrives();
    init_storageSystems();
  }
});

// src/core/planning/saving/hostCopies.ts
var hostCopies, hostAllowance;
var init_hostCopies = __esm({
  "src/core/planning/saving/hostCopies.ts"() {
    "use strict";
    hostCopies = 2;
    hostAllowance = 1.15;
  }
});

// src/core/planning/saving/levels.ts
function saveLevels(inputs, size, save, restore) {
  const shares = failureShares(inputs);
  const levels = withIntervals(placesOf(inputs, size, save, restore), shares, inputs, save);
  const recoveries = failureClasses.map((failure) => recoveryOf(failure, shares[failure], levels, inputs, save));
  const loss2 = (level) => isWaitedFor(level) ? 0 : level.failureShare * level.drainSeconds;
  const later = (level) => level.intervalSeconds === null ? 0 : level.failureShare * (level.intervalSeconds - save.intervalSeconds) / 2;
  const shareOf = (seconds) => Math.min(save.shares.training, seconds / save.mtbfSeconds);
  const store = levels.find(({ id }) => id === "shared-store");
  return {
    levels,
    recoveries,
    furtherLossShare: shareOf(levels.reduce((sum, level) => sum + loss2(level) + later(level), 0)),
    drainLossShare: store === void 0 ? 0 : shareOf(loss2(store)),
    slowRestoreShare: slowRestoreShare(recoveries, inputs, save, Math.min(restore.planned.seconds, restore.broadcast.seconds)),
    storeBytesPerSecond: store?.everySaves == null ? null : save.demand.requiredBytesPerSecond / store.everySaves
  };
}
function slowRestoreShare(recoveries, { restartSeconds }, { mtbfSeconds, shares }, storeSeconds) {
  const excessSeconds = recoveries.reduce((sum, { share, level, readSeconds }) => {
    const seconds = level === "shared-store" ? storeSeconds : readSeconds ?? 0;
    return sum + share * Math.max(0, seconds - restartSeconds);
  }, 0);
  return shares.training * -Math.expm1(-excessSeconds / mtbfSeconds);
}
function failureShares(inputs) {
  const { nodeFailureShare: node, rackFailureShare: rack, siteFailureShare: site } = inputs;
  const scale = Math.max(1, node + rack + site);
  return { process: Math.max(0, 1 - (node + rack + site)), node: node / scale, rack: rack / scale, site: site / scale };
}
function placesOf(inputs, size, save, restore) {
  const isWaiting = inputs.saveMode === "synchronous";
  const store = {
    id: "shared-store",
    survives: systemOf(inputs.store).survives,
    stallSeconds: isWaiting ? save.stallSeconds : 0,
    drainSeconds: save.saveSeconds,
    readSeconds: restore.planned.seconds,
    room: null
  };
  return [
    ...isWaiting ? [] : [hostMemory(inputs, save)],
    ...inputs.saveMode === "multi-level" ? nearPlaces(inputs, save) : [],
    store,
    ...objectPlace(inputs, size)
  ];
}
function hostMemory(inputs, save) {
  const { writers } = save;
  const isKept = inputs.saveMode === "multi-level";
  return {
    id: "host-memory",
    survives: isKept ? ["process"] : [],
    stallSeconds: save.stallSeconds,
    drainSeconds: save.stallSeconds,
    readSeconds: writers.largestWriterBytes / inputs.deviceToHostBytesPerSecond,
    room: { neededBytes: hostBytes(inputs, save), nodeBytes: inputs.hostMemoryBytes }
  };
}
function hostBytes(inputs, { writers, topology: topology2 }) {
  const own = writers.largestNodeBytes * hostCopies * hostAllowance;
  const holdsBoth = inputs.saveMode === "multi-level" && topology2.nodes > 1 && writers.writingNodes * 2 > topology2.nodes;
  return holdsBoth ? own * 2 : own;
}
function nearPlaces(inputs, { writers, topology: topology2 }) {
  const part = writers.largestNodeBytes;
  const { nvmeWriteBytesPerSecond: write, nvmeReadBytesPerSecond: read } = inputs;
  const neighbour = {
    id: "neighbour-memory",
    survives: ["process", "node"],
    stallSeconds: 0,
    drainSeconds: part / inputs.networkBytesPerSecond,
    readSeconds: part / inputs.networkBytesPerSecond,
    room: null
  };
  const drives2 = {
    id: "local-nvme",
    survives: ["process"],
    stallSeconds: 0,
    drainSeconds: part / write,
    readSeconds: part / read,
    room: { neededBytes: part * hostCopies, nodeBytes: inputs.nvmeCapacityBytes }
  };
  const isBefore = driveCopies(inputs) === null && write > 0 && read > 0;
  return [...topology2.nodes > 1 ? [neighbour] : [], ...isBefore ? [drives2] : []];
}
function objectPlace(inputs, size) {
  const system = furtherStoreOf(inputs);
  if (system === null) return [];
  const seconds = size.checkpointBytes / inputs.objectBytesPerSecond;
  const { kind, latencySeconds } = system;
  return [
    {
      id: "object-store",
      survives: inputs.secondRegion ? [...failureClasses] : system.survives,
      stallSeconds: 0,
      drainSeconds: seconds,
      // An archive brings objects back before they can be read: its longest wait, as resuming has to plan with it.
      readSeconds: (kind === "archive" ? latencySeconds[1] : 0) + seconds,
      room: null
    }
  ];
}
function withIntervals(places, shares, { overlapTarget, acceptableLossSeconds }, save) {
  const isFirst = places.findIndex(({ survives }) => survives.length > 0);
  return places.map((place, index) => {
    const earlier = places.slice(0, index).flatMap(({ survives }) => survives);
    const failureShare = place.survives.reduce((sum, failure) => sum + (earlier.includes(failure) ? 0 : shares[failure]), 0);
    const leastSeconds = place.drainSeconds / overlapTarget;
    const mostSeconds = place.id !== "object-store" && acceptableLossSeconds !== null ? acceptableLossSeconds - place.drainSeconds : Infinity;
    const everySaves = index <= isFirst ? 1 : everyHowManySaves({ leastSeconds, mostSeconds }, failureShare, save);
    const intervalSeconds = everySaves === null ? null : everySaves * save.intervalSeconds;
    const isBehind = intervalSeconds !== null && !isWaitedFor(place) && place.drainSeconds > intervalSeconds;
    return { ...place, failureShare, everySaves, intervalSeconds, isBehind };
  });
}
function isWaitedFor({ stallSeconds }) {
  return stallSeconds > 0;
}
function everyHowManySaves({ leastSeconds, mostSeconds }, failureShare, save) {
  if (failureShare === 0) return null;
  const young = Math.sqrt(2 * save.stallSeconds * save.mtbfSeconds / failureShare);
  const wanted = Math.max(Math.round(young / save.intervalSeconds), Math.ceil(leastSeconds / save.intervalSeconds));
  const every = Math.max(1, Math.min(wanted, Math.floor(mostSeconds / save.intervalSeconds)));
  return every > mostSaves ? null : every;
}
function recoveryOf(failure, share, levels, { restartSeconds }, { mtbfSeconds }) {
  const secondsBetween = share === 0 ? Infinity : mtbfSeconds / share;
  const level = levels.find(({ survives, everySaves }) => survives.includes(failure) && everySaves !== null);
  const intervalSeconds = level?.intervalSeconds ?? null;
  if (level === void 0 || intervalSeconds === null)
    return {
      failure,
      share,
      secondsBetween,
      level: null,
      recoveryPointSeconds: null,
      expectedLostSeconds: null,
      readSeconds: null,
      recoverySeconds: null
    };
  const { id, drainSeconds, readSeconds } = level;
  return {
    failure,
    share,
    secondsBetween,
    level: id,
    recoveryPointSeconds: intervalSeconds + drainSeconds,
    expectedLostSeconds: intervalSeconds / 2 + drainSeconds,
    readSeconds,
    recoverySeconds: Math.max(restartSeconds, readSeconds)
  };
}
var mostSaves;
var init_levels = __esm({
  "src/core/planning/saving/levels.ts"() {
    "use strict";
    init_storageSystem();
    init_nodeDrives();
    init_storageSystems();
    init_hostCopies();
    mostSaves = 1e12;
  }
});

// src/core/planning/saving/restore.ts
function restorePlan(inputs, size, save) {
  const replicas = replicasOf(save);
  const readings = readingsOf(inputs, size, save);
  const rest = size.checkpointBytes - size.weightBytes;
  const ways = [
    answer("every-replica", size.checkpointBytes * readings, inputs, save),
    answer("shared-optimizer", size.weightBytes * readings + rest, inputs, save),
    answer("own-share", size.checkpointBytes * save.topology.shardCopies, inputs, save),
    answer("one-and-broadcast", size.checkpointBytes, inputs, save)
  ];
  const [naive, shared, own, broadcast2] = ways;
  return {
    replicas,
    readings,
    ways: [...ways],
    planned: inputs.zeroStage === "0" ? naive : inputs.zeroStage === "3" ? own : shared,
    broadcast: broadcast2,
    asFastAsSavingBytesPerSecond: naive.volumeBytes / save.saveSeconds
  };
}
function replicasOf({ topology: topology2 }) {
  return Math.max(1, topology2.replicas / topology2.expertParallel);
}
function readingsOf({ hostMemoryBytes }, { checkpointBytes }, save) {
  const replicas = replicasOf(save);
  return checkpointBytes <= hostMemoryBytes ? Math.min(replicas, save.topology.nodes) : replicas;
}
function answer(way, volumeBytes, inputs, save) {
  const { topology: topology2 } = save;
  const replicaGpus = Math.min(
    topology2.gpus,
    topology2.tensorParallel * topology2.pipelineParallel * Math.min(topology2.expertParallel, topology2.dataParallel)
  );
  const replicaNodes = Math.ceil(replicaGpus / inputs.gpusPerNode);
  const readingNodes = way === "one-and-broadcast" ? replicaNodes : topology2.nodes;
  const bytesPerSecond = Math.min(save.readBytesPerSecond, readingNodes * clientRateOf(inputs, "read"));
  const isSent = way === "one-and-broadcast" && replicasOf(save) > 1;
  const broadcastSeconds = isSent ? volumeBytes / replicaNodes / inputs.networkBytesPerSecond : 0;
  const left = inputs.restoreTargetSeconds - broadcastSeconds;
  return {
    way,
    volumeBytes,
    readingNodes,
    bytesPerSecond,
    seconds: volumeBytes / bytesPerSecond + broadcastSeconds,
    broadcastSeconds,
    neededBytesPerSecond: left > 0 ? volumeBytes / left : null
  };
}
var init_restore = __esm({
  "src/core/planning/saving/restore.ts"() {
    "use strict";
    init_clientRate();
  }
});

// src/core/planning/saving/lostShare.ts
function lostShareOf(inputs, save, { furtherLossShare, slowRestoreShare: slowRestoreShare2 }) {
  return Math.min(1, 1 - save.shares.training + furtherLossShare + slowRestoreShare2 + stopShare(inputs, save));
}
function stopShare(inputs, save) {
  return reclaimShare(inputs, save) + walltimeShare(inputs, save);
}
function walltimeShare({ walltimeSeconds, restartSeconds }, { stallSeconds, saveSeconds, shares }) {
  if (walltimeSeconds === null) return 0;
  return shares.training * Math.min(1, (restartSeconds + Math.max(stallSeconds, saveSeconds)) / walltimeSeconds);
}
function reclaimShare({ reclaimSeconds, restartSeconds }, { isWarned, stallSeconds, shares }) {
  if (reclaimSeconds === null || !isWarned) return 0;
  return shares.training * -Math.expm1(-(restartSeconds + stallSeconds) / reclaimSeconds);
}
function lostShareOfSave(inputs, size, save) {
  return lostShareOf(inputs, save, saveLevels(inputs, size, save, restorePlan(inputs, size, save)));
}
var init_lostShare = __esm({
  "src/core/planning/saving/lostShare.ts"() {
    "use strict";
    init_levels();
    init_restore();
  }
});

// src/core/planning/saving/intervalBounds.ts
function intervalBound({ acceptableLossSeconds, walltimeSeconds, runSeconds }, underWaySeconds) {
  const bounds = [{ seconds: runSeconds, by: "run" }];
  if (walltimeSeconds !== null) bounds.push({ seconds: walltimeSeconds, by: "walltime" });
  if (acceptableLossSeconds !== null)
    bounds.push({ seconds: Math.max(acceptableLossSeconds / 2, acceptableLossSeconds - underWaySeconds), by: "acceptable-loss" });
  return bounds.reduce((least, bound) => bound.seconds < least.seconds ? bound : least);
}
function rateForAcceptableLoss({ acceptableLossSeconds, overlapTarget, saveMode }, { checkpointBytes }) {
  if (acceptableLossSeconds === null) return 0;
  const overlap = saveMode === "synchronous" ? 1 : overlapTarget;
  return checkpointBytes * (1 + overlap) / (overlap * acceptableLossSeconds);
}
var init_intervalBounds = __esm({
  "src/core/planning/saving/intervalBounds.ts"() {
    "use strict";
  }
});

// src/core/planning/saving/samples.ts
function logSpaced(from, to, count) {
  const ratio = Math.log(to / from) / (count - 1);
  return Array.from({ length: count }, (_, index) => index === count - 1 ? to : from * Math.exp(ratio * index));
}
var init_samples = __esm({
  "src/core/planning/saving/samples.ts"() {
    "use strict";
  }
});

// src/core/planning/saving/demand.ts
function bandwidthDemand(checkpointBytes, intervalSeconds, overlapTarget) {
  return {
    requiredBytesPerSecond: checkpointBytes / (overlapTarget * intervalSeconds),
    leastBytesPerSecond: checkpointBytes / intervalSeconds
  };
}
function overlapOf(checkpointBytes, intervalSeconds, bytesPerSecond) {
  return checkpointBytes / bytesPerSecond / intervalSeconds;
}
function regionOf(overlap, target) {
  if (overlap > 1 + rounding) return "impossible";
  if (overlap > target * (1 + rounding)) return "slow";
  return overlap * wastedFactor < target ? "wasted" : "good";
}
var wastedFactor, rounding;
var init_demand = __esm({
  "src/core/planning/saving/demand.ts"() {
    "use strict";
    wastedFactor = 3;
    rounding = 1e-9;
  }
});

// src/core/planning/saving/interval.ts
function optimalInterval(stallSeconds, mtbfSeconds) {
  return {
    young: Math.sqrt(2 * stallSeconds * mtbfSeconds),
    daly: daly(stallSeconds, mtbfSeconds),
    exact: exact(stallSeconds, mtbfSeconds)
  };
}
function daly(d, M) {
  if (d >= 2 * M) return M;
  const x = d / (2 * M);
  return Math.sqrt(2 * d * M) * (1 + Math.sqrt(x) / 3 + x / 9) - d;
}
function exact(d, M) {
  const ratio = d / M;
  if (ratio > 30) return M;
  let u = Math.min(Math.sqrt(2 * ratio), 1 - Math.exp(-ratio - 1) / 2);
  for (let round = 0; round < 60; round += 1) {
    const value = -Math.log1p(-u) - u - ratio;
    const next = u - value * (1 - u) / u;
    if (!(next < u)) break;
    u = next;
  }
  return u * M;
}
function expectedSlowdown(intervalSeconds, { stallSeconds, mtbfSeconds, restartSeconds }) {
  const M = mtbfSeconds;
  return M * Math.exp(restartSeconds / M) * Math.expm1((intervalSeconds + stallSeconds) / M) / intervalSeconds;
}
function goodput(intervalSeconds, costs) {
  return 1 / expectedSlowdown(intervalSeconds, costs);
}
function longestInterval(bestSeconds, mostSeconds, lossShare, costs) {
  const wanted = goodput(bestSeconds, costs) - lossShare;
  if (wanted <= 0) return bestSeconds;
  let [good, poor] = [bestSeconds, mostSeconds];
  if (goodput(poor, costs) >= wanted) return poor;
  for (let round = 0; round < 40; round += 1) {
    const middle = Math.sqrt(good * poor);
    if (goodput(middle, costs) >= wanted) good = middle;
    else poor = middle;
  }
  return good;
}
function timeShares(intervalSeconds, costs) {
  const { stallSeconds, mtbfSeconds, restartSeconds } = costs;
  const training = goodput(intervalSeconds, costs);
  const withoutRestart = goodput(intervalSeconds, { ...costs, restartSeconds: 0 });
  const stalled = Math.min(training * stallSeconds / intervalSeconds, 1 - training);
  const restarting = mtbfSeconds === 0 ? 0 : Math.max(0, withoutRestart - training);
  const bounded = Math.min(restarting, 1 - training - stalled);
  return { training, stalled, repeated: 1 - training - stalled - bounded, restarting: restartSeconds === 0 ? 0 : bounded };
}
var frugalLossShare;
var init_interval = __esm({
  "src/core/planning/saving/interval.ts"() {
    "use strict";
    frugalLossShare = 2e-3;
  }
});

// src/core/planning/saving/intervalChoice.ts
function chooseInterval(inputs, write, optimumSeconds, costs) {
  const behindSeconds = inputs.saveMode === "asynchronous" ? write.saveSeconds : 0;
  const leastSeconds = Math.max(behindSeconds, stepSecondsOf(inputs) ?? 0);
  const bound = intervalBound(inputs, write.underWaySeconds);
  const bounded = (seconds2) => Math.max(leastSeconds, Math.min(seconds2, bound.seconds));
  const bestSeconds = bounded(optimumSeconds);
  const givenSeconds = givenIntervalSeconds(inputs);
  if (givenSeconds !== null) return { seconds: givenSeconds, basis: "given", bestSeconds, leastSeconds };
  const wantedSeconds = behindSeconds / inputs.overlapTarget;
  if (wantedSeconds <= bestSeconds)
    return { seconds: bestSeconds, basis: bestSeconds < optimumSeconds ? bound.by : "optimum", bestSeconds, leastSeconds };
  const seconds = write.isOpen ? wantedSeconds : longestInterval(bestSeconds, wantedSeconds, frugalLossShare, costs);
  return bounded(seconds) < seconds ? { seconds: bounded(seconds), basis: bound.by, bestSeconds, leastSeconds } : { seconds, basis: "bandwidth", bestSeconds, leastSeconds };
}
var init_intervalChoice = __esm({
  "src/core/planning/saving/intervalChoice.ts"() {
    "use strict";
    init_stepTime();
    init_interval();
    init_intervalBounds();
  }
});

// src/core/planning/saving/stall.ts
function stallOf(inputs, size, writers, writeBytesPerSecond) {
  const { fixedStallSeconds: fixedSeconds, stallSeconds: given2 } = inputs;
  const isWaiting = inputs.saveMode === "synchronous";
  const writeSeconds = size.checkpointBytes / writeBytesPerSecond;
  if (given2 !== null && !(isWaiting && given2 < writeSeconds)) return { seconds: given2, fixedSeconds: 0, basis: "given" };
  if (isWaiting) return { seconds: fixedSeconds + writeSeconds, fixedSeconds, basis: "storage" };
  const copySeconds = writers.largestWriterBytes / inputs.deviceToHostBytesPerSecond;
  return { seconds: fixedSeconds + copySeconds, fixedSeconds, basis: "device-to-host" };
}
var init_stall = __esm({
  "src/core/planning/saving/stall.ts"() {
    "use strict";
  }
});

// src/core/planning/saving/savePlan.ts
function savePlan(inputs, size, bandwidth) {
  const { bytesPerSecond: writeBytesPerSecond, basis: bandwidthBasis } = bandwidth;
  const topology2 = topologyOf(inputs);
  const writers = writersOf(topology2, size, inputs.zeroStage, inputs.gpusPerNode);
  const failureSeconds = inputs.mtbfSeconds ?? gpuMtbf(inputs) / inputs.gpus;
  const stall = stallOf(inputs, size, writers, writeBytesPerSecond);
  const saveSeconds = size.checkpointBytes / writeBytesPerSecond;
  const isWarned = stall.seconds + saveSeconds <= inputs.graceSeconds * (bandwidthBasis === "pays" ? boughtGraceShare : 1);
  const mtbfSeconds = isWarned ? failureSeconds : withReclaims(failureSeconds, inputs.reclaimSeconds);
  const optimum = optimalInterval(Math.max(stall.seconds, leastStallSeconds), mtbfSeconds);
  const costs = { stallSeconds: stall.seconds, mtbfSeconds, restartSeconds: inputs.restartSeconds };
  const underWaySeconds = Math.max(saveSeconds, stall.seconds, neighbourSeconds(inputs, writers));
  const write = { saveSeconds, underWaySeconds, isOpen: bandwidthBasis === "pays" };
  const interval = chooseInterval(inputs, write, optimum.exact, costs);
  const overlap = overlapOf(size.checkpointBytes, interval.seconds, writeBytesPerSecond);
  return {
    topology: topology2,
    writers,
    mtbfSeconds,
    failureSeconds,
    isWarned,
    stallSeconds: stall.seconds,
    fixedStallSeconds: stall.fixedSeconds,
    stallBasis: stall.basis,
    optimum,
    bestIntervalSeconds: interval.bestSeconds,
    leastIntervalSeconds: interval.leastSeconds,
    intervalSeconds: interval.seconds,
    intervalBasis: interval.basis,
    writeBytesPerSecond,
    bandwidthBasis,
    readBytesPerSecond: readBandwidth(inputs, size, topology2, writeBytesPerSecond),
    saveSeconds,
    overlap,
    region: regionOf(overlap, inputs.overlapTarget),
    demand: bandwidthDemand(size.checkpointBytes, interval.seconds, inputs.overlapTarget),
    shares: timeShares(interval.seconds, costs)
  };
}
function neighbourSeconds({ saveMode, networkBytesPerSecond }, { largestNodeBytes }) {
  return saveMode === "multi-level" ? largestNodeBytes / networkBytesPerSecond : 0;
}
function readBandwidth(inputs, size, { nodes }, writeBytesPerSecond) {
  const given2 = shareOfJob(inputs.readBytesPerSecond, inputs);
  if (given2 !== null) return given2;
  if (inputs.writeBytesPerSecond !== null) return writeBytesPerSecond;
  const system = systemOf(inputs.store);
  if (comesWithNode(system)) return nodes * clientRateOf(inputs, "read");
  const wanted = Math.max(writeBytesPerSecond, size.checkpointBytes / inputs.restoreTargetSeconds);
  return Math.min(
    shareOfJob(bandwidthLimit(system, "read"), inputs),
    system.kind === "object" ? inputs.objectBytesPerSecond : wanted
  );
}
function withReclaims(failureSeconds, reclaimSeconds) {
  return reclaimSeconds === null ? failureSeconds : 1 / (1 / failureSeconds + 1 / reclaimSeconds);
}
function gpuMtbf(inputs) {
  return inputs.gpuMtbfSeconds ?? failureRateOf(inputs.failureRate).gpuMtbfSeconds;
}
var boughtGraceShare, leastStallSeconds;
var init_savePlan = __esm({
  "src/core/planning/saving/savePlan.ts"() {
    "use strict";
    init_sharedStorage();
    init_demand();
    init_storageSystem();
    init_storageSystems();
    init_clientRate();
    init_failureRates();
    init_interval();
    init_intervalChoice();
    init_stall();
    init_writers();
    boughtGraceShare = 0.8;
    leastStallSeconds = 0.01;
  }
});

// src/core/planning/saving/bandwidthChoice.ts
function chooseBandwidth(inputs, size) {
  const carried = carriedRate(inputs, size, writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode));
  const given2 = shareOfJob(inputs.writeBytesPerSecond, inputs);
  if (given2 !== null && given2 <= carried) return { bytesPerSecond: given2, basis: "given" };
  if (given2 !== null) return { bytesPerSecond: carried, basis: "nodes" };
  const { kind } = systemOf(inputs.store);
  if (comesWithNode(systemOf(inputs.store))) return { bytesPerSecond: carried, basis: "nodes" };
  const most = slowestOf([
    { bytesPerSecond: carried, basis: "nodes" },
    { bytesPerSecond: shareOfJob(bandwidthLimit(systemOf(inputs.store), "write"), inputs), basis: "limit" },
    ...kind === "object" ? [{ bytesPerSecond: inputs.objectBytesPerSecond, basis: "objects" }] : []
  ]);
  const least = Math.max(slowestSold, wantedRate(inputs, size), rateForAcceptableLoss(inputs, size));
  if (kind === "object" || least >= most.bytesPerSecond) return most;
  const bytesPerSecond = cheapestRate(inputs, size, least, Math.min(most.bytesPerSecond, fastestSold));
  const isCapped = bytesPerSecond === most.bytesPerSecond;
  if (isCapped && (most.basis === "limit" || inputs.clientBytesPerSecond !== null)) return most;
  return { bytesPerSecond, basis: "pays" };
}
function slowestOf(rates) {
  return rates.reduce((slowest, rate) => rate.bytesPerSecond < slowest.bytesPerSecond ? rate : slowest);
}
function wantedRate(inputs, { checkpointBytes }) {
  const intervalSeconds = givenIntervalSeconds(inputs);
  if (intervalSeconds === null || inputs.saveMode !== "asynchronous") return 0;
  return checkpointBytes / (inputs.overlapTarget * intervalSeconds);
}
function cheapestRate(inputs, size, least, most) {
  const costAt = (bytesPerSecond) => {
    const save = savePlan(inputs, size, { bytesPerSecond, basis: "pays" });
    return dollarsPerSecond(inputs, bytesPerSecond, lostShareOfSave(inputs, size, save));
  };
  let best = least;
  let [low, high, count] = [least, most, 2 + Math.ceil(Math.log10(most / least) * ratesPerDecade)];
  for (let round = 0; round < rounds; round += 1) {
    const rates = logSpaced(low, high, count);
    const place = leastOf(rates.map(costAt));
    best = rates[place] ?? best;
    [low, high, count] = [rates[place - 1] ?? low, rates[place + 1] ?? high, ratesBetween];
  }
  return best;
}
function leastOf(values) {
  return values.reduce((best, value, index) => value < (values[best] ?? Infinity) ? index : best, 0);
}
function dollarsPerSecond(inputs, bytesPerSecond, lostShare) {
  return gpuDollarsPerSecond(inputs) * lostShare + storageDollarsPerSecond(inputs, bytesPerSecond);
}
var fastestSold, ratesPerDecade, ratesBetween, rounds;
var init_bandwidthChoice = __esm({
  "src/core/planning/saving/bandwidthChoice.ts"() {
    "use strict";
    init_sharedStorage();
    init_gpuMoney();
    init_storageMoney();
    init_storageSystem();
    init_storageSystems();
    init_stepTime();
    init_clientRate();
    init_lostShare();
    init_intervalBounds();
    init_samples();
    init_savePlan();
    init_writers();
    fastestSold = 1e15;
    ratesPerDecade = 10;
    ratesBetween = 12;
    rounds = 5;
  }
});

// src/core/planning/size/plannedSize.ts
function plannedSize(inputs, measured = []) {
  const { parameters, bytesPerParameter, checkpointBytes } = inputs;
  const { terms } = recipeOf(inputs.recipe);
  const perParameter = bytesPerParameter ?? terms.reduce((sum, term2) => sum + term2.bytesPerParameter, 0);
  const total = checkpointBytes ?? Math.max(1, Math.round(parameters * perParameter));
  if (checkpointBytes !== null && measured.length > 0 && sumOf(measured) === checkpointBytes)
    return sized(
      total,
      parameters,
      "measured",
      measured.map((part) => ({ id: "measured", ...part }))
    );
  if (checkpointBytes === null && bytesPerParameter === null) {
    const parts = terms.map((term2) => recipePart(term2.part, Math.round(term2.bytesPerParameter * parameters)));
    return sized(sumOf(parts), parameters, "recipe", parts);
  }
  const own = (terms.find(({ part }) => part === "weights")?.bytesPerParameter ?? 2) * parameters;
  const weights = recipePart("weights", Math.min(own, total));
  const rest = { id: "rest", label: "optimizer and the rest", bytes: total - weights.bytes, isWeights: false };
  return sized(total, parameters, "given", rest.bytes > 0 ? [weights, rest] : [weights]);
}
function sized(checkpointBytes, parameters, basis, parts) {
  const weightBytes = sumOf(parts.filter(({ isWeights }) => isWeights));
  return { checkpointBytes, weightBytes, bytesPerParameter: checkpointBytes / parameters, basis, parts };
}
function recipePart(part, bytes) {
  return { id: part, label: labels[part], bytes, isWeights: part === "weights" };
}
function sumOf(parts) {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
var labels;
var init_plannedSize = __esm({
  "src/core/planning/size/plannedSize.ts"() {
    "use strict";
    init_recipes();
    labels = {
      weights: "weights",
      masterWeights: "master weights",
      firstMoment: "first moment",
      secondMoment: "second moment",
      exportedWeights: "exported weights"
    };
  }
});

// src/core/planning/inputs/planInputs.ts
var planKeys, standardInputs;
var init_planInputs = __esm({
  "src/core/planning/inputs/planInputs.ts"() {
    "use strict";
    init_planFields();
    planKeys = Object.keys(planFields);
    standardInputs = Object.fromEntries(planKeys.map((key) => [key, planFields[key].standard]));
  }
});

// src/core/planning/training/activations.ts
function activationMemory(inputs) {
  const { layers: L, hiddenSize: h, attentionHeads: a, sequenceLength: s, microBatch: b, tensorParallel: t } = inputs;
  const layer = s * b * h;
  const attention = 5 * a * s / h;
  const repeatedAttention = s / (18 * h + 3 * s);
  return [
    { choice: "kept", bytes: layer * L * (34 + attention) / t, repeatedCompute: 0 },
    { choice: "selective", bytes: layer * L * 34 / t, repeatedCompute: repeatedAttention },
    { choice: "full", bytes: 2 * layer * L, repeatedCompute: 1 / 3 }
  ];
}
var init_activations = __esm({
  "src/core/planning/training/activations.ts"() {
    "use strict";
  }
});

// src/core/planning/training/memory.ts
function trainingMemory(inputs, topology2, checkpointBytes) {
  const perParameter = stateBytes(inputs);
  const shardParameters = parametersOfGpu(inputs, topology2);
  const adapterParameters = inputs.adapterParameters ?? Math.ceil(inputs.parameters * usualAdapterShare);
  const activations = activationMemory(inputs);
  const activationBytes = activations.find(({ choice: choice2 }) => choice2 === inputs.activations)?.bytes ?? 0;
  const setting = { inputs, topology: topology2, perParameter, shardParameters, adapterParameters, activationBytes };
  const rows = [
    ...["0", "1", "2", "3"].map((stage) => zeroRow(stage, setting, checkpointBytes)),
    adapterRow("lora", perParameter.weights, setting),
    adapterRow("qlora", quantizedBytesPerParameter, setting)
  ];
  return {
    perParameter,
    adapterParameters,
    shardParameters,
    rows,
    planned: rows.find(({ isPlanned }) => isPlanned) ?? zeroRow(inputs.zeroStage, setting, checkpointBytes),
    activations,
    dataParallel: topology2.dataParallel
  };
}
function stateBytes({ recipe, gradientBytes }) {
  const terms = recipeOf(recipe).terms;
  const of = (isIt) => terms.filter(({ part }) => isIt(part)).reduce((sum, { bytesPerParameter }) => sum + bytesPerParameter, 0);
  const weights = of((part) => part === "weights");
  return {
    weights,
    gradients: gradientBytes ?? weights,
    // An exported copy is written, not held.
    optimizer: of((part) => part !== "weights" && part !== "exportedWeights")
  };
}
function parametersOfGpu({ parameters, activeParameters, expertParallel }, topology2) {
  const shared = expertParallel > 1 ? Math.min(parameters, activeParameters ?? 0) : parameters;
  const experts2 = (parameters - shared) / Math.min(expertParallel, topology2.dataParallel);
  return (shared + experts2) / (topology2.tensorParallel * topology2.pipelineParallel);
}
function zeroRow(stage, setting, savedBytes) {
  const { perParameter, shardParameters, topology: topology2, inputs } = setting;
  const sharded = parametersOfShare(inputs, topology2);
  const held = (from) => Number(stage) >= from ? sharded : shardParameters;
  return row(`zero-${stage}`, setting, {
    weightBytes: inputs.offload === "all-nvme" ? 0 : perParameter.weights * held(3),
    gradientBytes: perParameter.gradients * held(2),
    optimizerBytes: inputs.offload === "none" ? perParameter.optimizer * held(1) : 0,
    savedBytes,
    isPlanned: inputs.tuning === "full" && stage === inputs.zeroStage
  });
}
function parametersOfShare(inputs, topology2) {
  const { tensorParallel, pipelineParallel, shardDegree } = topology2;
  return Math.min(parametersOfGpu(inputs, topology2), inputs.parameters / (tensorParallel * pipelineParallel * shardDegree));
}
function adapterRow(way, baseBytes, setting) {
  const { shardParameters, adapterParameters, topology: topology2, inputs } = setting;
  const base = inputs.zeroStage === "3" ? parametersOfShare(inputs, topology2) : shardParameters;
  const adapter = adapterParameters / (topology2.tensorParallel * topology2.pipelineParallel);
  return row(way, setting, {
    weightBytes: baseBytes * base + adapterState.weights * adapter,
    gradientBytes: adapterState.gradients * adapter,
    optimizerBytes: adapterState.optimizer * adapter,
    savedBytes: adapterParameters * (adapterState.weights + adapterState.optimizer),
    isPlanned: inputs.tuning === way
  });
}
function row(way, { activationBytes, inputs }, parts) {
  const totalBytes = parts.weightBytes + parts.gradientBytes + parts.optimizerBytes + activationBytes;
  return { way, ...parts, activationBytes, totalBytes, fits: totalBytes <= inputs.deviceMemoryBytes };
}
var quantizedBytesPerParameter, adapterState, usualAdapterShare;
var init_memory = __esm({
  "src/core/planning/training/memory.ts"() {
    "use strict";
    init_recipes();
    init_activations();
    quantizedBytesPerParameter = 0.5 + 0.127 / 8;
    adapterState = { weights: 4, gradients: 4, optimizer: 8 };
    usualAdapterShare = 5e-3;
  }
});

// src/core/planning/training/memoryFit.ts
function fitToMemory(given2, inputs) {
  const start = { ...inputs, gpus: given2.gpus ?? Math.min(mostGpus2, gpusOfTopology(inputs)) };
  const candidates = candidatesOf(given2, start);
  const fitting = candidates.find((candidate) => fits({ ...start, ...candidate })) ?? candidates.at(-1);
  return { ...start, ...fitting };
}
function fits(inputs) {
  return trainingMemory(inputs, topologyOf(inputs), 0).planned.fits;
}
function gpusOfTopology({ tensorParallel, pipelineParallel, dataParallel, expertParallel }) {
  const replica = tensorParallel * pipelineParallel;
  if (dataParallel !== null) return replica * dataParallel;
  return replica * Math.max(expertParallel, Math.ceil(standardInputs.gpus / replica));
}
function candidatesOf(given2, { gpus, activations, dataParallel }) {
  const stages = given2.zeroStage === void 0 ? zeroStages : [given2.zeroStage];
  const most = stages.at(-1) ?? "3";
  const less = given2.activations === void 0 ? "full" : activations;
  const isOpen = given2.gpus === void 0 && dataParallel === null;
  const more = Array.from({ length: isOpen ? mostDoublings : 0 }, (_, power) => Math.min(mostGpus2, gpus * 2 ** (power + 1)));
  return [
    ...stages.map((zeroStage) => ({ gpus, zeroStage, activations })),
    ...[gpus, ...more].map((count) => ({ gpus: count, zeroStage: most, activations: less }))
  ];
}
var zeroStages, mostGpus2, mostDoublings;
var init_memoryFit = __esm({
  "src/core/planning/training/memoryFit.ts"() {
    "use strict";
    init_planFields();
    init_planInputs();
    init_writers();
    init_memory();
    zeroStages = ["0", "1", "2", "3"];
    mostGpus2 = planFields.gpus.maximum;
    mostDoublings = 14;
  }
});

// src/core/planning/saving/saveModeFit.ts
function fitSaving(given2, inputs) {
  const { saveMode, zeroStage } = inputs;
  if (given2.hostMemoryBytes == null || saveMode === "synchronous") return { saveMode, zeroStage };
  const open = zeroStages.slice(zeroStages.indexOf(zeroStage));
  const fitting = (given2.zeroStage === void 0 ? open : [zeroStage]).find((stage) => fitsHost({ ...inputs, zeroStage: stage }));
  if (fitting !== void 0) return { saveMode, zeroStage: fitting };
  return { saveMode: given2.saveMode === void 0 ? "synchronous" : saveMode, zeroStage };
}
function fitsHost(inputs) {
  const size = plannedSize(inputs, []);
  const { largestNodeBytes } = writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode);
  return largestNodeBytes * hostCopies * hostAllowance <= inputs.hostMemoryBytes;
}
var init_saveModeFit = __esm({
  "src/core/planning/saving/saveModeFit.ts"() {
    "use strict";
    init_plannedSize();
    init_memoryFit();
    init_hostCopies();
    init_writers();
  }
});

// src/core/planning/advice/given.ts
function isAnyGiven(given2, ...keys) {
  return keys.some((key) => given2[key] != null);
}
function isClientGiven(given2) {
  return isAnyGiven(
    given2,
    "clientBytesPerSecond",
    "networkBytesPerSecond",
    "fileBytesPerSecond",
    "nvmeWriteBytesPerSecond",
    "nvmeReadBytesPerSecond"
  );
}
function isRateGiven(given2, { bandwidthBasis }) {
  switch (bandwidthBasis) {
    case "given":
    case "limit":
      return true;
    case "nodes":
      return isClientGiven(given2);
    case "objects":
      return isAnyGiven(given2, "objectBytesPerSecond");
    case "pays":
      return false;
  }
}
function isMtbfGiven(given2) {
  return isAnyGiven(given2, "mtbfSeconds", "gpuMtbfSeconds", "failureRate");
}
function isStallGiven(given2, save) {
  if (save.stallBasis === "storage") return isRateGiven(given2, save);
  return isAnyGiven(given2, save.stallBasis === "given" ? "stallSeconds" : "fixedStallSeconds");
}
var init_given = __esm({
  "src/core/planning/advice/given.ts"() {
    "use strict";
  }
});

// src/core/planning/keeping/objectRequests.ts
function objectRequests(size, writers, limits, byteSeconds) {
  const files = filesOf(size, writers);
  const largestFileBytes = files.reduce((largest, { bytes }) => Math.max(largest, bytes), 0);
  const leastPartBytes = Math.max(limits.smallestPartBytes, Math.ceil(largestFileBytes / limits.mostParts));
  const usual = Math.min(limits.largestPartBytes, Math.max(usualPartBytes, powerOfTwo(leastPartBytes)));
  const partBytes = raisedPart(usual, files, limits, byteSeconds);
  const writes = writesOf(files, partBytes);
  return {
    largestFileBytes,
    leastPartBytes,
    partBytes,
    partsOfLargest: partsOf(largestFileBytes, partBytes),
    writesPerCheckpoint: writes,
    readsPerCheckpoint: files.reduce((sum, { count, bytes }) => sum + count * partsOf(bytes, partBytes), 0),
    requestSeconds: secondsOf(writes, limits),
    problem: problemOf(largestFileBytes, leastPartBytes, limits)
  };
}
function raisedPart(usual, files, limits, byteSeconds) {
  const most = Math.min(largestRaisedBytes, limits.largestPartBytes);
  let part = usual;
  while (2 * part <= most && secondsOf(writesOf(files, part), limits) > byteSeconds && writesOf(files, 2 * part) < writesOf(files, part))
    part *= 2;
  return part;
}
function partsOf(bytes, partBytes) {
  return Math.max(1, Math.ceil(bytes / partBytes));
}
function writesOf(files, partBytes) {
  return files.reduce((sum, { count, bytes }) => {
    const parts = partsOf(bytes, partBytes);
    return sum + count * (parts > 1 ? parts + 2 : parts);
  }, 0);
}
function secondsOf(writes, { writesPerSecond }) {
  return writesPerSecond === null ? 0 : writes / writesPerSecond;
}
function filesOf({ weightBytes, checkpointBytes }, { weightWriters, optimizerWriters }) {
  const rest = checkpointBytes - weightBytes;
  return [
    { count: weightWriters, bytes: Math.ceil(weightBytes / weightWriters) },
    ...rest > 0 ? [{ count: optimizerWriters, bytes: Math.ceil(rest / optimizerWriters) }] : []
  ];
}
function powerOfTwo(bytes) {
  return MiB4 * 2 ** Math.max(0, Math.ceil(Math.log2(bytes / MiB4)));
}
function problemOf(fileBytes, partBytes, limits) {
  if (fileBytes > limits.largestObjectBytes) return "object-too-large";
  return partBytes > limits.largestPartBytes ? "part-too-large" : null;
}
var MiB4, usualPartBytes, largestRaisedBytes;
var init_objectRequests = __esm({
  "src/core/planning/keeping/objectRequests.ts"() {
    "use strict";
    MiB4 = 2 ** 20;
    usualPartBytes = 16 * MiB4;
    largestRaisedBytes = 512 * MiB4;
  }
});

// src/core/planning/advice/feasibility.ts
function blockersOf(parts, given2) {
  return [
    ...gpuMemory(parts, given2),
    ...topology(parts),
    ...experts(parts),
    ...room(parts, given2),
    ...storeRoom(parts, given2),
    ...drives(parts),
    ...objectSize(parts, given2),
    ...pileUp(parts, given2),
    ...network(parts, given2),
    ...loss(parts, given2),
    ...walltime(parts, given2),
    ...restoring(parts, given2),
    ...failing(parts, given2)
  ];
}
function isOfInterval({ id }) {
  return id === "saves-pile-up" || id === "writers-network";
}
function gpuMemory({ inputs, memory }, given2) {
  const isGiven = given2.deviceMemoryBytes !== void 0 || gpuModelOf(inputs.gpu) !== null;
  const gpuBytes = isGiven ? inputs.deviceMemoryBytes : largestGpuBytes;
  const neededBytes = memory.planned.totalBytes;
  if (neededBytes <= gpuBytes) return [];
  const onGpu = { ...inputs, deviceMemoryBytes: gpuBytes };
  const fittingStage = zeroStages.find((zeroStage) => fits({ ...onGpu, zeroStage })) ?? null;
  const fitsWithFullActivations = fits({ ...onGpu, activations: "full" });
  return [{ id: "gpu-memory", neededBytes, gpuBytes, fittingStage, fittingGpus: fittingGpus(onGpu), fitsWithFullActivations }];
}
function fittingGpus(inputs) {
  const { tensorParallel, pipelineParallel } = inputs;
  const replica = tensorParallel * pipelineParallel;
  const doFit = (replicas) => fits({ ...inputs, zeroStage: "3", gpus: replica * replicas, dataParallel: null, shardDegree: null });
  let [few, many] = [0, 1];
  while (!doFit(many)) {
    if (replica * many > mostGpus3) return null;
    [few, many] = [many, many * 2];
  }
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (doFit(middle)) many = middle;
    else few = middle;
  }
  return replica * many;
}
function topology({ save }) {
  const { product, gpus, tensorParallel, pipelineParallel } = save.topology;
  if (product === null) return [];
  const replicaGpus = tensorParallel * pipelineParallel;
  const fits2 = gpus % replicaGpus === 0 ? gpus / replicaGpus : null;
  return [{ id: "topology", product, gpus, replicaGpus, fittingDataParallel: fits2 }];
}
function experts({ save }) {
  const { expertParallel, dataParallel } = save.topology;
  return expertParallel > dataParallel ? [{ id: "experts", expertParallel, dataParallel }] : [];
}
function room({ inputs, size, save, levels }, given2) {
  const found = [];
  for (const { id, room: place, everySaves } of levels.levels) {
    if (place === null || place.neededBytes <= place.nodeBytes) continue;
    if (!isAnyGiven(given2, id === "host-memory" ? "hostMemoryBytes" : "nvmeCapacityBytes")) continue;
    if (id === "host-memory") {
      const all = writersOf(save.topology, size, "3", inputs.gpusPerNode).largestNodeBytes;
      const neededIfAllWriteBytes = place.neededBytes / save.writers.largestNodeBytes * all;
      found.push({ id: "host-memory", ...place, neededIfAllWriteBytes });
    } else if (everySaves !== null) found.push({ id: "drives-full", ...place });
  }
  return found;
}
function storeRoom({ inputs, size, save }, given2) {
  const neededBytes = 2 * size.checkpointBytes;
  const roomBytes = storeRoomOf(inputs, size.checkpointBytes, save.writers.largestNodeBytes);
  if (!isAnyGiven(given2, "storeCapacityBytes", "nvmeCapacityBytes")) return [];
  if (roomBytes === null || roomBytes >= neededBytes) return [];
  return [{ id: "store-room", neededBytes: neededBytes * inputs.jobs, roomBytes: roomBytes * inputs.jobs }];
}
function drives({ inputs }) {
  return driveCopies(inputs) !== null && driveRateOf(inputs, "write") === null ? [{ id: "no-drives" }] : [];
}
function objectSize({ inputs, size, save }, given2) {
  const { objects } = systemOf(inputs.store);
  if (objects === null) return [];
  const { problem, largestFileBytes: fileBytes } = objectRequests(size, save.writers, objects, save.saveSeconds);
  const isSharded = isAnyGiven(given2, "zeroStage") || save.writers.writers === save.topology.gpus;
  if (problem === null || !isSharded) return [];
  const largestBytes = Math.min(objects.largestObjectBytes, objects.mostParts * objects.largestPartBytes);
  return [{ id: "object-size", fileBytes, largestBytes, writers: save.writers.writers }];
}
function pileUp({ inputs, size, save }, given2) {
  if (save.intervalBasis !== "given") return [];
  if (inputs.saveMode === "multi-level" || save.overlap <= tolerance || !isRateGiven(given2, save)) return [];
  const { saveSeconds, intervalSeconds, overlap } = save;
  return [
    {
      id: "saves-pile-up",
      overlap,
      breaksAtSave: inputs.saveMode === "synchronous" ? null : firstBlockedSave(saveSeconds, intervalSeconds),
      neededIntervalSeconds: saveSeconds,
      neededBytesPerSecond: save.demand.leastBytesPerSecond * inputs.jobs,
      largestBytes: size.checkpointBytes / overlap
    }
  ];
}
function firstBlockedSave(saveSeconds, intervalSeconds) {
  return Math.floor((2 * saveSeconds - intervalSeconds) / (saveSeconds - intervalSeconds)) + 1;
}
function network({ inputs, size, save, levels }, given2) {
  const isSharded = isAnyGiven(given2, "zeroStage") || save.writers.writingNodes === save.topology.nodes;
  if (!isClientGiven(given2) || !isSharded) return [];
  const { writingNodes, largestNodeBytes } = save.writers;
  const drainSeconds = largestNodeBytes / clientRateOf(inputs);
  const store = levels.levels.find(({ id }) => id === "shared-store");
  const intervalSeconds = store?.intervalSeconds ?? save.intervalSeconds;
  if (drainSeconds <= intervalSeconds * tolerance) return [];
  const neededNodes = Math.ceil(size.checkpointBytes / (clientRateOf(inputs) * intervalSeconds));
  return [{ id: "writers-network", drainSeconds, intervalSeconds, neededNodes, writingNodes }];
}
function loss({ inputs, size, save, levels }, given2) {
  if (save.intervalBasis !== "given" && !isRateGiven(given2, save)) return [];
  const acceptableSeconds = inputs.acceptableLossSeconds;
  if (acceptableSeconds === null) return [];
  const lostSeconds = levels.recoveries.reduce(
    (most, { share, level, recoveryPointSeconds }) => share > 0 && level !== "object-store" ? Math.max(most, recoveryPointSeconds ?? 0) : most,
    0
  );
  if (lostSeconds <= acceptableSeconds * tolerance) return [];
  return [
    {
      id: "acceptable-loss",
      lostSeconds,
      acceptableSeconds,
      neededBytesPerSecond: rateForAcceptableLoss(inputs, size) * inputs.jobs
    }
  ];
}
function walltime({ inputs, save }, given2) {
  const { walltimeSeconds } = inputs;
  const restartSeconds = isAnyGiven(given2, "restartSeconds") ? inputs.restartSeconds : 0;
  const stallSeconds = isStallGiven(given2, save) ? save.stallSeconds : 0;
  const saveSeconds = isRateGiven(given2, save) ? save.saveSeconds : 0;
  const neededSeconds = restartSeconds + Math.max(stallSeconds, saveSeconds);
  return walltimeSeconds === null || neededSeconds < walltimeSeconds ? [] : [{ id: "walltime", walltimeSeconds, neededSeconds }];
}
function restoring({ inputs, save, restore }, given2) {
  const { mtbfSeconds } = save;
  const readSeconds = Math.min(restore.planned.seconds, restore.broadcast.seconds);
  const isGiven = inputs.readBytesPerSecond !== null || inputs.writeBytesPerSecond !== null;
  if (!isGiven || !isMtbfGiven(given2) || readSeconds <= mtbfSeconds) return [];
  return [
    {
      id: "never-restored",
      readSeconds,
      mtbfSeconds,
      neededBytesPerSecond: restore.broadcast.volumeBytes / mtbfSeconds * inputs.jobs
    }
  ];
}
function failing({ inputs, save }, given2) {
  const { mtbfSeconds } = save;
  const restartSeconds = isAnyGiven(given2, "restartSeconds") ? inputs.restartSeconds : 0;
  const stallSeconds = isStallGiven(given2, save) ? save.stallSeconds : 0;
  const of = restartSeconds >= stallSeconds ? "restart" : "stall";
  const neededSeconds = Math.max(restartSeconds, stallSeconds);
  if (!isMtbfGiven(given2) || mtbfSeconds >= neededSeconds) return [];
  const mostGpus4 = Math.floor(mtbfSeconds * inputs.gpus / neededSeconds);
  return [{ id: "never-finishes", mtbfSeconds, neededSeconds, of, mostGpus: mostGpus4 }];
}
var mostGpus3, tolerance;
var init_feasibility = __esm({
  "src/core/planning/advice/feasibility.ts"() {
    "use strict";
    init_clientRate();
    init_intervalBounds();
    init_gpuModels();
    init_memoryFit();
    init_writers();
    init_given();
    init_objectRequests();
    init_nodeDrives();
    init_storageSystems();
    mostGpus3 = 1e7;
    tolerance = 1 + 1e-9;
  }
});

// src/core/planning/advice/recommendation.ts
function recommendationOf(parts) {
  const { inputs, size, save, restore, levels, frontier, better } = parts;
  const every = levels.levels.find(({ id }) => id === "shared-store")?.everySaves ?? 1;
  const { stalled, repeated, restarting } = save.shares;
  const wanted = better?.save ?? save;
  return {
    saveTo: inputs.saveMode === "synchronous" ? "shared-store" : "host-memory",
    storeEverySaves: every,
    neededBytesPerSecond: save.demand.requiredBytesPerSecond / every,
    region: save.region,
    overlap: save.overlap,
    wanted: {
      intervalSeconds: wanted.intervalSeconds,
      bytesPerSecond: wanted.writeBytesPerSecond,
      overlap: wanted.overlap,
      region: wanted.region,
      trainingShare: frontier.planned.trainingShare
    },
    better: better === null ? null : {
      intervalSeconds: better.save.intervalSeconds,
      bytesPerSecond: better.save.writeBytesPerSecond,
      gainShare: better.gainShare
    },
    twiceTheBandwidth: {
      gainShare: frontier.twice.trainingShare - frontier.planned.trainingShare,
      gainPerMonth: frontier.planned.lostPerMonth - frontier.twice.lostPerMonth,
      costPerMonth: frontier.twice.storagePerMonth - frontier.planned.storagePerMonth
    },
    savingAndRepeatedShare: stalled + repeated,
    restartingShare: restarting + levels.slowRestoreShare + stopShare(inputs, save),
    lateCopiesShare: levels.furtherLossShare,
    restoreFactor: restore.planned.volumeBytes / size.checkpointBytes
  };
}
function betterPlan({ inputs, size, save, levels }) {
  if (save.intervalBasis !== "given") return null;
  const free = { ...inputs, intervalSeconds: null, intervalSteps: null };
  const other = savePlan(free, size, chooseBandwidth(free, size));
  const isPilingUp = save.region === "impossible" && inputs.saveMode === "asynchronous";
  const lost = isPilingUp ? lostWhilePiledUp(inputs, size, save) : lostShareOf(inputs, save, levels);
  const lostByOther = lostShareOfSave(free, size, other);
  const isCheaper = dollarsPerSecond(free, other.writeBytesPerSecond, lostByOther) <= dollarsPerSecond(inputs, save.writeBytesPerSecond, lost);
  if (!isPilingUp && (!isCheaper || lost - lostByOther < leastGain)) return null;
  return { inputs: free, save: other, gainShare: Math.max(0, lost - lostByOther) };
}
function lostWhilePiledUp(inputs, size, save) {
  const slowed = { ...inputs, intervalSeconds: save.saveSeconds };
  const own = { bytesPerSecond: save.writeBytesPerSecond, basis: save.bandwidthBasis };
  return lostShareOfSave(slowed, size, savePlan(slowed, size, own));
}
var leastGain;
var init_recommendation = __esm({
  "src/core/planning/advice/recommendation.ts"() {
    "use strict";
    init_bandwidthChoice();
    init_lostShare();
    init_savePlan();
    leastGain = 2e-3;
  }
});

// src/core/planning/advice/risks.ts
function riskPlan(parts, given2) {
  const { inputs } = parts;
  const risks = [
    ...intervalRisk(parts),
    ...restoreRisk(parts),
    ...timeRisks(parts, given2),
    ...copyRisks(parts, given2),
    ...failureRisk(parts, given2),
    ...emergencyRisk(parts)
  ].filter(({ lostShare }) => lostShare > 0);
  return { risks: risks.sort((a, b) => b.lostShare - a.lostShare), gpuSeconds: inputs.gpus * inputs.runSeconds };
}
function intervalRisk({ study, save }) {
  if (save.intervalBasis !== "given") return [];
  const lostShare = study.best.goodput - study.planned.goodput;
  return [{ id: "interval", bestIntervalSeconds: study.best.intervalSeconds, lostShare }];
}
function restoreRisk({ inputs, save, restore, levels }) {
  if (inputs.readBytesPerSecond === null && inputs.writeBytesPerSecond === null) return [];
  const { planned, broadcast: broadcast2 } = restore;
  const ofStore = levels.recoveries.filter(({ level }) => level === "shared-store");
  const lostShare = slowRestoreShare(ofStore, inputs, save, planned.seconds);
  return [{ id: "slow-restore", readSeconds: planned.seconds, broadcastSeconds: broadcast2.seconds, lostShare }];
}
function timeRisks({ inputs, save, study }, given2) {
  const { stalled, repeated, restarting } = save.shares;
  const ofInterval = study.best.goodput - study.planned.goodput;
  const restart = { id: "restart", restartSeconds: inputs.restartSeconds, lostShare: restarting };
  const stall = {
    id: "stall",
    gainOfHalfShare: study.halfTheStall.goodput - study.best.goodput,
    lostShare: stalled + repeated - Math.max(0, ofInterval)
  };
  return [...isAnyGiven(given2, "restartSeconds") ? [restart] : [], ...isStallGiven(given2, save) ? [stall] : []];
}
function copyRisks({ inputs, save, levels }, given2) {
  const missing = levels.recoveries.flatMap(
    ({ failure, level, secondsBetween }) => level === null && Number.isFinite(secondsBetween) && isPlaceGiven(failure, given2) ? [{ id: "no-copy", failure, secondsBetween, lostShare: expectedLossOfRun(inputs.runSeconds / secondsBetween) }] : []
  );
  if (!isRateGiven(given2, save)) return missing;
  return [...missing, { id: "late-copies", drainLossShare: levels.drainLossShare, lostShare: levels.furtherLossShare }];
}
function isPlaceGiven(failure, given2) {
  return isAnyGiven(given2, failure === "site" ? "objectStore" : "store");
}
function expectedLossOfRun(failuresOfRun) {
  return -Math.expm1(-failuresOfRun) / 2;
}
function failureRisk(parts, given2) {
  const doubt = isMtbfGiven(given2) ? failureDoubt(parts, given2) : null;
  return doubt === null ? [] : [{ id: "unknown-failures", ...doubt }];
}
function failureDoubt({ inputs, save, study }, given2) {
  const isGiven = isMtbfGiven(given2);
  if (isGiven && !study.isScalingOptimistic) return null;
  const factor = Math.max(isGiven ? 1 : 2, study.isScalingOptimistic ? smallJobFactor(inputs.gpus) : 1);
  const failureSeconds = save.failureSeconds / factor;
  const mtbfSeconds = save.isWarned ? failureSeconds : withReclaims(failureSeconds, inputs.reclaimSeconds);
  const costs = { ...study.costs, mtbfSeconds };
  const share = goodput(save.intervalSeconds, costs);
  return { factor, goodput: share, lostShare: Math.max(0, study.planned.goodput - share) };
}
function emergencyRisk({ emergency, save, inputs }) {
  const { best } = emergency;
  if (best.fits || save.bandwidthBasis !== "given" || inputs.reclaimSeconds === null) return [];
  const lostSeconds = save.intervalSeconds / 2;
  return [
    {
      id: "no-emergency-save",
      neededSeconds: best.neededSeconds,
      lostSeconds,
      lostShare: Math.min(1, lostSeconds / inputs.reclaimSeconds)
    }
  ];
}
var init_risks = __esm({
  "src/core/planning/advice/risks.ts"() {
    "use strict";
    init_interval();
    init_failureRates();
    init_levels();
    init_savePlan();
    init_given();
  }
});

// src/core/planning/advice/actions.ts
function actionsOf(parts, given2, isMeasured) {
  const unblocking = parts.blockers.flatMap(
    (blocker, index) => isOfInterval(blocker) ? [] : [{ id: "unblock", blocker: index }]
  );
  const needed = [
    ...unblocking.slice(0, mostActions - 1),
    { id: "interval" },
    ...provided(parts),
    ...warned(parts),
    ...roomy(parts),
    ...broadcast(parts)
  ];
  const gaining = [...otherMode(parts), ...failures(parts, given2), ...shorter(parts)].sort((a, b) => gainOf(b) - gainOf(a));
  const keeping = isRateGiven(given2, parts.save) && parts.frontier.cheaper === null ? [{ id: "keep-bandwidth" }] : [];
  const isToCheck = !isMeasured && !needed.some(({ id }) => id === "provide");
  const measuring = isToCheck ? [{ id: "measure-bandwidth" }] : [];
  return [...needed, ...gaining, ...keeping, ...measuring].slice(0, mostActions);
}
function gainOf(action) {
  return action.id === "measure-failures" ? action.lostShare / 2 : action.gainShare;
}
function provided({ save, frontier }) {
  if (frontier.cheaper !== null) return [{ id: "other-bandwidth", other: frontier.cheaper }];
  const { bandwidthBasis, writeBytesPerSecond: bytesPerSecond } = save;
  return bandwidthBasis === "pays" && bytesPerSecond > slowestSold ? [{ id: "provide", bytesPerSecond }] : [];
}
function warned({ inputs, save, emergency }) {
  if (inputs.reclaimSeconds === null) return [];
  return [{ id: "warning", fits: save.isWarned, neededSeconds: emergency.best.neededSeconds }];
}
function roomy({ quota }) {
  return quota?.fullAfterSeconds == null ? [] : [{ id: "room", fullAfterSeconds: quota.fullAfterSeconds }];
}
function broadcast({ inputs, save, restore, levels, recommendation }) {
  const { planned, broadcast: other } = restore;
  if (recommendation.restoreFactor < 1.5 || other.seconds >= planned.seconds) return [];
  const lostBy = (seconds) => slowRestoreShare(levels.recoveries, inputs, save, seconds);
  return lostBy(planned.seconds) - lostBy(other.seconds) < leastRestoreShare ? [] : [{ id: "broadcast" }];
}
function otherMode({ inputs, size, save, levels }) {
  const saveMode = inputs.saveMode === "synchronous" ? "asynchronous" : "multi-level";
  if (inputs.saveMode === "multi-level" || saveMode === "multi-level" && save.topology.nodes < 2) return [];
  const other = { ...inputs, saveMode, stallSeconds: saveMode === "asynchronous" ? null : inputs.stallSeconds };
  if (!fitsHost(other)) return [];
  const otherSave = savePlan(other, size, chooseBandwidth(other, size));
  const [lost, lostByOther] = [lostShareOf(inputs, save, levels), lostShareOfSave(other, size, otherSave)];
  const gainPerMonth = (dollarsPerSecond(inputs, save.writeBytesPerSecond, lost) - dollarsPerSecond(other, otherSave.writeBytesPerSecond, lostByOther)) * monthSeconds;
  const gainShare = lost - lostByOther;
  return gainPerMonth > 0 && gainShare >= leastGain ? [{ id: "save-mode", saveMode, gainShare, gainPerMonth }] : [];
}
function failures(parts, given2) {
  const doubt = failureDoubt(parts, given2);
  return doubt === null || doubt.lostShare < leastGain ? [] : [{ id: "measure-failures", ...doubt }];
}
function shorter({ inputs, sensitivity }) {
  const ids = { restart: "shorten-restart", stall: "shorten-stall" };
  return sensitivity.inputs.flatMap(({ input, lostShareHalved }) => {
    const gainShare = sensitivity.lostShare - lostShareHalved;
    const isOpen = input === "restart" || input === "stall" && inputs.saveMode !== "synchronous";
    return isOpen && gainShare >= leastGain ? [{ id: ids[input], gainShare }] : [];
  });
}
var mostActions, leastRestoreShare;
var init_actions = __esm({
  "src/core/planning/advice/actions.ts"() {
    "use strict";
    init_storageMoney();
    init_bandwidthChoice();
    init_levels();
    init_lostShare();
    init_saveModeFit();
    init_savePlan();
    init_storageSystem();
    init_feasibility();
    init_given();
    init_recommendation();
    init_risks();
    mostActions = 3;
    leastRestoreShare = 2e-4;
  }
});

// src/core/planning/advice/sensitivity.ts
function sensitivityPlan(inputs, size, save) {
  const own = save.writeBytesPerSecond;
  const lost = (change, bytesPerSecond = own, changedSize = size) => {
    const changed = { ...inputs, ...change };
    return lostShareOfSave(changed, changedSize, savePlan(changed, changedSize, { bytesPerSecond, basis: save.bandwidthBasis }));
  };
  const vary = (input, value, lostBy) => ({
    input,
    value,
    lostShareHalved: lostBy(0.5),
    lostShareDoubled: lostBy(2)
  });
  const varied = [
    vary("bandwidth", own, (factor) => lost({}, own * factor)),
    vary("mtbf", save.failureSeconds, (factor) => lost({ mtbfSeconds: save.failureSeconds * factor })),
    vary("restart", inputs.restartSeconds, (factor) => lost({ restartSeconds: inputs.restartSeconds * factor })),
    vary("interval", save.intervalSeconds, (factor) => lost({ intervalSeconds: save.intervalSeconds * factor })),
    // Where training waits for storage the stall is the bandwidth once more.
    ...save.stallBasis === "storage" ? [] : [vary("stall", save.stallSeconds, (factor) => lost({ stallSeconds: save.stallSeconds * factor }))],
    vary("size", size.checkpointBytes, (factor) => lost({}, own, scaled(size, factor)))
  ];
  return { lostShare: lost({}), inputs: varied.sort((a, b) => swing(b) - swing(a)) };
}
function swing({ lostShareHalved, lostShareDoubled }) {
  return Math.abs(lostShareDoubled - lostShareHalved);
}
function scaled(size, factor) {
  return { ...size, checkpointBytes: size.checkpointBytes * factor, weightBytes: size.weightBytes * factor };
}
var init_sensitivity = __esm({
  "src/core/planning/advice/sensitivity.ts"() {
    "use strict";
    init_lostShare();
    init_savePlan();
  }
});

// src/core/planning/systems/boughtCapacity.ts
function isBoughtAhead({ levels, price }) {
  return levels.length > 0 || price?.throughput !== void 0;
}
function boughtCapacity({ levels, price }, residentBytes, bytesPerSecond, perGiBMonth, nodes = 1) {
  const needed = residentBytes / usableShare;
  const offers = levels.map((level) => offerOf(level, needed, bytesPerSecond, perGiBMonth));
  const [first, ...others] = offers;
  if (first === void 0) return volumes(price, needed, bytesPerSecond, perGiBMonth, nodes);
  return others.reduce((best, offer) => isBetter(offer, best) ? offer : best, first);
}
function volumes(price, bytes, bytesPerSecond, given2, nodes) {
  const perGiB = given2 ?? (price === null ? null : price.perGBMonth / (price.unit === "GiB" ? 1 : 1e9 / GiB3));
  const { includedBytesPerSecond = 0, perGBps = 0 } = price?.throughput ?? {};
  const paidBytesPerSecond = given2 === null ? Math.max(0, bytesPerSecond - nodes * includedBytesPerSecond) : 0;
  const perMonth = perGiB === null ? null : bytes / GiB3 * perGiB + paidBytesPerSecond / 1e9 * perGBps;
  return { bytes, decidedBy: "bytes", level: null, systems: nodes, perMonth };
}
function offerOf(level, needed, bytesPerSecond, given2) {
  const forBandwidth = bytesPerSecond / level.bytesPerSecondPerTiB * TiB3;
  const wanted = Math.max(needed, forBandwidth);
  const systems = level.largestBytes === null ? 1 : Math.max(1, Math.ceil(wanted / level.largestBytes));
  const each = Math.max(level.leastBytes, Math.ceil(wanted / systems / level.stepBytes) * level.stepBytes);
  const price = given2 ?? level.perGiBMonth;
  return {
    bytes: each * systems,
    decidedBy: wanted < level.leastBytes ? "least" : forBandwidth > needed ? "bandwidth" : "bytes",
    level,
    systems,
    perMonth: price === null ? null : each * systems / GiB3 * price
  };
}
function isBetter(offer, best) {
  if (offer.perMonth !== null && best.perMonth !== null && offer.perMonth !== best.perMonth)
    return offer.perMonth < best.perMonth;
  return offer.bytes < best.bytes;
}
var GiB3, TiB3, usableShare;
var init_boughtCapacity = __esm({
  "src/core/planning/systems/boughtCapacity.ts"() {
    "use strict";
    GiB3 = 2 ** 30;
    TiB3 = 2 ** 40;
    usableShare = 0.8;
  }
});

// src/core/planning/keeping/writeCharges.ts
function chargePerByte(price, perGB) {
  return (perGB ?? 0) / (price?.unit === "GiB" ? GiB4 : GB);
}
function writeCharges({ objects, price }, size, writers, { full, exports, bytesPerSecond, seconds }) {
  const bytes = full * size.checkpointBytes + exports * size.weightBytes;
  const ofBytes = cheaperThroughput(bytes * chargePerByte(price, price?.perGBWritten), price, bytesPerSecond, seconds);
  if (objects === null) return ofBytes;
  const requestsOf = (checkpointBytes) => objectRequests({ ...size, checkpointBytes }, writers, objects, checkpointBytes / bytesPerSecond).writesPerCheckpoint;
  const requests = full * requestsOf(size.checkpointBytes) + exports * requestsOf(size.weightBytes);
  if (requests === 0) return 0;
  const per1000 = price?.per1000Writes ?? null;
  return per1000 === null ? null : requests * per1000 / 1e3 + ofBytes;
}
function cheaperThroughput(ofBytes, price, bytesPerSecond, seconds) {
  if (price?.provisionedPerGBps === void 0) return ofBytes;
  return Math.min(ofBytes, bytesPerSecond / GB * price.provisionedPerGBps * (seconds / monthSeconds));
}
var GB, GiB4;
var init_writeCharges = __esm({
  "src/core/planning/keeping/writeCharges.ts"() {
    "use strict";
    init_storageSystem();
    init_objectRequests();
    GB = 1e9;
    GiB4 = 2 ** 30;
  }
});

// src/core/planning/keeping/cost.ts
function keepingCost(inputs, size, save, kept, { restore, levels, stores }) {
  const places = kept.places.map((place) => placeCost(place, { inputs, size, save, kept, restore, levels, stores }));
  const missing = places.flatMap(({ place, paidBytes, perMonth, requestsForRun, egressForRun, restoresForRun }) => [
    ...perMonth === null && paidBytes > 0 ? [{ place, what: "stored" }] : [],
    ...requestsForRun === null ? [{ place, what: "requests" }] : [],
    ...egressForRun === null && paidBytes > 0 ? [{ place, what: "egress" }] : [],
    ...restoresForRun === null ? [{ place, what: "restores" }] : []
  ]);
  return {
    places,
    perMonth: sumOfKnown(places.map(({ perMonth }) => perMonth)),
    forRun: sumOfKnown(places.flatMap((place) => place.storedForRun === null ? [] : [costOfRun(place)])),
    missing
  };
}
function costOfRun({ storedForRun, requestsForRun, egressForRun, restoresForRun }) {
  return (storedForRun ?? 0) + (requestsForRun ?? 0) + (egressForRun ?? 0) + (restoresForRun ?? 0);
}
function sumOfKnown(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
function placeCost(place, plan) {
  const { inputs, kept, save } = plan;
  const system = systemAt(place.place, plan.stores);
  const given2 = place.place === "store" ? inputs.storePricePerGBMonth : inputs.objectPricePerGBMonth;
  const purchase = place.place === "store" && given2 === null ? purchaseOf(inputs) : null;
  const isGiven = given2 !== null || purchase !== null || system.price?.isOwn === true;
  const isOfNode = given2 === null && comesWithNode(system);
  const perByteMonth = isOfNode ? 0 : given2 === null ? listPrice(system.price) : given2 / GB2;
  const bought = boughtFor(place, system, save, given2);
  const paidBytes = system.objects === null ? place.peakBytes : place.bytes;
  const perMonth = purchase ?? (bought === null ? times(perByteMonth, paidBytes) : bought.perMonth);
  const least = system.price?.leastStoredSeconds ?? 0;
  const monthsOfRun = inputs.runSeconds / monthSeconds;
  const perRestore = restoreCost(place, system, plan);
  const restores = restoresFrom(place.place, plan);
  return {
    place: place.place,
    system,
    paidBytes: bought?.bytes ?? paidBytes,
    bought,
    perMonth,
    storedForRun: bought === null && purchase === null ? times(perByteMonth, byteMonths(place.place, kept, inputs.runSeconds, least)) : times(perMonth, monthsOfRun),
    requestsForRun: requestCost(place, system, plan),
    egressForRun: place.place === "region" ? times(egressPerByte(system, inputs.egressPricePerGB), place.bytes) : 0,
    perRestore,
    restoresForRun: restores === 0 ? 0 : times(perRestore, restores),
    isLeastTimeBilled: least > 0 && place.bytes > 0,
    priceBasis: isOfNode ? "node" : isGiven ? "given" : perMonth === null ? "missing" : "list",
    priceDate: !isGiven && !isOfNode && perMonth !== null ? system.price?.date ?? null : null
  };
}
function purchaseOf({ storeCapitalDollars, storeLifetimeSeconds, jobs }) {
  return storeCapitalDollars === null ? null : capitalPerMonth(storeCapitalDollars, storeLifetimeSeconds) / jobs;
}
function systemAt(place, { store, further }) {
  return (place === "store" ? null : further) ?? store;
}
function boughtFor(place, system, save, given2) {
  if (!isBoughtAhead(system)) return null;
  const speed = place.place === "store" ? save.writeBytesPerSecond : 0;
  const perGiB = given2 === null ? null : given2 / GB2 * GiB5;
  return boughtCapacity(system, place.peakBytes, speed, perGiB, save.writers.writingNodes);
}
function listPrice(price) {
  return price === null ? null : price.perGBMonth / (price.unit === "GiB" ? GiB5 : GB2);
}
function egressPerByte({ price }, given2) {
  const perGB = given2 ?? price?.egressPerGB ?? null;
  return perGB === null ? null : perGB / GB2;
}
function times(price, amount) {
  return price === null ? null : price * amount;
}
function byteMonths(place, kept, runSeconds, leastSeconds) {
  const { points, places } = kept;
  const foreverPlaces = places.filter(({ count }) => count.forever + count.exports > 0).length;
  const holdsForever = places.some((one) => one.place === place && one.count.forever + one.count.exports > 0);
  const bytesAt = (index) => {
    const point = points[index];
    if (point === void 0) return 0;
    const stays = holdsForever ? (point.foreverBytes + point.exportBytes) / foreverPlaces : 0;
    return stays + (place === "store" ? point.latestBytes : 0);
  };
  const grown = points.reduce((sum, { seconds }, index) => {
    const added = bytesAt(index) - bytesAt(index - 1);
    return sum + added * Math.max(runSeconds - seconds, leastSeconds) / monthSeconds;
  }, 0);
  return place === "object" ? grown + newestByteMonths(kept, runSeconds, leastSeconds) : grown;
}
function newestByteMonths(kept, runSeconds, leastSeconds) {
  const copies = newestCopies(kept);
  if (copies === 0 || kept.objectEvery === null) return 0;
  const apart = kept.objectEvery * kept.storeIntervalSeconds;
  const last = Math.max(0, runSeconds - copies * apart);
  const bytes = kept.writtenBytes / kept.saves;
  return bytes * ((copies - 1) * Math.max(apart, leastSeconds) + Math.max(last, leastSeconds)) / monthSeconds;
}
function newestCopies({ saves, objectEvery }) {
  return objectEvery === null ? 0 : Math.floor(saves / objectEvery);
}
function requestCost({ place, count }, system, { inputs, size, save, kept }) {
  const newest = place === "object" ? newestCopies(kept) : 0;
  return writeCharges(system, size, save.writers, {
    full: place === "store" ? kept.saves : count.forever + newest,
    exports: count.exports,
    bytesPerSecond: place === "store" ? save.writeBytesPerSecond : inputs.objectBytesPerSecond,
    seconds: inputs.runSeconds
  });
}
function restoreCost({ place }, { objects, price }, { size, save, inputs, restore }) {
  const bytes = place === "store" ? restore.planned.volumeBytes : size.checkpointBytes;
  const ofBytes = bytes * chargePerByte(price, price?.perGBRead);
  if (objects === null) return ofBytes;
  const per1000 = price?.per1000Reads ?? null;
  if (per1000 === null) return null;
  const rate = place === "store" ? save.writeBytesPerSecond : inputs.objectBytesPerSecond;
  const reads = objectRequests(size, save.writers, objects, size.checkpointBytes / rate).readsPerCheckpoint;
  return reads * bytes / size.checkpointBytes * per1000 / 1e3 + ofBytes;
}
function restoresFrom(place, { inputs, levels }) {
  const ofPlace = levels.recoveries.filter(({ level }) => level !== null && level === levelOfPlace[place]);
  return ofPlace.reduce((sum, { secondsBetween }) => sum + inputs.runSeconds / secondsBetween, 0);
}
var GB2, GiB5, levelOfPlace;
var init_cost = __esm({
  "src/core/planning/keeping/cost.ts"() {
    "use strict";
    init_capital();
    init_boughtCapacity();
    init_storageSystem();
    init_storageSystems();
    init_objectRequests();
    init_writeCharges();
    GB2 = 1e9;
    GiB5 = 2 ** 30;
    levelOfPlace = { store: "shared-store", object: "object-store", region: null };
  }
});

// src/core/planning/keeping/deletion.ts
function deletion(saved, policy) {
  if (saved.length === 0) return null;
  const ordered = inOrder(saved);
  const newest = ordered.findLastIndex(({ isFinished }) => isFinished);
  const window = newestComplete(ordered, Math.max(1, policy.keepLast));
  const numberOf = saveNumbers(ordered);
  const rows = ordered.map((checkpoint, index) => {
    const reason = reasonOf(checkpoint, index, { newest, window, every: policy.keepEvery, number: numberOf(index) });
    const { path, step, bytes } = checkpoint;
    return { path, step, bytes, reason, isKept: reason !== "interrupted" && reason !== "superseded" };
  });
  const dropped = rows.filter(({ isKept }) => !isKept);
  return {
    rows,
    kept: rows.length - dropped.length,
    dropped: dropped.length,
    freedBytes: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
    unnamed: policy.milestones + policy.legalHolds
  };
}
function reasonOf(checkpoint, index, { newest, window, every, number }) {
  if (index === newest) return "newest-complete";
  if (checkpoint.isLatest) return "latest-points-here";
  if (!checkpoint.isFinished) return index > newest ? "maybe-being-written" : "interrupted";
  if (window.has(index)) return "among-newest";
  return every > 0 && number !== null && number % every === 0 ? "every-nth" : "superseded";
}
function inOrder(saved) {
  if (saved.every(({ step }) => step !== null)) return [...saved].sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
  if (saved.every(({ savedAtSeconds }) => savedAtSeconds !== null))
    return [...saved].sort((a, b) => (a.savedAtSeconds ?? 0) - (b.savedAtSeconds ?? 0));
  return [...saved];
}
function newestComplete(ordered, count) {
  const complete = ordered.flatMap(({ isFinished }, index) => isFinished ? [index] : []);
  return new Set(complete.slice(-count));
}
function saveNumbers(ordered) {
  const steps = ordered.map(({ step }) => step);
  if (steps.some((step) => step === null)) return (index) => index + 1;
  const distances = steps.slice(1).map((step, index) => (step ?? 0) - (steps[index] ?? 0));
  const distance = mostFrequent(distances.filter((value) => value > 0));
  if (distance === null) return () => null;
  return (index) => {
    const number = (steps[index] ?? 0) / distance;
    return Number.isInteger(number) ? number : null;
  };
}
function mostFrequent(values) {
  const counts = /* @__PURE__ */ new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = null;
  for (const [value, count] of counts)
    if (best === null || count > best[1] || count === best[1] && value < best[0]) best = [value, count];
  return best === null ? null : best[0];
}
var init_deletion = __esm({
  "src/core/planning/keeping/deletion.ts"() {
    "use strict";
  }
});

// src/core/planning/keeping/retention.ts
function retention(inputs, size, save, { levels }) {
  const everyOf = (id) => levels.find((level) => level.id === id)?.everySaves ?? null;
  const storeEvery = everyOf("shared-store") ?? 1;
  const objectEvery = everyOf("object-store");
  const storeIntervalSeconds = save.intervalSeconds * storeEvery;
  const policy = policyOf(inputs, size, {
    saves: savesIn(inputs.runSeconds, storeIntervalSeconds),
    objectEvery: objectEvery === null ? null : Math.ceil(objectEvery / storeEvery)
  });
  const { saves, fullBytes, exportBytes } = policy;
  const kept = keptAfter(policy, saves);
  const writtenBytes = saves * fullBytes;
  const exportedBytes = kept.exports * exportBytes;
  const copiedBytes = copied(policy, kept);
  const places = ["store", "object", "region"].filter((place) => place === "store" || policy.places.includes(place) || countIn(place, policy, saves).latest > 0).map((place) => keptPlace(place, policy, save.writers));
  return {
    saves,
    allSaves: savesIn(inputs.runSeconds, save.intervalSeconds),
    storeIntervalSeconds,
    kept: { ...kept, latest: latestAfter(policy, saves) },
    exportBytes,
    writtenBytes,
    exportedBytes,
    copiedBytes,
    allWrittenBytes: writtenBytes + exportedBytes + copiedBytes,
    objectEvery: policy.objectEvery,
    residentBytes: places.reduce((sum, { bytes }) => sum + bytes, 0),
    peakBytes: places.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
    places,
    copies: policy.places.length,
    fullAfterSeconds: fullAfter(policy, storeRoomOf(inputs, fullBytes, save.writers.largestNodeBytes), storeIntervalSeconds),
    points: curve(policy, storeIntervalSeconds)
  };
}
function peakIn({ places }, place) {
  return places.find((one) => one.place === place)?.peakBytes ?? 0;
}
function savesIn(runSeconds, intervalSeconds) {
  return Math.floor(runSeconds / intervalSeconds * (1 + 1e-12));
}
function policyOf(inputs, size, { saves, objectEvery }) {
  const places = placesOfWhatStays(inputs);
  return {
    saves,
    objectEvery,
    // The newest is never deleted: a run that keeps none could not go on.
    latest: Math.max(1, inputs.keepLast),
    every: inputs.keepEvery,
    spread: Math.min(saves, inputs.milestones + inputs.legalHolds),
    exportEvery: inputs.exportEvery,
    foreverInStore: places.includes("store"),
    places,
    fullBytes: size.checkpointBytes,
    exportBytes: size.weightBytes
  };
}
function copied({ saves, places, foreverInStore, fullBytes, exportBytes, objectEvery }, kept) {
  const further = places.length - 1;
  const ofFull = foreverInStore ? further : places.length;
  const newest = objectEvery === null ? 0 : Math.floor(saves / objectEvery);
  return (ofFull * kept.forever + newest) * fullBytes + further * kept.exports * exportBytes;
}
function placesOfWhatStays({ secondRegion, copies, ...stores }) {
  const away = [
    ...furtherStoreOf(stores) === null ? [] : ["object"],
    ...secondRegion ? ["region"] : []
  ];
  const all = [...away, "store"];
  return all.slice(0, Math.max(copies, secondRegion ? away.length : 1));
}
function periodicAfter({ every }, n) {
  return every === 0 ? 0 : Math.floor(n / every);
}
function spreadAfter({ saves, spread }, n) {
  return saves === 0 ? 0 : Math.floor(n / saves * spread);
}
function keptAfter(policy, n) {
  const { exportEvery } = policy;
  return {
    latest: 0,
    forever: Math.min(n, periodicAfter(policy, n) + spreadAfter(policy, n)),
    exports: exportEvery === 0 ? 0 : Math.floor(n / exportEvery)
  };
}
function latestAfter(policy, n) {
  const window = Math.min(n, policy.latest);
  if (!policy.foreverInStore) return window;
  const all = Math.min(n, window + periodicAfter(policy, n - window) + spreadAfter(policy, n));
  return all - keptAfter(policy, n).forever;
}
function countIn(place, policy, n) {
  const stays = policy.places.includes(place) ? keptAfter(policy, n) : { latest: 0, forever: 0, exports: 0 };
  if (place === "store") return { ...stays, latest: latestAfter(policy, n) };
  const { objectEvery } = policy;
  return { ...stays, latest: place === "object" && objectEvery !== null && n >= objectEvery ? 1 : 0 };
}
function bytesIn(place, policy, n) {
  const { latest, forever, exports } = countIn(place, policy, n);
  return (latest + forever) * policy.fullBytes + exports * policy.exportBytes;
}
function peakInStore(policy, n) {
  const { latest, forever } = countIn("store", policy, n);
  return bytesIn("store", policy, n) + (latest + forever < n ? policy.fullBytes : 0);
}
function keptPlace(place, policy, { filesPerSave, weightWriters }) {
  const count = countIn(place, policy, policy.saves);
  const bytes = bytesIn(place, policy, policy.saves);
  return {
    place,
    count,
    bytes,
    peakBytes: place === "store" ? peakInStore(policy, policy.saves) : bytes + inFlight(place, policy),
    objects: (count.latest + count.forever) * filesPerSave + count.exports * weightWriters
  };
}
function inFlight(place, { objectEvery, saves, fullBytes }) {
  return place === "object" && objectEvery !== null && saves >= 2 * objectEvery ? fullBytes : 0;
}
function fullAfter(policy, capacityBytes, intervalSeconds) {
  if (capacityBytes === null || peakInStore(policy, policy.saves) <= capacityBytes) return null;
  let fits2 = 0;
  let overflows = policy.saves;
  while (overflows - fits2 > 1) {
    const middle = Math.floor((fits2 + overflows) / 2);
    if (peakInStore(policy, middle) <= capacityBytes) fits2 = middle;
    else overflows = middle;
  }
  return overflows * intervalSeconds;
}
function curve(policy, intervalSeconds) {
  const { saves, fullBytes, exportBytes, places } = policy;
  const count = Math.min(saves + 1, mostPoints);
  return Array.from({ length: count }, (_, index) => {
    const n = count < 2 ? 0 : Math.round(saves * index / (count - 1));
    const stays = keptAfter(policy, n);
    return {
      seconds: n * intervalSeconds,
      latestBytes: latestAfter(policy, n) * fullBytes,
      objectLatestBytes: countIn("object", policy, n).latest * fullBytes,
      foreverBytes: places.length * stays.forever * fullBytes,
      exportBytes: places.length * stays.exports * exportBytes
    };
  });
}
var mostPoints;
var init_retention = __esm({
  "src/core/planning/keeping/retention.ts"() {
    "use strict";
    init_storageSystems();
    init_nodeDrives();
    mostPoints = 200;
  }
});

// src/core/planning/keeping/quota.ts
function quotaOf(inputs, size, save, kept) {
  const largest = save.writers.largestNodeBytes;
  const capacityBytes = storeCapacityOf(inputs, size.checkpointBytes, largest);
  const roomBytes = storeRoomOf(inputs, size.checkpointBytes, largest);
  if (capacityBytes === null || roomBytes === null) return null;
  const savesThatFit = Math.floor(roomBytes / size.checkpointBytes);
  return {
    capacityBytes,
    usedBytes: Math.min(inputs.storeUsedBytes, capacityBytes),
    roomBytes,
    peakBytes: peakIn(kept, "store"),
    fullAfterSeconds: kept.fullAfterSeconds,
    fullIfKeptAfterSeconds: (savesThatFit + 1) * kept.storeIntervalSeconds
  };
}
function growthOf({ checkpointBytes }, { storeIntervalSeconds }) {
  return Array.from({ length: quarters }, (_, index) => {
    const seconds = (index + 1) * quarterSeconds;
    return { seconds, keptBytes: Math.floor(seconds / storeIntervalSeconds) * checkpointBytes };
  });
}
var quarterSeconds, quarters;
var init_quota = __esm({
  "src/core/planning/keeping/quota.ts"() {
    "use strict";
    init_nodeDrives();
    init_retention();
    quarterSeconds = 365.25 * 86400 / 4;
    quarters = 4;
  }
});

// src/core/planning/saving/emergency.ts
function emergencyPlan(inputs, size, { levels }) {
  const copySeconds = levels.find(({ id }) => id === "host-memory")?.stallSeconds ?? 0;
  const saves = levels.map((level) => emergencySave(level, copySeconds, inputs.graceSeconds, size.checkpointBytes));
  const lasting = saves.filter(({ level, outlivesTheMachine }) => outlivesTheMachine && level !== "object-store");
  const quickest = [...lasting.length > 0 ? lasting : saves].sort((a, b) => a.neededSeconds - b.neededSeconds);
  const left = inputs.graceSeconds - copySeconds;
  return {
    graceSeconds: inputs.graceSeconds,
    saves,
    best: quickest[0],
    neededBytesPerSecond: left > 0 ? size.checkpointBytes / left : null
  };
}
function emergencySave(level, copySeconds, graceSeconds, bytes) {
  const neededSeconds = level.id === "host-memory" ? copySeconds : copySeconds + level.drainSeconds;
  return {
    level: level.id,
    neededSeconds,
    fits: neededSeconds <= graceSeconds,
    largestBytes: largestThatFits(neededSeconds, graceSeconds, bytes),
    outlivesTheMachine: level.survives.includes("node")
  };
}
function largestThatFits(neededSeconds, graceSeconds, bytes) {
  return neededSeconds === 0 ? null : bytes * (graceSeconds / neededSeconds);
}
var init_emergency = __esm({
  "src/core/planning/saving/emergency.ts"() {
    "use strict";
  }
});

// src/core/planning/saving/frontier.ts
function mostRate({ bandwidthBasis, writeBytesPerSecond }, carried) {
  const isSold = bandwidthBasis !== "objects" && bandwidthBasis !== "limit";
  return Math.min(carried, isSold ? fastestSold : writeBytesPerSecond);
}
function ratesOf(inputs, size, save) {
  const rates = factors.map((factor) => save.writeBytesPerSecond * factor);
  if (save.bandwidthBasis !== "given") return rates;
  const { bytesPerSecond, basis } = chooseBandwidth({ ...inputs, writeBytesPerSecond: null }, size);
  const isNear = rates.some((rate) => Math.max(rate, bytesPerSecond) / Math.min(rate, bytesPerSecond) < leastFactor);
  return basis !== "pays" || isNear ? rates : [...rates, bytesPerSecond].sort((a, b) => a - b);
}
function bandwidthFrontier(inputs, size, save, storedBytes) {
  const own = save.writeBytesPerSecond;
  const carried = carriedRate(inputs, size, save.writers);
  const planned = pointOf(inputs, size, save, storedBytes);
  const at = (bytesPerSecond) => {
    if (bytesPerSecond === own) return [planned];
    if (bytesPerSecond < slowestSold || bytesPerSecond > mostRate(save, carried)) return [];
    const other = savePlan(inputs, size, { bytesPerSecond, basis: save.bandwidthBasis });
    return isOffered(inputs, size, other) ? [pointOf(inputs, size, other, storedBytes)] : [];
  };
  const gpusPerMonth = together(gpusMoney(inputs));
  const points = ratesOf(inputs, size, save).flatMap(at);
  return {
    planned,
    points,
    cheaper: cheaperOf(points, planned),
    twice: at(own * 2)[0] ?? planned,
    gpusPerMonth,
    worthGpus: gpusPerMonth === 0 ? 0 : planned.storagePerMonth / gpusPerMonth * inputs.gpus,
    gpuWatts: inputs.gpuWatts === null ? null : inputs.gpuWatts * inputs.gpus,
    worthGpusByPower: inputs.gpuWatts === null || planned.storageWatts === null ? null : planned.storageWatts / inputs.gpuWatts
  };
}
function cheaperOf(points, planned) {
  const [best = planned] = [...points].sort((a, b) => costOfPoint(a) - costOfPoint(b));
  return costOfPoint(best) < costOfPoint(planned) * (1 - leastSaving) ? best : null;
}
function costOfPoint({ lostPerMonth, storagePerMonth }) {
  return lostPerMonth + storagePerMonth;
}
function isOffered(inputs, size, { region, bandwidthBasis, writeBytesPerSecond }) {
  const competes = region === "slow" && bandwidthBasis === "pays" && inputs.saveMode === "asynchronous";
  return region !== "impossible" && !competes && writeBytesPerSecond >= rateForAcceptableLoss(inputs, size);
}
function wattsOf({ storageWattsPerGBps, storageWattsPerTB }, bytesPerSecond, storedBytes) {
  if (storageWattsPerGBps === null && storageWattsPerTB === null) return null;
  return (storageWattsPerGBps ?? 0) * bytesPerSecond / 1e9 + (storageWattsPerTB ?? 0) * storedBytes / 1e12;
}
function pointOf(inputs, size, save, storedBytes) {
  const lostShare = lostShareOfSave(inputs, size, save);
  return {
    bytesPerSecond: save.writeBytesPerSecond,
    intervalSeconds: save.intervalSeconds,
    trainingShare: 1 - lostShare,
    storagePerMonth: together(bandwidthMoney(inputs, save.writeBytesPerSecond)) + energyOfBytes(inputs, storedBytes),
    lostPerMonth: gpuDollarsPerSecond(inputs) * lostShare * monthSeconds,
    storageWatts: wattsOf(inputs, save.writeBytesPerSecond, storedBytes)
  };
}
var factors, leastFactor, leastSaving;
var init_frontier = __esm({
  "src/core/planning/saving/frontier.ts"() {
    "use strict";
    init_storageSystem();
    init_gpuMoney();
    init_storageMoney();
    init_bandwidthChoice();
    init_clientRate();
    init_intervalBounds();
    init_lostShare();
    init_savePlan();
    factors = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];
    leastFactor = 1.2;
    leastSaving = 0.02;
  }
});

// src/core/planning/saving/intervalStudy.ts
function intervalStudy(inputs, size, save) {
  const costs = costsOf(inputs, save);
  const at = (intervalSeconds) => ({ intervalSeconds, goodput: goodput(intervalSeconds, costs) });
  const own = { bytesPerSecond: save.writeBytesPerSecond, basis: save.bandwidthBasis };
  const bestOf = (change, bandwidth = own) => bestWith({ ...inputs, intervalSeconds: null, intervalSteps: null, ...change }, size, bandwidth);
  const twiceTheBandwidth = bestOf({}, { ...own, bytesPerSecond: own.bytesPerSecond * 2 });
  return {
    costs,
    best: at(save.bestIntervalSeconds),
    planned: at(save.intervalSeconds),
    hourly: save.leastIntervalSeconds > hour2 ? null : at(hour2),
    twiceTheBandwidth,
    halfTheMtbf: bestOf({ mtbfSeconds: save.failureSeconds / 2 }),
    // Where training waits for storage the bandwidth alone shortens the stall.
    halfTheStall: save.stallBasis === "storage" ? twiceTheBandwidth : bestOf({ stallSeconds: save.stallSeconds / 2 }),
    metaGoodput: metaGoodput(save.intervalSeconds, costs),
    isScalingOptimistic: inputs.mtbfSeconds === null && inputs.gpus < leastScalingGpus
  };
}
function costsOf({ restartSeconds }, { stallSeconds, mtbfSeconds }) {
  return { stallSeconds, mtbfSeconds, restartSeconds };
}
function bestWith(inputs, size, bandwidth) {
  const save = savePlan(inputs, size, bandwidth);
  const intervalSeconds = save.bestIntervalSeconds;
  return { intervalSeconds, goodput: goodput(intervalSeconds, costsOf(inputs, save)) };
}
function metaGoodput(intervalSeconds, { stallSeconds, mtbfSeconds, restartSeconds }) {
  const kept = 1 - (restartSeconds + intervalSeconds / 2) / mtbfSeconds;
  return Math.max(0, kept) / (1 + stallSeconds / intervalSeconds);
}
var hour2;
var init_intervalStudy = __esm({
  "src/core/planning/saving/intervalStudy.ts"() {
    "use strict";
    init_failureRates();
    init_interval();
    init_savePlan();
    hour2 = 3600;
  }
});

// src/core/planning/settings/planSettings.ts
function planSettings(inputs, levels, intervalSeconds) {
  const settings = settingsOf(inputs.framework);
  if (settings === null) return null;
  const values = saveValues(inputs, levels, intervalSeconds);
  return {
    framework: settings.label,
    language: settings.language,
    text: settings.lines(values).join("\n"),
    values,
    deletes: settings.deletes || values.keep === null,
    savesInBackground: settings.savesInBackground || !values.isInBackground
  };
}
function saveValues(inputs, { levels }, intervalSeconds) {
  const stepSeconds = stepSecondsOf(inputs);
  const storeSeconds = levels.find(({ id }) => id === "shared-store")?.intervalSeconds ?? intervalSeconds;
  const every = Math.max(1, Math.round(storeSeconds / intervalSeconds));
  const nearSteps = stepSeconds === null ? null : Math.max(1, Math.round(intervalSeconds / stepSeconds));
  const isMultiLevel = inputs.saveMode === "multi-level";
  return {
    steps: nearSteps === null ? null : nearSteps * every,
    nearSteps: isMultiLevel && every > 1 ? nearSteps : null,
    keep: inputs.keepEvery === 1 ? null : Math.max(1, inputs.keepLast),
    isInBackground: inputs.saveMode !== "synchronous"
  };
}
var init_planSettings = __esm({
  "src/core/planning/settings/planSettings.ts"() {
    "use strict";
    init_stepTime();
    init_frameworkSettings();
  }
});

// src/core/planning/systems/siteDefaults.ts
function siteOf({ site = "any", store }) {
  if (site !== "any") return site;
  return store === void 0 ? null : soleSiteOf(store);
}
function siteInputs(given2) {
  const site = siteOf(given2);
  return site === null ? {} : standards[site];
}
var standards;
var init_siteDefaults = __esm({
  "src/core/planning/systems/siteDefaults.ts"() {
    "use strict";
    init_siteNames();
    standards = {
      "on-premises": { store: "lustre", objectStore: "none" },
      aws: { store: "fsx-lustre", objectStore: "s3-standard" },
      google: { store: "gcp-managed-lustre", objectStore: "gcs-standard" },
      azure: { store: "azure-managed-lustre", objectStore: "azure-blob" }
    };
  }
});

// src/core/planning/systems/guidance.ts
function guidance(inputs, size, save, kept, { given: given2, own, stores }) {
  const needs = {
    writeBytesPerSecond: save.demand.requiredBytesPerSecond * inputs.jobs,
    readBytesPerSecond: size.checkpointBytes / inputs.restoreTargetSeconds,
    residentBytes: kept.places.find(({ place }) => place === "store")?.peakBytes ?? 0,
    saveSeconds: inputs.overlapTarget * save.intervalSeconds
  };
  const site = siteOf(inputs);
  const setting = { inputs, size, save, kept, given: given2, site, stores };
  const known = storageSystems.filter(({ name, id }) => !own.some((row2) => row2.name === id || row2.name === name));
  const judged = [
    ...own.map((row2) => judge(row2.system, needs, setting, row2)),
    ...known.map((system) => judge(system, needs, setting))
  ];
  const prices = judged.flatMap(
    ({ perMonth, isFit, isAvailable }) => isFit && isAvailable && perMonth !== null && perMonth > 0 ? [perMonth] : []
  );
  const cheapest = prices.reduce((least, price) => Math.min(least, price), Infinity);
  const verdicts = judged.map((verdict) => withPoints(verdict, needs, cheapest));
  return { site, needs, verdicts: verdicts.sort((a, b) => rankOf(a) - rankOf(b) || b.score - a.score) };
}
function rankOf({ isAvailable, isEnough, isFit }) {
  if (!isAvailable) return 3;
  return isEnough ? 0 : isFit ? 1 : 2;
}
function judge(system, needs, setting, own = null) {
  const { size, save, given: given2, site } = setting;
  const write = reachOf(system, needs.writeBytesPerSecond, "write", setting, own?.amounts.writeBytesPerSecond);
  const read = reachOf(system, needs.readBytesPerSecond, "read", setting, own?.amounts.readBytesPerSecond);
  const requests = system.objects === null ? null : objectRequests(size, save.writers, system.objects, needs.saveSeconds);
  const lostWith = failureClasses.filter((failure) => !system.survives.includes(failure));
  const survivesRacks = !lostWith.includes("node") && !lostWith.includes("rack");
  const isFit = survivesRacks && write.verdict !== "too-little" && system.latencySeconds[1] <= longestWaitSeconds && (requests?.problem ?? null) === null;
  const isAtHand = given2.store === system.id || given2.objectStore === system.id || comesWithNode(system) || own !== null;
  const works = isStoreOf(setting, system) && survivesRacks && save.region !== "impossible";
  const { writingNodes } = save.writers;
  const bought = isBoughtAhead(system) ? boughtCapacity(system, needs.residentBytes, needs.writeBytesPerSecond, null, writingNodes) : null;
  return {
    system,
    name: own?.name ?? null,
    score: 0,
    points: { write: 0, survives: 0, read: 0, limits: 0, interface: 0, price: 0 },
    isFit,
    isAvailable: own !== null || site === null || system.sites.includes(site),
    isAtHand,
    isEnough: isAtHand && (isFit || works),
    role: roleOf(system, isFit, write),
    write,
    read,
    lostWith,
    requests,
    partitions: requests === null ? 1 : Math.max(1, Math.ceil(requests.requestSeconds / needs.saveSeconds)),
    bought,
    perMonth: bought === null ? listPrice2(system, needs, setting) : bought.perMonth,
    isInNode: comesWithNode(system)
  };
}
function listPrice2(system, needs, { size, save, kept }) {
  const { price } = system;
  if (price === null) return null;
  const saves = monthSeconds / kept.storeIntervalSeconds;
  const writes = { full: saves, exports: 0, bytesPerSecond: needs.writeBytesPerSecond, seconds: monthSeconds };
  const stored = needs.residentBytes / (price.unit === "GiB" ? GiB6 : GB3) * price.perGBMonth;
  return stored + (writeCharges(system, size, save.writers, writes) ?? 0);
}
function reachOf(system, needed, direction, setting, ofFile) {
  const own = (isStoreOf(setting, system) ? void 0 : ofFile) ?? ownBandwidth(system, direction, setting);
  if (own !== null) return { verdict: own >= needed ? "enough" : "too-little", bytesPerSecond: own };
  const { sustained } = system;
  const published = direction === "write" ? sustained?.writeBytesPerSecond : sustained?.readBytesPerSecond;
  if (sustained === null || published === void 0 || published === null) return { verdict: "by-size", bytesPerSecond: null };
  if (sustained.per === "TiB" || sustained.per === "appliance") return { verdict: "by-size", bytesPerSecond: null };
  if (published >= needed) return { verdict: "enough", bytesPerSecond: published };
  return { verdict: published === bandwidthLimit(system, direction) ? "too-little" : "by-size", bytesPerSecond: published };
}
function ownBandwidth(system, direction, setting) {
  const { id, kind, sustained } = system;
  const { inputs, save, given: set2 } = setting;
  const { writers, writingNodes } = save.writers;
  if (id === "host-memory") return inputs.deviceToHostBytesPerSecond * writers;
  if (id === "neighbour-memory") return inputs.networkBytesPerSecond * writingNodes;
  if (id === "local-nvme" || id === "gpu-direct-storage")
    return (direction === "write" ? inputs.nvmeWriteBytesPerSecond : inputs.nvmeReadBytesPerSecond) * writingNodes;
  if (id === "neighbour-nvme") return (driveRateOf({ ...inputs, store: id }, direction) ?? 0) * writingNodes;
  const given2 = direction === "write" ? inputs.writeBytesPerSecond : inputs.readBytesPerSecond;
  if (isStoreOf(setting, system) && given2 !== null) return given2;
  if (kind === "object" && (isStoreOf(setting, system) || id === inputs.objectStore) && set2.objectBytesPerSecond !== void 0)
    return inputs.objectBytesPerSecond;
  const each = direction === "write" ? sustained?.writeBytesPerSecond : sustained?.readBytesPerSecond;
  if (sustained?.per === "GPU") return (each ?? 0) * writers;
  return sustained?.per === "volume" ? (each ?? 0) * writingNodes : null;
}
function isStoreOf({ stores }, { name }) {
  return name === stores.store.name;
}
function roleOf({ roles }, isFit, write) {
  const suits = (role) => role === "recent checkpoints" ? isFit : role === "burst buffer" ? write.verdict !== "too-little" : true;
  return roles.find(suits) ?? roles[0] ?? "datasets";
}
function withPoints(verdict, needs, cheapest) {
  const points = {
    write: 30 * reachShare(verdict.write, needs.writeBytesPerSecond, verdict.system.scalesOut),
    survives: (verdict.lostWith.includes("node") ? 0 : 15) + (verdict.lostWith.includes("rack") ? 0 : 10) + (verdict.lostWith.includes("site") ? 0 : 5),
    read: 10 * reachShare(verdict.read, needs.readBytesPerSecond, verdict.system.scalesOut),
    limits: limitPoints(verdict),
    interface: interfacePoints(verdict.system),
    price: pricePoints(verdict, cheapest)
  };
  return { ...verdict, points, score: Math.round(Object.values(points).reduce((sum, value) => sum + value, 0)) };
}
function reachShare({ verdict, bytesPerSecond }, needed, scalesOut) {
  if (verdict === "enough") return 1;
  if (verdict === "by-size") return scalesOut ? 2 / 3 : 1 / 3;
  return (bytesPerSecond ?? 0) / needed;
}
function limitPoints({ requests, partitions }) {
  if (requests === null) return 10;
  if (requests.problem !== null) return 0;
  return partitions > 1 ? 6 : 10;
}
function interfacePoints({ kind }) {
  if (kind === "archive") return 0;
  return kind === "shared" || kind === "node" ? 10 : 5;
}
function pricePoints({ perMonth, isInNode }, cheapest) {
  if (isInNode) return 10;
  if (perMonth === null) return 3;
  if (perMonth <= cheapest) return 10;
  return Math.max(0, 10 - 5 * Math.log10(perMonth / cheapest));
}
var longestWaitSeconds, GB3, GiB6;
var init_guidance = __esm({
  "src/core/planning/systems/guidance.ts"() {
    "use strict";
    init_objectRequests();
    init_writeCharges();
    init_boughtCapacity();
    init_siteDefaults();
    init_storageSystem();
    init_nodeDrives();
    init_storageSystems();
    longestWaitSeconds = 60;
    GB3 = 1e9;
    GiB6 = 2 ** 30;
  }
});

// src/core/planning/systems/tierPlan.ts
function tierPlan(inputs, size, { levels }, kept, cost, stores) {
  const costOf = (place) => cost.places.find((row2) => row2.place === place) ?? null;
  const region = kept.places.find(({ place }) => place === "region");
  return [
    ...levels.map((level) => tierOf(level, stores, kept, costOf)),
    ...region === void 0 ? [] : [regionTier(region, costOf("region"), inputs, size)]
  ];
}
function tierOf(level, stores, kept, costOf) {
  const { id, survives, everySaves, drainSeconds: seconds } = level;
  const tier = { id, survives, everySaves, seconds };
  if (id === "shared-store") return { ...tier, ...countsOf("store", kept), system: stores.store, cost: costOf("store") };
  if (id === "object-store") {
    const system = stores.further ?? stores.store;
    return { ...tier, ...countsOf("object", kept), system, cost: costOf("object") };
  }
  const full = everySaves === null ? 0 : hostCopies;
  return { ...tier, system: systemOf(id), full, forever: 0, exports: 0, cost: null };
}
function countsOf(place, { places }) {
  const count = places.find((row2) => row2.place === place)?.count ?? { latest: 0, forever: 0, exports: 0 };
  return { full: count.latest + count.forever, forever: count.forever, exports: count.exports };
}
function regionTier({ count }, cost, inputs, { checkpointBytes }) {
  return {
    id: "region",
    system: cost?.system ?? systemOf(inputs.store),
    everySaves: null,
    seconds: checkpointBytes / inputs.objectBytesPerSecond,
    survives: [...failureClasses],
    full: count.latest + count.forever,
    forever: count.forever,
    exports: count.exports,
    cost
  };
}
var init_tierPlan = __esm({
  "src/core/planning/systems/tierPlan.ts"() {
    "use strict";
    init_hostCopies();
    init_storageSystem();
    init_storageSystems();
  }
});

// src/core/planning/keeping/driveWear.ts
function driveWear(bytesPerSecond, capacityBytes) {
  if (capacityBytes <= 0) return null;
  const driveWritesPerDay = bytesPerSecond * day2 / capacityBytes;
  const ratedBytes = ratedWritesPerDay * capacityBytes * (ratedYears * year / day2);
  return { driveWritesPerDay, ratedForSeconds: bytesPerSecond === 0 ? Infinity : ratedBytes / bytesPerSecond };
}
var ratedWritesPerDay, ratedYears, day2, year;
var init_driveWear = __esm({
  "src/core/planning/keeping/driveWear.ts"() {
    "use strict";
    ratedWritesPerDay = 1;
    ratedYears = 5;
    day2 = 86400;
    year = 365.25 * day2;
  }
});

// src/core/planning/training/offload.ts
function offload(inputs, topology2, state, tokensPerSecond) {
  const ownBatch = topology2.dataParallel * inputs.microBatch * inputs.sequenceLength;
  const batchTokens = tokensPerStepOf(inputs) ?? Math.max(usualBatchTokens, ownBatch);
  const stepSeconds = inputs.stepSeconds ?? batchTokens / tokensPerSecond;
  const kinds = ["optimizer-memory", "optimizer-nvme", "all-nvme"].map(
    (kind) => offloadCost(kind, inputs, state, nodeParameters(inputs, topology2), stepSeconds)
  );
  return {
    stepSeconds,
    stepBasis: inputs.stepSeconds === null ? "batch" : "given",
    batchTokens,
    kinds,
    planned: kinds.find(({ kind }) => kind === inputs.offload) ?? null
  };
}
function nodeParameters({ parameters, gpusPerNode, gpus }, topology2) {
  const ranks = Math.min(topology2.tensorParallel * topology2.pipelineParallel * topology2.dataParallel, gpus);
  return parameters * Math.min(gpusPerNode, ranks) / ranks;
}
function offloadCost(kind, inputs, state, parameters, stepSeconds) {
  const moved = movedBytes(kind, state, parameters);
  const isOnDrives = kind !== "optimizer-memory";
  const driveBytes = moved.read + moved.written;
  const movedSeconds = isOnDrives ? timeOf(moved.read, inputs.nvmeReadBytesPerSecond) + timeOf(moved.written, inputs.nvmeWriteBytesPerSecond) : moved.host / (inputs.deviceToHostBytesPerSecond * inputs.gpusPerNode);
  const roomBytes = parameters * (state.optimizer + (kind === "all-nvme" ? state.weights + state.gradients : 0));
  return {
    kind,
    readBytes: moved.read,
    writtenBytes: moved.written,
    hostBytes: moved.host,
    neededBytesPerSecond: (isOnDrives ? driveBytes : moved.host) / stepSeconds,
    operationsPerSecond: driveBytes / blockBytes / stepSeconds,
    movedSeconds,
    shareOfStep: movedSeconds / stepSeconds,
    isStorageBound: movedSeconds > stepSeconds,
    wear: isOnDrives && Number.isFinite(movedSeconds) ? driveWear(moved.written / stepSeconds, inputs.nvmeCapacityBytes) : null,
    roomBytes,
    fits: roomBytes <= (isOnDrives ? inputs.nvmeCapacityBytes : inputs.hostMemoryBytes),
    gpuDirect: !isOnDrives ? "no-drives" : kind === "optimizer-nvme" ? "no-cpu-updates" : "weights-only",
    directShare: driveBytes === 0 ? 0 : moved.direct / driveBytes
  };
}
function movedBytes(kind, { weights, gradients, optimizer }, parameters) {
  const host = (gradients + weights) * parameters;
  if (kind === "optimizer-memory") return { read: 0, written: 0, host, direct: 0 };
  const state = optimizer * parameters;
  if (kind === "optimizer-nvme") return { read: state, written: state, host, direct: 0 };
  const streamed = 2 * weights * parameters;
  return {
    read: state + streamed + gradients * parameters,
    written: state + (weights + gradients) * parameters,
    host: streamed + gradients * parameters,
    direct: streamed
  };
}
function timeOf(bytes, bytesPerSecond) {
  return bytes === 0 ? 0 : bytes / bytesPerSecond;
}
var usualBatchTokens, blockBytes;
var init_offload = __esm({
  "src/core/planning/training/offload.ts"() {
    "use strict";
    init_driveWear();
    init_stepTime();
    usualBatchTokens = 4 * 2 ** 20;
    blockBytes = 2 ** 20;
  }
});

// src/core/planning/storagePlan.ts
function makePlan(document) {
  const { supplied } = document;
  const given2 = { ...supplied?.inputs, ...document.inputs };
  const inputs = completeInputs(given2);
  const stores = { store: supplied?.store ?? systemOf(inputs.store), further: furtherOf(inputs, supplied?.objectStore ?? null) };
  const size = plannedSize(inputs, document.measured);
  const save = savePlan(inputs, size, chooseBandwidth(inputs, size));
  const restore = restorePlan(inputs, size, save);
  const levels = saveLevels(inputs, size, save, restore);
  const kept = retention(inputs, size, save, levels);
  const cost = keepingCost(inputs, size, save, kept, { restore, levels, stores });
  const feed = dataFeed(inputs, save.topology.nodes, save.demand.requiredBytesPerSecond);
  const memory = trainingMemory(inputs, save.topology, size.checkpointBytes);
  const objects = objectSystemOf(inputs);
  const objectSeconds = objects?.id === inputs.store ? save.saveSeconds : size.checkpointBytes / inputs.objectBytesPerSecond;
  const parts = { inputs, size, save, restore, levels, study: intervalStudy(inputs, size, save) };
  const better = betterPlan(parts);
  const frontier = bandwidthFrontier(better?.inputs ?? inputs, size, better?.save ?? save, peakIn(kept, "store"));
  const emergency = emergencyPlan(inputs, size, levels);
  const recommendation = recommendationOf({ ...parts, frontier, better });
  const sensitivity = sensitivityPlan(inputs, size, save);
  const blockers = blockersOf({ ...parts, memory }, given2);
  const quota = quotaOf(inputs, size, save, kept);
  const isMeasured = document.origins?.writeBytesPerSecond?.kind === "measured";
  return {
    ...parts,
    frontier,
    emergency,
    settings: planSettings(inputs, levels, recommendation.wanted.intervalSeconds),
    retention: kept,
    quota,
    growth: growthOf(size, kept),
    cost,
    requests: objects?.objects == null ? null : objectRequests(size, save.writers, objects.objects, objectSeconds),
    deletion: deletion(document.saved, inputs),
    tiers: tierPlan(inputs, size, levels, kept, cost, stores),
    guidance: guidance(inputs, size, save, kept, { given: document.inputs, own: supplied?.rows ?? [], stores }),
    feed,
    memory,
    offload: offload(inputs, save.topology, memory.perParameter, feed.tokensPerSecond),
    sensitivity,
    blockers,
    risks: riskPlan({ ...parts, emergency }, given2),
    recommendation,
    actions: actionsOf({ ...parts, frontier, emergency, quota, recommendation, sensitivity, blockers }, given2, isMeasured)
  };
}
function furtherOf(inputs, own) {
  const further = furtherStoreOf(inputs);
  return further === null ? null : own ?? further;
}
function completeInputs(given2) {
  const values = { ...standardInputs, ...gpuInputs(given2.gpu), ...siteInputs(given2) };
  for (const key of planKeys) if (given2[key] !== void 0) values[key] = given2[key];
  values["gpuPricePerHour"] = boughtGpuPricePerHour(values) ?? values["gpuPricePerHour"];
  const fitting = fitToMemory(given2, values);
  const inputs = { ...fitting, ...fitSaving(given2, fitting) };
  if (given2.runSeconds != null) return inputs;
  return { ...inputs, runSeconds: secondsOfRun(inputs) ?? inputs.runSeconds };
}
var init_storagePlan = __esm({
  "src/core/planning/storagePlan.ts"() {
    "use strict";
    init_actions();
    init_feasibility();
    init_recommendation();
    init_risks();
    init_sensitivity();
    init_planInputs();
    init_cost();
    init_deletion();
    init_objectRequests();
    init_quota();
    init_gpuMoney();
    init_retention();
    init_bandwidthChoice();
    init_emergency();
    init_frontier();
    init_intervalStudy();
    init_levels();
    init_restore();
    init_saveModeFit();
    init_savePlan();
    init_planSettings();
    init_plannedSize();
    init_guidance();
    init_siteDefaults();
    init_storageSystems();
    init_tierPlan();
    init_dataFeed();
    init_gpuModels();
    init_stepTime();
    init_memoryFit();
    init_memory();
    init_offload();
  }
});

// .dbg.ts
var require_dbg = __commonJS({
  ".dbg.ts"() {
    init_storagePlan();
    var inputs = { "parameters": 1e9, "gpus": 2, "tensorParallel": 1, "pipelineParallel": 2, "mtbfSeconds": 3600, "store": "ebs-gp3" };
    var base = makePlan({ inputs, measured: [], saved: [] });
    var own = base.save.writeBytesPerSecond;
    for (const f of [0.5, 0.9, 0.99, 1, 1.0001, 1.01, 1.1, 2]) {
      const p = makePlan({ inputs: { ...inputs, writeBytesPerSecond: own * f }, measured: [], saved: [] });
      console.log(f, p.save.writeBytesPerSecond, p.save.intervalSeconds, p.save.intervalBasis, p.save.saveSeconds, p.save.shares.training, p.levels.furtherLossShare, p.levels.slowRestoreShare, 1 - p.sensitivity.lostShare, p.levels.levels.map((l) => l.id + ":" + l.everySaves).join(" "));
    }
    var i2 = { "stallSeconds": 1e-9, "mtbfSeconds": 6484693826483014e-7, "restartSeconds": 1e-9 };
    var q = makePlan({ inputs: i2, measured: [], saved: [] });
    console.log(q.study, q.save.intervalBasis, q.save.intervalSeconds, q.save.bestIntervalSeconds);
  }
});
export default require_dbg();
