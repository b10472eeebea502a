/** The script that removes from the trash what the first one moved there, after some days. */
import { counted } from '../../text/quantities.js';
import { placeName } from '../../files/paths.js';
import { formatBytes } from '../../text/units.js';
import { toJson } from '../../text/json.js';
import { shellQuoted } from './shellText.js';
import { beginning, callsOf, checksByTime, entering, functions, holdsCheck, locking } from './scriptParts.js';
import { isComparable, type ScriptPlan } from './scriptPlan.js';

export function purgeScript(plan: ScriptPlan): string {
  const { dropped, kept, freedBytes, purgeAfterDays: days } = plan;
  const what = `${counted(dropped.length, 'checkpoint')} (${formatBytes(freedBytes)})`;
  return [
    beginning(plan, `Removes ${what} from the trash of a run, ${counted(days, 'day')} after they were moved there.`),
    functions,
    callsOf('kept_are_there', 'is_kept', kept, ({ shown }) => [shellQuoted(shown)]),
    callsOf('kept_are_same', 'is_same', kept.filter(isComparable), ({ facts, shown }) => [
      shellQuoted(facts),
      shellQuoted(shown),
    ]),
    callsOf('compare_all', 'compare', dropped, ({ facts, shown, step }) => [
      shellQuoted(facts),
      shellQuoted(shown),
      String(step ?? ''),
    ]),
    callsOf('purge_all', 'purge', dropped, ({ facts, shown, path, step }) => [
      shellQuoted(facts),
      shellQuoted(shown),
      String(step ?? ''),
      shellQuoted(toJson(path)),
    ]),
    `is_kept() { is_there "$1" || stop "$2 is gone, and should have stayed: plan again"; }
is_same() { same "$(facts "$1")" "$2" "$3"; }
steady() {
${holdsCheck(plan)}
  [ ! -L "$own" ] && [ ! -L "$own/trash" ] && [ ! -L "$trash" ] || stop "$trash is a link"
}
whole() {
  kept_are_there
  names_of_pointers >"$work/named"
  unmarked ./* ./.[!.]* "$own"/trash/* "$trash"/* "$trash"/.[!.]*
}
`,
    checksByTime,
    namesOfPointers(plan),
    purging,
    entering,
    locking,
    `[ -f "$trash/.moved" ] || stop "the first script did not move everything to $trash"
${ageCheck(days)}steady
whole
kept_are_same
compare_all
purge_all
if [ "$mode" = apply ]; then
  printf 'removed %s from %s\\n' ${shellQuoted(what)} "$shown/\${trash#./}"
else
  printf 'would remove %s from %s; --apply removes them\\n' ${shellQuoted(what)} "$shown/\${trash#./}"
fi
`,
  ].join('\n');
}

/** `-mtime +6` is true from seven whole days on. */
function ageCheck(days: number): string {
  if (days === 0) return '';
  return `[ -n "$(find "$trash/.moved" -prune -mtime +${days - 1})" ] || stop 'it is not ${counted(days, 'day')} since they were moved'\n`;
}

/**
 * Parts of what pointers hold, a line each: of paths, and numbers without their zeros. A checkpoint in the trash that one of them names, or whose step it is, is needed
 * again. Of what lies beside the run only what has its name in it is a pointer of this run.
 */
function namesOfPointers({ parent, location }: ScriptPlan): string {
  const places = ['./* ./.[!.]*', ...(parent === '' ? [] : [`${shellQuoted(`./${parent}`)}/*`]), '../* ../.[!.]*'];
  return `names_of_pointers() {
  for at in ${places.join(' ')}; do
    text=$(pointer_text "$at") || continue
    case $at in
      ../*) case $text in *${shellQuoted(`${placeName(location)}/`)}*) ;; *) continue ;; esac ;;
    esac
    printf '%s\\n' "$text" | tr / '\\n'
    printf '%s\\n' "$text" | tr -c 0-9 '\\n' | sed 's/^0*//'
  done
}
`;
}

const purging = `compare() { # path, facts, name, step
  is_there "$1" && stop "$3 is there again beside the one in the trash"
  [ ! -L "$trash/$1" ] || stop "$3 is a link in the trash"
  ! grep -Fqx -e "\${1##*/}" "$work/named" || stop "a pointer names $3"
  [ -z "$4" ] || ! grep -Fqx -e "$4" "$work/named" || stop "a pointer has the step of $3"
  same "$(cd -- "$trash" && facts "$1")" "$2" "$3 in the trash"
}
purge() { # path, facts, name, step, path as JSON
  before_each
  compare "$1" "$2" "$3" "$4"
  if [ "$mode" = list ]; then
    printf 'would remove %s\\n' "$3"
    return
  fi
  rm -rf -- "$trash/$1" || stop "$3 cannot be removed"
  is_there "$trash/$1" && stop "$3 is still there"
  log purged "$5"
  printf 'removed %s\\n' "$3"
}
`;
