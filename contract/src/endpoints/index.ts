import type { Endpoint } from './endpoint.ts'
import * as auth from './auth.ts'
import * as files from './files.ts'
import * as me from './me.ts'
import * as notifications from './notifications.ts'
import * as service from './public.ts'
import * as resumable from './resumable.ts'
import * as tus from './tus.ts'
import * as uploads from './uploads.ts'
import * as uploadRequests from './upload-requests.ts'
import * as users from './users.ts'

/** Every endpoint, by its operation name. */
export const endpoints = {
  ...service,
  ...uploads,
  ...files,
  ...tus,
  ...resumable,
  ...uploadRequests,
  ...auth,
  ...me,
  ...notifications,
  ...users,
}

export type EndpointName = keyof typeof endpoints

type Endpoints = typeof endpoints
type KeyOf<E> = E extends Endpoint ? `${E['method']} ${E['path']}` : never

/** The method and the path template of an endpoint, such as `DELETE /upload/{uploadID}`. */
export type EndpointKey = KeyOf<Endpoints[EndpointName]>

/** The path template of a key: `/upload/{uploadID}` of `DELETE /upload/{uploadID}`. */
export type PathOf<K extends EndpointKey> = K extends `${string} ${infer Path}` ? Path : never

/** The endpoint with this method and path template. */
export type EndpointAt<K extends EndpointKey> = {
  [N in EndpointName]: KeyOf<Endpoints[N]> extends K ? Endpoints[N] : never
}[EndpointName]

/** The method and the path template of an endpoint. */
export const keyOf = ({ method, path }: Endpoint): EndpointKey => `${method} ${path}` as EndpointKey
