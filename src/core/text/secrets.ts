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
  'secret',
  '(?:hub|hf|auth|access|api|session|refresh|bearer|id|bot|webhook|sas)[_-]?token',
  'connection[_-]?string',
].join('|');

/** Words of a key that holds a secret: `WANDB_API_KEY`, `mongo.password`. */
const secretWords = new RegExp(
  `(?:^|[_.-])(?:${secretNames}|pass|account[_-]?key|credentials?|bearer|authorization|netrc|cookie)(?:$|[_.-](?:id|value|text|b64|base64)$)|^pwd?$`,
);
/** Where a shell is: the one variable that is called as a password is. */
const workingDirectory = /^(?:[/~.]|[A-Za-z]:\\)/;

/** `token`, `hub.token`, `push_to_hub_token`: also what a word of a vocabulary is called, so that its value decides. */
const tokenWord = /(?:^|[_.-])token$/;
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
/** `https://user:password@host`. */
const inAddress = /(:\/\/[^\s/:@]{0,200}):[^\s/@]{1,500}@/g;

/**
 * `--hub-token x`, `--password=x`, `"--password", "x"`, `WANDB_API_KEY=x`, `'password': 'x'`: in command lines, environments and settings that
 * are kept as one text.
 */
const inCommand = new RegExp(
  `((?<![\\w-])(?:--?(?:token|pwd?)|-{0,2}(?:[\\w.-]{0,40}[_.-])?(?:${secretNames}))(?:=["']?|["']\\s{0,2}:\\s{0,4}["']|(?<=--?[\\w-]{1,60})(?:\\s{1,4}|["'],\\s{0,4}["'])))([^\\s"'\\-<][^\\s"']{0,500})`,
  'gi',
);
/** Azure: a connection string, and the signature of a shared address. */
const inAzure = /((?:AccountKey|SharedAccessKey|[?&]sig)=)([^\s;&"']{8,500})/g;
/** An HTTP header. */
const inHeader = /(\bBearer\s{1,4})([\w.~+/=-]{8,2000})/gi;

/** True for the value of a setting that is a secret by its name; `value` is looked at where the name leaves it open. */
export function isSecret(key: string, value: string): boolean {
  if (value === '') return false;
  const name = wordsOf(key);
  if (name === 'pwd' && workingDirectory.test(value)) return false;
  return secretWords.test(name) || (tokenWord.test(name) && likeToken.test(value));
}

/** True for an item of a command line that is a secret by the item before it: `["--password", "x"]`. */
export function isSecretArgument(before: string, value: string): boolean {
  const [, flag] = /^--?([A-Za-z][\w.-]{0,60})$/.exec(before) ?? [];
  if (flag === undefined || /^-{1,2}[A-Za-z]/.test(value)) return false;
  return value !== '' && (flag === 'token' ? !value.startsWith('<') : isSecret(flag, value));
}

/** Text with secrets masked that have a form of their own, wherever they are in it. */
export function withoutSecrets(text: string): string {
  return text
    .replace(secretForms, maskedText)
    .replace(inWebhook, `$1${maskedText}`)
    .replace(inAddress, `$1:${maskedText}@`)
    .replace(inCommand, `$1${maskedText}`)
    .replace(inAzure, `$1${maskedText}`)
    .replace(inHeader, `$1${maskedText}`);
}

/** `wandbApiKey` and `WANDB_API_KEY` as `wandb_api_key`. */
function wordsOf(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
