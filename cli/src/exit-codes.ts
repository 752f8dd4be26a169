/** With what status `svc` ends. Documented: scripts rely on them. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  partly: 3,
  unreachable: 4,
  local: 5,
  locked: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What each status means, for the documentation. */
export const exitMeanings: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [exitCodes.done, 'Everything that was asked for is done.'],
  [exitCodes.refused, 'The server refused, or what came back was not what was expected.'],
  [exitCodes.usage, 'The command line or the configuration file is wrong. Nothing was done.'],
  [exitCodes.partly, 'Some files were transferred, others were not.'],
  [exitCodes.unreachable, 'The server could not be reached, or the connection broke and stayed broken.'],
  [
    exitCodes.local,
    'A file of this machine is in the way: unreadable, changed while it was sent, already there, disk full.',
  ],
  [
    exitCodes.locked,
    'It cannot be decrypted: the passphrase or key is missing or another one, or what came was changed or cut off.',
  ],
  [exitCodes.interrupted, 'Interrupted by Ctrl-C or SIGTERM.'],
]
