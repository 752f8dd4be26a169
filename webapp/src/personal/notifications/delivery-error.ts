import { deliveryErrors, type DeliveryError } from '@svc/contract'

const kinds = new Map<string, DeliveryError>(
  Object.entries(deliveryErrors).map(([kind, text]) => [text, kind as DeliveryError]),
)

/** Why a delivery failed, of the text that the server reports; `other` for a text of a newer server. */
export const deliveryErrorOf = (text: string): DeliveryError => kinds.get(text) ?? 'other'
