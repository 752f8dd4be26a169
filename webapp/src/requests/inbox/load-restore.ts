import { withManagingMessages } from './managing.ts'

/** The form for a key file, with its texts: apart from the page of requests, which rarely needs it. */
export const RestoreRequest = withManagingMessages(() => import('../key/RestoreRequest.vue'))
