/** What a worker and its primary tell each other. */

export interface Listening {
  readonly svcd: 'listening'
  readonly url: string
}

/** The primary's word for: let what runs finish, and end. */
export const stopMessage = { svcd: 'stop' } as const

const isOurs = (message: unknown): message is { readonly svcd: unknown } =>
  typeof message === 'object' && message !== null && 'svcd' in message

export const isListening = (message: unknown): message is Listening =>
  isOurs(message) && message.svcd === 'listening'

export const isStop = (message: unknown): boolean => isOurs(message) && message.svcd === 'stop'
