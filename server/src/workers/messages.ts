/** The messages between a worker and its primary. */

export interface ListeningMessage {
  readonly svcd: 'listening'
  readonly url: string
}

/** The primary asks a worker to finish its transfers and to exit. */
export const stopMessage = { svcd: 'stop' } as const

const isOurs = (message: unknown): message is { readonly svcd: unknown } =>
  typeof message === 'object' && message !== null && 'svcd' in message

export const isListening = (message: unknown): message is ListeningMessage =>
  isOurs(message) && message.svcd === 'listening'

export const isStopMessage = (message: unknown): boolean => isOurs(message) && message.svcd === 'stop'
