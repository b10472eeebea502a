/**
 * Keys and passwords among settings and texts. A report is pasted into issues and chats, and a `training_args.bin` or a config holds
 * whatever a program was started with. A guess by names and forms: a secret under another name and without a form of its own is shown.
 */

/** In place of a secret. */
export const maskedText = '(masked)';

/** Services whose keys settings call by their name: `wandb_key`. A word such as `sort` or `storage` has a key that is no secret. */
const keyIssuers =
  'wandb|comet|neptune|clearml|openai|anthropic|gemini|groq|cohere|mistral|deepseek|replicate|pinecone|tavily|serp|langchain|aws|azure|gcp|google|ssh|rsa|pem|jwt|hmac|app|auth|subscription|deploy|consumer|license';

/** Names of settings that hold a secret, whatever the value looks like: `api_key`, `password`, `PGPASSWORD`, `MYSQL_PWD`. */
const secretNames = [
  '[a-z]{0,12}(?:passwords?|passwd|passphrase)',
  '(?:mysql|db|database|user|login|admin|root|smtp|mail|ftp|proxy|sql|redis|ssh)[_-](?:pwd?|pass)',
  'sshpass',
  `(?:api|secret|access|private|signing|encryption|${keyIssuers})[_-]?key`,
  'secret[_-]?key[_-]?base',
  'secrets?',
  '(?:hub|hf|auth|access|api|session|refresh|bearer|id|bot|webhook|sas)[_-]?token',
  'connection[_-]?string',
].join('|');

/** Words of a key that holds a secret: `WANDB_API_KEY`, `mongo.password`. */
const secretWords = new RegExp(
  `(?:^|[_.-])(?:${secretNames}|pass|account[_-]?key|credentials?|bearer|authorization|netrc|cookie)(?:$|[_.-](?:id|value|text|b64|base64|key|data|raw)$)|^pwd?$`,
);
/** Where a shell is: the one variable that is called as a password is. */
const workingDirectory = /^(?:[/~.]|[A-Za-z]:\\)/;

/** `token`, `hub.token`, `push_to_hub_token`: also what a word of a vocabulary is called, so that its value decides. */
const tokenWord = /(?:^|[_.-])token(?:[_.-](?:value|text))?$/;
/** Lists of tokens are lists of words of a vocabulary far more often. */
const tokensWord = /(?:^|[_.-])tokens$/;
/** As `likeToken`, and with no underscores but that behind an issuer: `reserved_special_token_12` is such a word. */
const likeListedToken = /^(?=.*\d)(?=.*[A-Za-z])(?:[a-z]{2,8}_)?[A-Za-z0-9.~+/=-]{16,}$/;
/** Long, in one piece, of letters and digits: no word of a vocabulary is. */
const likeToken = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{16,}$/;

