import * as auth from './auth.ts'
import * as files from './files.ts'
import * as me from './me.ts'
import * as service from './public.ts'
import * as resumable from './resumable.ts'
import * as tus from './tus.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'

/** Every endpoint of the specification, by the name of what it does. */
export const endpoints = { ...service, ...uploads, ...files, ...tus, ...resumable, ...auth, ...me, ...users }

export type EndpointName = keyof typeof endpoints
