/** Variables that the program reads. */
export const environmentVariables = [
  ['SVC_SERVER', 'Server to use, unless --server is given'],
  ['SVC_TOKEN', 'User token for that server'],
  ['SVC_PASSWORD', '[LOGIN:]PASSWORD of protected uploads'],
  [
    'SVC_PASSPHRASE',
    'Passphrase that svc upload -s uses instead of a generated one, and that svc get decrypts with',
  ],
  ['SVC_IDENTITY_PASSPHRASE', 'Passphrase of protected SSH keys and of identity files that age -p encrypted'],
  ['SVC_PROFILE', 'Profile of the configuration file'],
  ['SVC_INSECURE', '1: accept an untrusted certificate'],
  ['HTTPS_PROXY', 'Proxy for servers whose address begins with https://'],
  ['HTTP_PROXY', 'Proxy for servers whose address begins with http://'],
  ['NO_PROXY', 'Hosts to reach without a proxy'],
  ['SVC_CONFIG', 'Path of the configuration file'],
  ['XDG_CONFIG_HOME', 'Folder of svc/config.toml, instead of ~/.config'],
  ['XDG_STATE_HOME', 'Folder of svc/uploads.jsonl and svc/unfinished, instead of ~/.local/state'],
  ['BROWSER', 'Program that opens web pages'],
] as const

/** Files that the program reads and writes. */
export const files = [
  [
    '~/.config/svc/config.toml',
    'Profiles: server, token, ttl, oneshot, removable, insecure, updates (true: check for a newer svc once a day), github (address for --recipient github:USER) below [profiles.NAME]; readable only by its owner',
  ],
  ['~/.config/svc/keys.toml', 'Address book: public keys by name (svc keys)'],
  [
    '~/.config/svc/requests',
    'Private keys of upload requests (svc request), which age -i reads: without them, what was sent is lost; readable only by their owner',
  ],
  [
    '~/.local/state/svc/requests.jsonl',
    'Upload requests made on this computer, with the tokens to manage them; readable only by its owner',
  ],
  [
    '~/.local/state/svc/uploads.jsonl',
    'Uploads made on this computer, with the tokens to delete them; readable only by its owner',
  ],
  [
    '~/.local/state/svc/unfinished',
    'Uploads that are running or were interrupted, with the keys of their encrypted files until they are complete; readable only by their owner',
  ],
  [
    'NAME.ID.part',
    'Partial file of an interrupted download: of an encrypted file, the content so far; the next `svc get` with the same link resumes it. ID depends on the server, the upload and the file',
  ],
] as const

/** Guarantees for scripts besides the exit status. */
export const jsonOutput = [
  'With --json, standard output is always one JSON value: the result, or { "error": { "code", "message", "status" } } on failure.',
  'The code is stable across versions: a code of the server (such as upload_not_found), network if the server could not be reached, a code of the encryption (such as wrong_passphrase), or usage, local, locked or refused, matching the status. The message is for people and may change. The status is the exit status of svc.',
  'With several files, each has its own status, and an error message if it failed. An interrupted svc prints no JSON.',
  'The result of an upload, and an error of svc upload, have notSent: the path, status (failed or skipped) and reason of everything that was not sent.',
] as const
