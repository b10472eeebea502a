/** What a policy would keep and drop of the checkpoints that there are, and in which order it is safe to delete. */
import type { Deletion, DeletionReason } from '../../../planning/keeping/deletion.js';
import { formatBytes, formatCount } from '../../../text/units.js';
import { counted } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';

/** Rows that are shown; a run of a year has thousands. */
const shownRows = 100;

const reasonWords: Readonly<Record<DeletionReason, string>> = {
  'newest-complete': 'the newest complete one: never deleted',
  'latest-points-here': 'the pointer to the latest names it: never deleted',
  'maybe-being-written': 'newer than the newest complete one: may still be being written',
  'among-newest': 'among the newest that are kept',
  'every-nth': 'kept for ever, as every Nth is',
  interrupted: 'interrupted, and a newer one is complete',
  superseded: 'newer ones are complete, and no rule keeps it',
};

export function deletionStatement(deletion: Deletion | null): Statement[] {
  if (deletion === null) return [];
  return [
    {
      amount: formatBytes(deletion.freedBytes),
      text: `would be freed on this run: the policy drops ${formatCount(deletion.dropped)} of ${counted(deletion.rows.length, 'checkpoint')}`,
      detail:
        deletion.unnamed > 0
          ? `${counted(deletion.unnamed, 'milestone or held one', 'milestones and held ones')} look like any other here: take them out of the list first.`
          : 'Nothing is deleted here: this is a list to review.',
      kind: 'measured',
      derivation: {
        formula: 'kept = newest N ∪ every Nth ∪ newest complete ∪ pointed at ∪ may be being written',
        steps: [`${formatCount(deletion.kept)} are kept, ${formatCount(deletion.dropped)} are dropped`],
        source:
          'the policy above, on the checkpoints that the report found; which save one was follows from the distance of most steps',
      },
    },
  ];
}

/** What goes first, the oldest first. */
export function deletionTable(deletion: Deletion | null): PageTable[] {
  if (deletion === null) return [];
  const ordered = [...deletion.rows.filter(({ isKept }) => !isKept), ...deletion.rows.filter(({ isKept }) => isKept)];
  const hidden = ordered.length - shownRows;
  return [
    {
      id: 'deletion',
      caption: 'What the policy would do to this run',
      columns: [
        { label: 'checkpoint', isNumber: false },
        { label: 'step', isNumber: true },
        { label: 'bytes', isNumber: true },
        { label: 'verdict', isNumber: false },
        { label: 'why', isNumber: false },
      ],
      rows: ordered
        .slice(0, shownRows)
        .map(({ path, step, bytes, isKept, reason }) => [
          path,
          step === null ? '' : formatCount(step),
          formatBytes(bytes),
          isKept ? 'keep' : 'drop',
          reasonWords[reason],
        ]),
      note: hidden > 0 ? `${formatCount(hidden)} more are not shown.` : '',
    },
  ];
}

export function deletionNotes(deletion: Deletion | null): string[] {
  return [
    'The order that is safe: look up holds; verify size and checksum of every shard against a manifest (the ETag of a multipart upload is no MD5 of the object); see that the copy elsewhere is complete and verified; rename to a trash folder; wait; then purge. Delete all copies (file system, object versions, replicas), or write down which remain.',
    'Never delete the newest complete one, one that `latest` points at, one that is held, one whose copy elsewhere is not verified, or one that may still be being written. Rotation has removed the only copy while its upload was under way.',
    '`find -mtime +30 -delete` checks none of that: by age alone it takes the last complete checkpoint of a run that stopped, and half of one that is being read.',
    ...(deletion === null ? [] : ['Object stores with versions keep what was deleted, and bill it, until the versions expire.']),
  ];
}