/** Forms that say themselves what they are, with the issuer's beginning (documentation of each issuer on the form of its keys). */
const secretForms = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'hf_[A-Za-z0-9]{30,}',
    'sk-(?=[A-Za-z_-]{0,80}\\d)[A-Za-z0-9_-]{20,}',
    '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}',
    'whsec_[A-Za-z0-9+/=]{20,}',
    'gh[pousr]_[A-Za-z0-9]{30,}',
    'github_pat_[A-Za-z0-9_]{30,}',
    'gl(?:pat|ptt|rt|dt|cbt|ft|soat|agent)-[A-Za-z0-9_.-]{20,}',
    'npm_[A-Za-z0-9]{30,}',
    'pypi-[A-Za-z0-9_-]{40,}',
    'gsk_[A-Za-z0-9]{20,}',
    'r8_[A-Za-z0-9]{30,}',
    '(?:pplx|xai)-[A-Za-z0-9]{40,}',
    'lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}',
    'do[opr]_v1_[a-f0-9]{32,}',
    'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}',
    'dckr_pat_[A-Za-z0-9_-]{20,}',
    'dapi[a-f0-9]{32}',
    'hvs\\.[A-Za-z0-9_-]{20,}',
    'ya29\\.[A-Za-z0-9_-]{20,}',
    'nvapi-[A-Za-z0-9_-]{40,}',
    'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
    'xox[abeposr](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}',
    'xapp-\\d-[A-Za-z0-9-]{10,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{35}',
    'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}',
  ].join('|')})|-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^]{0,10000}?(?:-----END|$)`,
  'g',
);
/** A webhook: whoever has its address can post. */
const inWebhook = /(\/\/(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]{10,200}/g;
/** `https://user:password@host`; the password may have an `@` in it. */
const inAddress = /(:\/\/)([^\s/:@]{0,200}):[^\s/@]{1,500}(?:@[^\s/@"',]{1,200}(?=@)){0,4}@/g;
/** `https://token@host`. */
const inUserOfAddress = /(\bhttps?:\/\/)(?!git@)[^\s/:@"'(<]{1,500}@/gi;

/** One argument of a command from the next: `--flag x`, `"--flag", "x"`, and that list within another text. */
const gap = `(?:\\s{1,4}|\\\\{0,3}["'],\\s{0,40}\\\\{0,3}["'])`;
/** A value up to a space or a quote, which a text within another one escapes. */
const restOfValue = `(?:[^\\s"'\\\\]|\\\\(?!["'])){0,500}`;
const valueStart = `(?!\\(masked\\))[^\\s"'\\-<\\\\]`;

/**
 * `--hub-token x`, `--password=x`, `"--password", "x"`, `WANDB_API_KEY=x`, `'password': 'x'`: in command lines, environments and settings that
 * are kept as one text.
 */
const inCommand = new RegExp(
  `((?<![\\w-])(?:--?(?:token|pwd?)|-{0,2}(?:[\\w.-]{0,40}[_.-])?(?:${secretNames}))(?:=\\\\{0,3}["']?|\\\\{0,3}["']\\s{0,2}:\\s{0,4}\\\\{0,3}["']|(?<=--?[\\w-]{1,60})${gap}))${valueStart}${restOfValue}`,
  'gi',
);
/** `pass=x` and `pwd=x`, unless the value is a directory, a switch or a count. */
const inShortCommand = new RegExp(
  `((?<![\\w-])(?:pwd|pass)=\\\\{0,3}["']?)(?![/~.$]|[A-Za-z]:[\\\\/]|(?:\\d{1,3}|true|false|none)(?![^\\s"',;)]))${valueStart}${restOfValue}`,
  'gi',
);
/** `sshpass -p x`. */
const inSshpass = new RegExp(`(\\bsshpass${gap}-p(?:${gap}|\\s{0,4}["']?))${valueStart}${restOfValue}`, 'g');
/** `mysql -u ana -px`: the password follows its flag at once. */
const inMysql = new RegExp(
  `(\\b(?:mysql(?:dump|admin|import|show)?|mariadb(?:-dump|-admin)?)\\b[^\\n;|]{0,200}?[\\s"']-p["']?)${valueStart}${restOfValue}`,
  'g',
);
/** `docker login -u ana -p x`, `mongosh -u ana -p x`: of other programs it is a port. */
const inLogin = new RegExp(
  `(\\b(?:(?:docker|podman|nerdctl|oras|skopeo|crane|az|registry)${gap}login|mongo(?:sh|dump|restore|export|import)?)\\b[^\\n;|]{0,200}?[\\s"']-p${gap})${valueStart}${restOfValue}`,
  'g',
);
/** `curl -u user:x`. */
const inCurl = new RegExp(
  `(\\bcurl\\b[^\\n;|]{0,300}?[\\s"'](?:-u|-U|--user|--proxy-user)(?:=|${gap}|)\\\\{0,3}["']?[^\\s:"'\\\\]{1,200}:)${valueStart}${restOfValue}`,
  'g',
);
/** Parameters of an address, each by itself. A `key` may be that of a table, so that its value decides. */
const inQuery = new RegExp(
  `([?&](?:(?:[\\w.-]{0,40}[_.-])?(?:${secretNames})|token|sig|signature|pass|pwd|x-(?:amz|goog)-(?:signature|credential|security-token)|key(?==(?=[^&]{0,80}\\d)[\\w.~+/%-]{16,}))=)(?!<)[^\\s&#;"'\\\\]{1,2000}`,
  'gi',
);
/** Azure: a connection string. */
const inAzure = /((?:AccountKey|SharedAccessKey)=)[^\s;&"']{8,500}/g;
/** What signs a request, in the `Authorization` header of S3 and Azure: `Credential=x, Signature=x`, `SharedKey account:x`. */
const inSignature =
  /(\bSignature\s{0,2}[=:]\s{0,2}|\bCredential=|\bSharedKey(?:Lite)?\s{1,4}[\w-]{1,60}:)(?!\(masked\)|<)[^\s,;&"'<\\]{12,2000}/gi;
/** HTTP headers. */
const inHeader = /(\bBearer\s{1,4})([\w.~+/=-]{8,2000})/gi;
const scheme = '(?:token|basic|bearer|digest|api-?key|key|negotiate)\\s{1,4}';
const inAuthorization = new RegExp(
  `(\\bauthorization\\\\{0,3}["']?\\s{0,2}[:=]\\s{0,4}\\\\{0,3}["']?(?:${scheme})?)(?!\\(masked\\)|${scheme})[^\\s"',;\\\\]{4,2000}`,
  'gi',
);
const inKeyHeader =
  /(\b(?:x-(?:[a-z]{1,20}-){0,3}(?:key|token)|private-token|api-key)\\{0,3}["']?\s{0,2}:\s{0,4}\\{0,3}["']?)(?!\(masked\))[^\s"',;\\]{4,2000}/gi;

/** What keeps its first group in front of the secret. */
const behindNames = [
  inQuery,
  inCommand,
  inShortCommand,
  inSshpass,
  inMysql,
  inLogin,
  inCurl,
  inAzure,
  inSignature,
  inHeader,
  inAuthorization,
  inKeyHeader,
];

/** True for the value of a setting that is a secret by its name; `value` is looked at where the name leaves it open. */
export function isSecret(key: string, value: string): boolean {
  if (value === '') return false;
  const name = wordsOf(key);
  if (name === 'pwd' && workingDirectory.test(value)) return false;
  return (
    secretWords.test(name) ||
    (tokenWord.test(name) && likeToken.test(value)) ||
    (tokensWord.test(name) && likeListedToken.test(value))
  );
}

/** True for an item of a command line that is a secret by the item before it: `["--password", "x"]`. */
function isSecretArgument(before: string, value: string): boolean {
  if (/^(?:-u|--user|--proxy-user)$/.test(before)) return /^[^\s:]+:(?!\d+$|\/\/)\S+$/.test(value);
  const [, flag] = /^--?([A-Za-z][\w.-]{0,60})$/.exec(before) ?? [];
  if (flag === undefined || /^-{1,2}[A-Za-z]/.test(value)) return false;
  return value !== '' && (flag === 'token' ? !value.startsWith('<') : isSecret(flag, value));
}

/** The items of a list with secrets masked, each by itself and as an argument of the command line that they may be. */
export function withoutSecretItems(items: readonly string[]): string[] {
  const masked = items.map((item, at) => (isSecretArgument(items[at - 1] ?? '', item) ? maskedText : withoutSecrets(item)));
  if (!masked.some((item) => item.startsWith('-')) || masked.some((item) => item.includes('"'))) return masked;
  const separator = '", "';
  const ofCommand = withoutSecrets(`["${masked.join(separator)}"]`)
    .slice(2, -2)
    .split(separator);
  return ofCommand.length === masked.length ? ofCommand : masked;
}

/** Text with secrets masked that have a form of their own, wherever they are in it. */
export function withoutSecrets(text: string): string {
  const masked = maskedIn(text);
  // Letters of full width, and such, read as the usual ones do.
  const usual = text.normalize('NFKC');
  if (usual === text) return masked;
  const maskedUsual = maskedIn(usual);
  return maskedUsual === usual || maskedUsual === masked.normalize('NFKC') ? masked : maskedUsual;
}

function maskedIn(text: string): string {
  const masked = text
    .replace(secretForms, maskedText)
    .replace(inWebhook, `$1${maskedText}`)
    .replace(
      inAddress,
      (_, slashes: string, user: string) => `${slashes}${likeToken.test(user) ? maskedText : user}:${maskedText}@`,
    )
    .replace(inUserOfAddress, `$1${maskedText}@`);
  return behindNames.reduce((left, form) => left.replace(form, `$1${maskedText}`), masked);
}

/** `wandbApiKey` and `WANDB_API_KEY` as `wandb_api_key`. */
function wordsOf(key: string): string {
  return key
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
