/** The script that removes from the trash what the first one moved there, after some days. */
import { counted } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import { toJson } from '../../text/json.js';
import { shellQuoted } from './shellText.js';
import { beginning, callsOf, entering, functions, holdsCheck, locking } from './scriptParts.js';
import type { ScriptPlan } from './scriptPlan.js';

export function purgeScript(plan: ScriptPlan): string {
  const { dropped, kept, freedBytes, purgeAfterDays: days } = plan;
  const what = `${counted(dropped.length, 'checkpoint')} (${formatBytes(freedBytes)})`;
  return [
    beginning(plan, `Removes ${what} from the trash of a run, ${counted(days, 'day')} after they were moved there.`),
    functions,
    callsOf('kept_are_there', 'is_kept', kept, ({ shown }) => [shellQuoted(shown)]),
    callsOf('purge_all', 'purge', dropped, ({ facts, shown, path }) => [
      shellQuoted(facts),
      shellQuoted(shown),
      shellQuoted(toJson(path)),
    ]),
    `is_kept() { is_there "$1" || stop "$2 is gone, and should have stayed"; }
steady() {
${holdsCheck(plan)}
  kept_are_there
  [ ! -L "$own" ] && [ ! -L "$own/trash" ] && [ ! -L "$trash" ] || stop "$trash is a link"
}
`,
    purging,
    entering,
    locking,
    `[ -f "$trash/.moved" ] || stop "the first script did not move everything to $trash"
${ageCheck(days)}steady
purge_all
if [ "$mode" = apply ]; then
  printf 'removed %s from %s\\n' ${shellQuoted(what)} "$run/\${trash#./}"
else
  printf 'would remove %s from %s; --apply removes them\\n' ${shellQuoted(what)} "$run/\${trash#./}"
fi
`,
  ].join('\n');
}

/** `-mtime +6` is true from seven whole days on. */
function ageCheck(days: number): string {
  if (days === 0) return '';
  return `[ -n "$(find "$trash/.moved" -prune -mtime +${days - 1})" ] || stop 'it is not ${counted(days, 'day')} since they were moved'\n`;
}

const purging = `purge() { # path, facts, name, path as JSON
  steady
  is_there "$1" && stop "$3 is there again beside the one in the trash"
  [ ! -L "$trash/$1" ] || stop "$3 is a link in the trash"
  same "$(cd -- "$trash" && facts "$1")" "$2" "$3 in the trash"
  if [ "$mode" = list ]; then
    printf 'would remove %s\\n' "$3"
    return
  fi
  rm -rf -- "$trash/$1" || stop "$3 cannot be removed"
  is_there "$trash/$1" && stop "$3 is still there"
  log purged "$4"
  printf 'removed %s\\n' "$3"
}
`;
