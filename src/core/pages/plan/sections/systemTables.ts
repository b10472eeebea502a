/** Storage systems in tables: judged for the plan, by which rules, and what is known of each with its source. */
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { type GuidanceRuleId, type Reach, type SystemVerdict, guidanceRules } from '../../../planning/systems/guidance.js';
import { siteNames, type Site } from '../../../planning/systems/siteNames.js';
import type { StorageSystem, SystemBandwidth } from '../../../planning/systems/storageSystem.js';
import { storageSystems } from '../../../planning/systems/storageSystems.js';
import { formatCount, shortNumber } from '../../../text/units.js';
import { shortDollars } from '../../../text/dollars.js';
import { counted, listed, shortRate, shortTime, shortTimes } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';

export function guidanceTable({ guidance }: StoragePlan): PageTable {
  const { site, needs, verdicts } = guidance;
  const there = verdicts.filter(({ isAvailable }) => isAvailable).length;
  return {
    id: 'guidance',
    caption:
      site === null
        ? `All ${formatCount(verdicts.length)} systems for this plan`
        : `${formatCount(there)} systems ${placeOf(site)} for this plan, and ${formatCount(verdicts.length - there)} that are not there`,
    columns: [
      { label: 'system', isNumber: false },
      { label: 'points', isNumber: true },
      { label: 'keeps checkpoints safe', isNumber: false },
      { label: 'best for', isNumber: false },
      { label: 'a month', isNumber: true },
      { label: 'for it', isNumber: false },
      { label: 'against it', isNumber: false },
    ],
    rows: verdicts.map((verdict) => [
      `${verdict.system.name}${verdict.isAtHand && !verdict.isInNode ? ', at hand' : ''}`,
      formatCount(verdict.score),
      safeWords(verdict, site),
      verdict.role,
      verdict.isInNode ? 'in the node' : shortDollars(verdict.perMonth),
      forIt(verdict, needs.writeBytesPerSecond).join('; '),
      againstIt(verdict, needs.writeBytesPerSecond).join('; '),
    ]),
    note: `Needed: ${shortRate(needs.writeBytesPerSecond)} writing, ${shortRate(needs.readBytesPerSecond)} reading to restore in time. What is at hand and enough comes first, then what keeps checkpoints safe while the run goes on, then by points. A month is for what lies on the shared storage and what a month of saves is charged, requests where their price is known; – is where no list price is known.`,
  };
}

/** `on AWS`, `on premises`. */
function placeOf(site: Site): string {
  return site === 'on-premises' ? siteNames[site] : `on ${siteNames[site]}`;
}

function safeWords({ isAvailable, isFit, isEnough }: SystemVerdict, site: Site | null): string {
  if (!isAvailable && site !== null) return `not ${placeOf(site)}`;
  if (isFit) return 'yes';
  return isEnough ? 'yes, slowly' : 'no';
}

function forIt({ write, isInNode, system }: SystemVerdict, needed: number): string[] {
  const { bytesPerSecond } = write;
  const times = bytesPerSecond === null ? 0 : bytesPerSecond / needed;
  const reach =
    write.verdict === 'enough' && bytesPerSecond !== null
      ? [
          `${shortRate(bytesPerSecond)} ${isOwn(system) || bytesPerSecond !== system.sustained?.writeBytesPerSecond ? 'here' : publishedIn(system)}: ${times >= 1.5 ? shortTimes(times) : ''}${times >= 1.5 ? ' ' : ''}what is needed`,
        ]
      : [];
  return [...reach, ...(isInNode ? ['comes with the node'] : []), ...system.strengths];
}

/** The evidence for a bandwidth, with its date. */
function publishedIn({ sources }: StorageSystem): string {
  const source = sources.find(({ of }) => of.includes('bandwidth'));
  return source === undefined ? 'published' : `published (${source.text}, ${source.date})`;
}

function isOwn({ kind, sustained }: StorageSystem): boolean {
  return kind === 'memory' || kind === 'node' || sustained === null;
}

function againstIt({ write, lostWith, requests, partitions, system }: SystemVerdict, needed: number): string[] {
  const limits = system.objects;
  return [
    ...reachProblem(write, needed, system),
    ...(lostWith.includes('node') ? ['is lost with a node'] : lostWith.includes('rack') ? ['is lost with a rack'] : []),
    ...(requests?.problem === 'object-too-large' ? ['a file of the checkpoint is larger than an object may be'] : []),
    ...(requests?.problem === 'part-too-large' ? ['a file of the checkpoint needs parts larger than allowed'] : []),
    ...(partitions > 1 && limits !== null
      ? [`its requests take ${shortTimes(partitions)} ${limits.rateOf} to be done in time`]
      : []),
    ...system.weaknesses,
  ];
}

