/**
 * Keys and passwords among settings and texts. A report is pasted into issues and chats, and a `training_args.bin` or a config holds
 * whatever a program was started with. A guess by names and forms: a secret under another name and without a form of its own is shown.
 */

/** In place of a secret. */
export const maskedText = '(masked)';

/** Words of a key that holds a secret, whatever the value looks like: `WANDB_API_KEY`, `mongo.password`. */
const secretWords =
  /(?:^|[_.-])(?:api_?key|pass|secret|secret_?key|access_?key|private_?key|signing_?key|encryption_?key|account_?key|passwords?|passwd|passphrase|credentials?|connection_?string|sas_?token|auth_?token|access_?token|api_?token|hub_?token|hf_?token|session_?token|refresh_?token|bearer(?:_?token)?|authorization|netrc|cookie)(?:$|[_.-](?:id|value|text|b64|base64)$)/;

/** `token`, `hub.token`, `push_to_hub_token`: also what a word of a vocabulary is called, so that its value decides. */
const tokenWord = /(?:^|[_.-])token$/;
/** Long, in one piece, of letters and digits: no word of a vocabulary is. */
const likeToken = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{16,}$/;

/** Forms that say themselves what they are, with the issuer's beginning (documentation of each issuer on the form of its keys). */
const secretForms = new RegExp(
  [
    'hf_[A-Za-z0-9]{30,}',
    'sk-[A-Za-z0-9_-]{20,}',
    'gh[pousr]_[A-Za-z0-9]{30,}',
    'github_pat_[A-Za-z0-9_]{30,}',
    'glpat-[A-Za-z0-9_-]{20,}',
    'nvapi-[A-Za-z0-9_-]{40,}',
    'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
    'xox[abposr]-[A-Za-z0-9-]{10,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{35}',
    'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}',
    '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]{0,10000}?(?:-----END|$)',
  ].join('|'),
  'g',
);
/** `https://user:password@host`. */
const inAddress = /(:\/\/[^\s/:@]{0,200}):[^\s/@]{1,500}@/g;

/** `--hub-token x`, `--password=x`, `WANDB_API_KEY=x`: in command lines and environments that are kept as one text. */
const inCommand =
  /((?<![\w-])(?:--?token|[\w-]{0,40}(?:(?:hub|hf|auth|access|api|session)[-_]token|api[-_]?key|password|passwd|secret|secret[-_]key|access[-_]key))(?:=|(?<=--?[\w-]{1,60})\s{1,4}))([^\s"'\-<][^\s"']{2,500})/gi;
/** Azure: a connection string, and the signature of a shared address. */
const inAzure = /((?:AccountKey|SharedAccessKey|[?&]sig)=)([^\s;&"']{8,500})/g;
/** An HTTP header. */
const inHeader = /(\bBearer\s{1,4})([\w.~+/=-]{8,2000})/gi;

/** True for the value of a setting that is a secret by its name; `value` is looked at where the name leaves it open. */
export function isSecret(key: string, value: string): boolean {
  if (value === '') return false;
  const name = wordsOf(key);
  return secretWords.test(name) || (tokenWord.test(name) && likeToken.test(value));
}

/** Text with secrets masked that have a form of their own, wherever they are in it. */
export function withoutSecrets(text: string): string {
  return text
    .replace(secretForms, maskedText)
    .replace(inAddress, `$1:${maskedText}@`)
    .replace(inCommand, `$1${maskedText}`)
    .replace(inAzure, `$1${maskedText}`)
    .replace(inHeader, `$1${maskedText}`);
}

/** `wandbApiKey` and `WANDB_API_KEY` as `wandb_api_key`. */
function wordsOf(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
