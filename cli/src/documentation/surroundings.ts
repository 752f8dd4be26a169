/** Variables that the program reads. */
export const environmentVariables = [
  ['SVC_SERVER', 'Server to ask, unless --server says otherwise'],
  ['SVC_TOKEN', 'User token for that server'],
  ['SVC_PASSWORD', '[LOGIN:]PASSWORD of protected uploads'],
  [
    'SVC_PASSPHRASE',
    'What svc upload -s encrypts with instead of a generated passphrase, and svc get decrypts with',
  ],
  ['SVC_PROFILE', 'Profile of the configuration file'],
  ['SVC_INSECURE', '1: accept an untrusted certificate'],
  ['HTTPS_PROXY', 'Proxy for servers whose address begins with https://'],
  ['HTTP_PROXY', 'Proxy for servers whose address begins with http://'],
  ['NO_PROXY', 'Hosts that are reached without a proxy'],
  ['SVC_CONFIG', 'Path of the configuration file'],
  ['XDG_CONFIG_HOME', 'Where svc/config.toml is looked for, instead of ~/.config'],
  ['XDG_STATE_HOME', 'Where svc/uploads.jsonl is kept, instead of ~/.local/state'],
  ['BROWSER', 'Program that shows a page'],
] as const

/** Files that the program reads and writes. */
export const files = [
  [
    '~/.config/svc/config.toml',
    'Profiles: server, token, ttl, oneshot, removable, insecure, updates (true: look for a newer svc once a day) below [profiles.NAME]; readable by its owner only',
  ],
  [
    '~/.local/state/svc/uploads.jsonl',
    'What was uploaded from here, with the tokens that remove it; readable by its owner only',
  ],
  [
    'NAME.ID.part',
    'What has come of a download that broke off, encrypted where the file is; the next `svc get` goes on from there',
  ],
  ['NAME.ID.plain.part', 'The content of an encrypted file until all of it has been authenticated'],
] as const

/** What scripts may rely on besides the status. */
export const jsonAnswers = [
  'With --json, standard output is always one JSON value: the answer, or { "error": { "code", "message", "status" } } where there is none.',
  'The code stays the same from version to version: that of the server (such as upload_not_found), network where it could not be reached, that of the encryption (such as wrong_passphrase), or else usage, local, locked or refused, as the status says. The message is for people. The status is the one that svc ends with.',
  'Of several files, each one has its own status, and an error message where it failed. An interrupted svc prints nothing more.',
] as const