function reachProblem({ verdict, bytesPerSecond }: Reach, needed: number, { objects, sustained }: StorageSystem): string[] {
  if (verdict === 'enough') return [];
  if (sustained?.per === 'appliance' && sustained.writeBytesPerSecond !== null)
    return [
      `${counted(Math.ceil(needed / sustained.writeBytesPerSecond), 'appliance')} of ${shortRate(sustained.writeBytesPerSecond)} to buy`,
    ];
  if (verdict === 'too-little') return [`${shortRate(bytesPerSecond ?? 0)} is too little`];
  return bytesPerSecond === null
    ? [objects === null ? 'bandwidth is what is bought' : 'no bandwidth is published: it grows with requests at once']
    : [`${shortTimes(needed / bytesPerSecond)} what was published`];
}

const ruleWords: Readonly<Record<GuidanceRuleId, string>> = {
  write:
    'writes what is needed: all points where this plan’s nodes or a published system reach it, two thirds where more servers would, a third where all meet at one server, else the share it reaches',
  survives: '15 for the loss of a node, 10 of a rack, 5 of the site',
  read: 'reads one checkpoint within the time for a restore, by the same shares',
  limits: 'file, part and object sizes are within limits; 6 where requests must be spread over several prefixes or buckets',
  interface: '10 for what is written to as to a directory, 5 through a library, 0 for what cannot be resumed from',
  price: '10 for the cheapest, 5 less for ten times its price; 10 for what comes with the node; 3 where no price is known',
};

export function rulesTable(): PageTable {
  return {
    id: 'guidance-rules',
    caption: 'How points are given',
    columns: [
      { label: 'rule', isNumber: false },
      { label: 'at most', isNumber: true },
      { label: 'how', isNumber: false },
    ],
    rows: guidanceRules.map(({ id, most }) => [ruleNames[id], formatCount(most), ruleWords[id]]),
    note: '“Keeps checkpoints safe” asks for more than points: it survives the loss of a node and of a rack, no limit is below the needed bandwidth, a first byte comes within a minute, and every file fits.',
  };
}

const ruleNames: Readonly<Record<GuidanceRuleId, string>> = {
  write: 'writing',
  survives: 'survives',
  read: 'reading',
  limits: 'limits',
  interface: 'way of writing',
  price: 'price',
};

const evidenceWords = { primary: '', secondary: ' (second hand)', recalled: ' (from memory, check it)' } as const;

export function systemsTable(): PageTable {
  madeSystemsTable ??= makeSystemsTable();
  return madeSystemsTable;
}

/** It is the same of every plan, and a plan is made for every key that is pressed. */
let madeSystemsTable: PageTable | undefined;

function makeSystemsTable(): PageTable {
  return {
    id: 'systems',
    caption: 'What is known of them',
    columns: [
      { label: 'system', isNumber: false },
      { label: 'burst', isNumber: false },
      { label: 'sustained', isNumber: false },
      { label: 'first byte', isNumber: false },
      { label: 'durability', isNumber: false },
      { label: 'consistency', isNumber: false },
      { label: 'limits that bite', isNumber: false },
      { label: 'roles', isNumber: false },
      { label: 'a GB for a month', isNumber: true },
      { label: 'sources', isNumber: false },
    ],
    rows: storageSystems.map((system) => [
      system.name,
      bandwidthWords(system.burst),
      bandwidthWords(system.sustained),
      `${latencyWords(system.latencySeconds[0])} to ${latencyWords(system.latencySeconds[1])}`,
      system.durability,
      system.consistency,
      system.limits.join('; '),
      listed(system.roles),
      priceWords(system),
      system.sources.map(({ of, text, date, evidence }) => `${of}: ${text}, ${date}${evidenceWords[evidence]}`).join('; '),
    ]),
    note: 'A bandwidth of a system is of the largest one that was published. Empty where none is published.',
  };
}

/** `0.1 µs`, `5 ms`, `12 hours`. */
function latencyWords(seconds: number): string {
  return seconds < 1e-3 ? `${shortNumber(seconds * 1e6)} µs` : shortTime(seconds);
}

function bandwidthWords(bandwidth: SystemBandwidth | null): string {
  if (bandwidth === null) return '';
  const { writeBytesPerSecond: write, readBytesPerSecond: read, per } = bandwidth;
  const of = per === 'system' ? 'published' : `for each ${per}`;
  if (write !== null && write === read) return `${shortRate(write)} ${of}`;
  const both = [
    ...(write === null ? [] : [`${shortRate(write)} writing`]),
    ...(read === null ? [] : [`${shortRate(read)} reading`]),
  ];
  return `${both.join(', ')} ${of}`;
}

function priceWords({ price, levels }: StorageSystem): string {
  if (price === null) return '';
  const prices = levels.flatMap(({ perGiBMonth }) => (perGiBMonth === null ? [] : [perGiBMonth]));
  // Levels go from the slowest to the fastest, and so do their prices.
  const [first, last] = [prices[0] ?? price.perGBMonth, prices.at(-1) ?? price.perGBMonth];
  const range = first === last ? `$${first}` : `$${first} to $${last}`;
  return `${range} a ${price.unit} (${price.date})`;
}
