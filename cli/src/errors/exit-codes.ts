/** Exit statuses of `svc`. Scripts rely on them, so they are documented. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  partly: 3,
  unreachable: 4,
  local: 5,
  /** Files could not be decrypted or verified, or the passphrase or key for them is missing. */
  locked: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Meanings of the statuses, for the documentation. */
export const exitMeanings: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [exitCodes.done, 'Success.'],
  [exitCodes.refused, 'The server refused the request, or its response was not as expected.'],
  [exitCodes.usage, 'The command line or the configuration file is wrong. Nothing was done.'],
  [exitCodes.partly, 'Some files were transferred, others were not.'],
  [exitCodes.unreachable, 'The server could not be reached, or the connection was lost.'],
  [
    exitCodes.local,
    'Problem with a local file: unreadable, changed during the upload, already exists, or disk full.',
  ],
  [
    exitCodes.locked,
    'Decryption failed: the passphrase or key is missing or wrong, or the data was changed, truncated or not encrypted, or differs from the manifest.',
  ],
  [exitCodes.interrupted, 'Interrupted by Ctrl-C or SIGTERM.'],
]
