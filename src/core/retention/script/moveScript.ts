/** The script that moves what a plan drops into the trash of the run, on the same file system. It removes nothing. */
import { formatBytes } from '../../text/units.js';
import { counted } from '../../text/quantities.js';
import { placeName } from '../../files/paths.js';
import { toJson } from '../../text/json.js';
import { shellQuoted } from './shellText.js';
import { beginning, callsOf, checksByTime, entering, functions, holdsCheck, locking } from './scriptParts.js';
import { isComparable, touchTime, type ScriptPlan } from './scriptPlan.js';

export function moveScript(plan: ScriptPlan): string {
  const { dropped, kept, freedBytes, plannedMs, files, parent } = plan;
  const inTrash = parent === '' ? '"$trash"' : `"$trash"/${shellQuoted(parent)}`;
  const what = `${counted(dropped.length, 'checkpoint')} (${formatBytes(freedBytes)})`;
  return [
    beginning(plan, `Moves ${what} of a run to its trash.`),
    `planned=${touchTime(plannedMs)}\nfiles=${files}\n`,
    functions,
    callsOf('kept_are_there', 'is_kept', kept, ({ shown }) => [shellQuoted(shown)]),
    callsOf('kept_are_same', 'is_same', kept.filter(isComparable), ({ facts, shown }) => [
      shellQuoted(facts),
      shellQuoted(shown),
    ]),
    callsOf('dropped_are_same', 'is_same', dropped, ({ facts, shown }) => [shellQuoted(facts), shellQuoted(shown)]),
    callsOf('move_all', 'move', dropped, (one) => [
      shellQuoted(one.facts),
      shellQuoted(one.shown),
      String(one.files),
      shellQuoted(toJson(one.path)),
    ]),
    stepChecks(plan),
    checksByTime,
    moving,
    entering,
    locking,
    `TZ=UTC0 touch -t "$planned" "$work/plan" || stop 'the time of the plan cannot be set'
steady
whole
kept_are_same
dropped_are_same
if [ "$mode" = apply ]; then
  is_there "$trash" && stop "$trash is there: this plan was applied before"
  mkdir -p -- ${inTrash} || stop "$trash cannot be made"
  [ "$(device "$trash")" = "$(device ${shellQuoted(`./${parent}`)})" ] || stop "$trash is on another file system"
fi
move_all
steady
whole
kept_are_same
if [ "$mode" = apply ]; then
  : >"$trash/.moved"
  printf 'moved %s to %s; the second script removes them after ${counted(plan.purgeAfterDays, 'day')}\\n' ${shellQuoted(what)} "$shown/\${trash#./}"
else
  printf 'would move %s to %s; --apply moves them\\n' ${shellQuoted(what)} "$shown/\${trash#./}"
fi
`,
  ].join('\n');
}

/** What must hold: before each step pointers and holds are the same (`steady`), and nothing was written since the plan and what stays is there (`whole`). */
function stepChecks(plan: ScriptPlan): string {
  const pointers = plan.pointers.map(({ path, isLink, text }) =>
    isLink
      ? `  link_is ${shellQuoted(`./${path}`)} ${shellQuoted(`${text}\nx`)}`
      : `  text_is ${shellQuoted(`./${path}`)} ${shellQuoted(`${text}x`)}`,
  );
  return `is_kept() { is_there "$1" || stop "$2 is gone, and should stay"; }
is_same() { same "$(facts "$1")" "$2" "$3"; }
steady() {
${holdsCheck(plan)}
${pointers.join('\n')}
}
whole() {
${nothingNewBeside(plan)}
  newer=$(find .//. -path './/./.stowage' -prune -o ! -type d -newer "$work/plan" -print | head -n 1)
  [ -z "$newer" ] || stop "something was written since the plan: $newer"
  # What a save begins with. Directories that something was moved out of still have what stays.
  begun=$(find .//. -path './/./.stowage' -prune -o -type d -newer "$work/plan" -exec sh -c '[ -z "$(ls -A "$1")" ]' sh {} \\; -print | head -n 1)
  [ -z "$begun" ] || stop "an empty directory was made since the plan: $begun"
  # A name may have a line feed in it: only the beginning of a path has two slashes.
  found=$(find .//. -path './/./.stowage' -prune -o ! -type d -print | grep -c '^\\.//\\.')
  [ "$found" -eq "$files" ] || stop "there are $found files, and $files were planned"
  kept_are_there
}
`;
}

/** Links and pointers beside the run that have its name in them are those of the plan. */
function nothingNewBeside({ location, near }: ScriptPlan): string {
  const into = `*${shellQuoted(`${placeName(location)}/`)}*`;
  const known = near.length === 0 ? '' : `      ${near.map((name) => shellQuoted(name)).join(' | ')}) continue ;;\n`;
  return `  for beside in ../* ../.[!.]*; do
    text=$(pointer_text "$beside") || continue
    case $text in ${into}) ;; *) continue ;; esac
    case \${beside#../} in
${known}      *) stop "$beside leads into the run, or names it, and did not when this was planned" ;;
    esac
  done`;
}

const moving = `move() { # path, facts, name, files, path as JSON
  [ "$mode" = list ] || before_each
  same "$(facts "$1")" "$2" "$3"
  if [ "$mode" = list ]; then
    printf 'would move %s\\n' "$3"
    return
  fi
  is_there "$trash/$1" && stop "$3 is in the trash already"
  [ "$(device "$1")" = "$(device "$trash")" ] || stop "$3 is on another file system than the trash"
  mv -- "$1" "$trash/$1" </dev/null || stop "$3 cannot be moved"
  is_there "$1" && stop "$3 is still there"
  same "$(cd -- "$trash" && facts "$1")" "$2" "$3 in the trash"
  files=$((files - $4))
  log moved "$5"
  printf 'moved %s\\n' "$3"
}
`;
