/** Why a message did not reach its target, as the server reports it of a delivery. Clients translate these texts. */
export const deliveryErrors = {
  refused: 'the target refused the message',
  redirect: 'redirects are not followed',
  timeout: 'the target did not respond in time',
  /** Said of unknown names too, so that it does not show which names internal name servers know. */
  address: 'the target has no address that this server may connect to',
  connection: 'the connection to the target failed',
  other: 'the message could not be sent',
} as const

export type DeliveryError = keyof typeof deliveryErrors
