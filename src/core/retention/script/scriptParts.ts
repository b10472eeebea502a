/** What both scripts share: how they are called, how they stop, and how they compare what is there with what was planned. */
import { visibleText } from '../../text/visibleText.js';
import { mostPointerBytes } from '../../inspection/runs/runPointers.js';
import { shellQuoted } from './shellText.js';
import { trashName, type ScriptPlan, type ScriptedCheckpoint } from './scriptPlan.js';

/** @param does what it does with `--apply`, for its first lines */
export function beginning({ location, plannedMs }: ScriptPlan, does: string): string {
  return `#!/bin/sh
# ${visibleText(does)}
# Planned at ${new Date(plannedMs).toISOString()}. For POSIX shells.
#   sh FILE          lists what would be done and changes nothing
#   sh FILE --apply  does it, and stops at the first difference to the plan
set -u
LC_ALL=C
export LC_ALL
unset CDPATH
mode=list
case "$#:\${1-}" in
  0:) ;;
  1:--apply) mode=apply ;;
  *) printf 'usage: sh FILE [--apply]\\n' >&2; exit 2 ;;
esac
run=${shellQuoted(location)}
shown=${shellQuoted(visibleText(location))}
own=./.stowage
trash=./.stowage/trash/${trashName(plannedMs)}
lock=''
work=''
`;
}

/** Functions over `$run`, which the script is in by then. */
export const functions = `
log() { # event, path as JSON
  printf '{"time": "%s", "event": "%s", "path": %s, "trash": "%s"}\\n' \\
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$2" "$trash" >>"$own/retention.log"
}
# Names may hold what a terminal would obey.
visible() { tr -d '\\000-\\010\\013-\\037\\177'; }
stop() { # why
  printf 'stopped: %s\\n' "$1" | visible >&2
  [ -z "$lock" ] || log stopped null
  exit 1
}
leave() {
  [ -z "$work" ] || rm -rf -- "$work"
  [ -z "$lock" ] || rmdir -- "$lock"
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

if stat -c %s . >/dev/null 2>&1; then
  file_facts() { find "$1" -type f -exec stat -c '%n %s %Y' {} +; }
  device() { stat -c %d "$1"; }
elif stat -f %z . >/dev/null 2>&1; then
  file_facts() { find "$1" -type f -exec stat -f '%N %z %m' {} +; }
  device() { stat -f %d "$1"; }
else
  stop 'this system has no stat that the script knows'
fi
# Names, sizes and times of files, names of links.
facts() { { file_facts "$1"; find "$1" -type l -print; } 2>/dev/null | sort; }
same() { # facts, facts as planned, name
  [ "$1" = "$2" ] && return
  printf '%s\\n' "$2" >"$work/planned"
  printf '%s\\n' "$1" >"$work/found"
  diff "$work/planned" "$work/found" | head -n 20 | visible >&2
  stop "$3 is not as it was planned"
}
is_there() { [ -e "$1" ] || [ -L "$1" ]; }
text_is() { # file, text as planned and an x
  [ -f "$1" ] && [ "$(cat "$1" && printf x)" = "$2" ] || stop "$1 is not as it was planned"
}
# What a link, or a small file that is called as pointers are, holds; fails for all else.
pointer_text() { # path
  if [ -L "$1" ]; then
    readlink "$1"
    return
  fi
  case \${1##*/} in
    [Ll]atest* | LATEST* | [Ll]ast* | LAST* | [Nn]ewest* | [Bb]est* | BEST* | [Cc]urrent* | [Rr]esume* | checkpoint | .latest* | .last* | .best*) ;;
    *) return 1 ;;
  esac
  [ -f "$1" ] && [ "$(wc -c <"$1")" -le ${mostPointerBytes} ] && cat "$1"
}
# Files by which people mark that something is to stay, as far as patterns of a shell go.
unmarked() { # files
  for file; do
    case $(printf '%s' "\${file##*/}" | tr '[:upper:]_ -' '[:lower:]...') in
      keep | keep.* | .keep* | *hold | *hold.txt | pinned* | protected* | important* | golden | golden.* | .golden* | released* | published* | frozen* | in.use* | *delete | *delete.txt | *remove | *remove.txt) stop "$file marks something that is to stay" ;;
    esac
  done
}
link_is() { # link, target as planned and an x
  [ -L "$1" ] && [ "$(readlink "$1" && printf x)" = "$2" ] || stop "$1 is not as it was planned"
}
`;

/**
 * What is compared before each step. All of the run is looked at again when ten times as long has passed as that took, so that of thousands of checkpoints the last
 * ones take no longer than the first: before each step of a run of usual size.
 */
export const checksByTime = `checked=0
pause=0
before_each() {
  steady
  now=$(date +%s)
  # A clock may be set back.
  [ "$now" -lt "$checked" ] || [ "$((now - checked))" -ge "$pause" ] || return 0
  whole
  checked=$(date +%s)
  pause=$((10 * (checked - now)))
}
`;

/** Enters the run, and refuses folders of this program that are links. */
export const entering = `
cd -- "$run" || stop 'the run is not there'
for folder in "$own" "$own/trash" "$trash"; do
  [ ! -L "$folder" ] || stop "$folder is a link"
done
work=$(mktemp -d "\${TMPDIR:-/tmp}/stowage.XXXXXX") || stop 'no room for temporary files'
`;

/** Two scripts at once would each see the other's changes as a difference. */
export const locking = `
if [ "$mode" = apply ]; then
  [ -d "$own" ] || mkdir -- "$own" || stop "$own cannot be made"
  mkdir -- "$own/retention.lock" 2>/dev/null || stop "$own/retention.lock is there: another script is at work, or was killed: if none is, remove that directory"
  lock=$own/retention.lock
fi
`;

/** Compares the files of holds with the planned ones. */
export function holdsCheck({ holds }: ScriptPlan): string {
  const checks = holds.map(({ path, text }) => {
    const file = shellQuoted(path);
    return text === null
      ? `  ! is_there ${file} || stop ${shellQuoted(`${path} was not there when this was planned`)}`
      : `  text_is ${file} ${shellQuoted(`${text}x`)}`;
  });
  // Of another spelling they would not be read, and are meant.
  const spelled = `  for other in "$own"/[Hh][Oo][Ll][Dd][Ss].* ./[Hh][Oo][Ll][Dd][Ss].*; do
    case $other in
      "$own"/holds.yaml | *'*'*) ;;
      *) ! is_there "$other" || stop "$other was not there when this was planned" ;;
    esac
  done`;
  return [...checks, spelled].join('\n');
}

/** Calls of a function for each checkpoint, in a function of their own. */
export function callsOf(
  name: string,
  call: string,
  checkpoints: readonly ScriptedCheckpoint[],
  more: (one: ScriptedCheckpoint) => string[],
): string {
  const lines = checkpoints.map((one) => `  ${[call, shellQuoted(`./${one.path}`), ...more(one)].join(' ')}`);
  return `${name}() {\n${lines.length === 0 ? '  :' : lines.join('\n')}\n}\n`;
}
