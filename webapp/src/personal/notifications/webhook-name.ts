import type { Webhook } from '@svc/contract'

/** What people call a webhook: its description, or else its address. */
export const nameOf = ({ description, url }: Webhook): string => (description === '' ? url : description)
