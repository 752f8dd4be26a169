import type { Upload } from '@svc/contract'
import { sendRequest, jsonIn, type TestResponse } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { call, type ServerWithAccounts } from '../../support/servers/server-with-accounts.ts'

type Sent = Readonly<Record<string, string>>

/** A guest adds with the token of the upload. */
const withToken = (as: Sent, { uploadToken = '' }: Upload): Sent =>
  Object.keys(as).length === 0 ? { 'x-uploadtoken': uploadToken } : as

const unannounced = { 'transfer-encoding': 'chunked' }

/** Every way for the bytes of one file into the service, with its length announced or not. */
export const uploadMethods = {
  'quick form': (server, as, content) => form(server, '/', as, content),
  'quick form of unknown length': (server, as, content) =>
    form(server, '/', { ...as, ...unannounced }, content),
  'raw body': (server, as, content) => raw(server, as, content),
  'raw body of unknown length': (server, as, content) => raw(server, { ...as, ...unannounced }, content),
  'form into an upload': async (server, as, content) => {
    const upload = jsonIn(await call(server, 'POST /upload', { headers: as, body: {} })) as Upload
    return form(server, `/file/${upload.id}`, withToken(as, upload), content)
  },
  'form for a declared file': async (server, as, content) => {
    const body = { files: [{ fileName: 'file.txt' }] }
    const upload = jsonIn(await call(server, 'POST /upload', { headers: as, body })) as Upload
    const path = `/file/${upload.id}/${upload.files[0]?.id ?? ''}/file.txt`
    return form(server, path, { ...withToken(as, upload), ...unannounced }, content)
  },
} as const satisfies Readonly<
  Record<
    string,
    (server: ServerWithAccounts, as: Sent, content: string | Uint8Array) => Promise<TestResponse>
  >
>

export type UploadMethod = keyof typeof uploadMethods

export const uploadMethodNames = Object.keys(uploadMethods) as readonly UploadMethod[]

/** Sends a file as a form. */
export const form = (
  { url }: ServerWithAccounts,
  path: string,
  headers: Sent,
  content: string | Uint8Array,
): Promise<TestResponse> =>
  sendRequest(url, path, {
    method: 'POST',
    headers: { 'content-type': formType, ...headers },
    body: fileForm(content),
  })

const raw = (
  { url }: ServerWithAccounts,
  headers: Sent,
  content: string | Uint8Array,
): Promise<TestResponse> => sendRequest(url, '/file.txt', { method: 'PUT', headers, body: content })

/** What is counted against a user: bytes that are stored or reserved. */
export const usedSize = (server: Pick<ServerWithAccounts, 'directory'>, id: string): number =>
  Number(lookUp(server, `select usedSize from users where id = '${id}'`)[0])

/** The counters of a server that differ from its files; none, when they are correct. */
export const wrongCounters = (server: Pick<ServerWithAccounts, 'directory'>): unknown[] =>
  lookUp(
    server,
    `with stored as (select f.* from files f join uploads u on u.id = f.uploadId
       where f.status = 'uploaded' and u.deletedAt is null),
     living as (select f.uploadId, count(*) as count from files f
       where f.status in ('missing', 'uploading', 'uploaded') group by f.uploadId)
     select 'user ' || id || ' has ' || usedSize from users where usedSize !=
       coalesce((select sum(f.fileSize) from stored f join uploads u on u.id = f.uploadId where u.userId = users.id), 0)
       + coalesce((select sum(f.reserved) from files f join uploads u on u.id = f.uploadId where u.userId = users.id), 0)
     union all
     select 'upload ' || id || ' has ' || size from uploads
       where size != coalesce((select sum(fileSize) from stored where uploadId = uploads.id), 0)
     union all
     select 'upload ' || id || ' has entries ' || fileCount from uploads where deletedAt is null
       and fileCount != coalesce((select count from living where uploadId = uploads.id), 0)
     union all
     select 'file ' || id || ' reserves ' || reserved from files
       where reserved < 0 or (reserved != 0 and status != 'uploading')
     union all
     select 'counters of "' || owner || '" are ' || sum(users) || ', ' || sum(uploads) || ', ' || sum(files) || ', ' || sum(size)
       from (
         select owner, users, uploads, files, size from totals
         union all
         select coalesce(userId, ''), 0, -1, 0, -size from uploads where deletedAt is null
         union all
         select '*', 0, -1, 0, -size from uploads where deletedAt is null and userId is not null
         union all
         select coalesce(u.userId, ''), 0, 0, -1, 0 from stored f join uploads u on u.id = f.uploadId
         union all
         select '*', 0, 0, -1, 0 from stored f join uploads u on u.id = f.uploadId where u.userId is not null
         union all
         select '*', -1, 0, 0, 0 from users
       )
       group by owner having sum(users) != 0 or sum(uploads) != 0 or sum(files) != 0 or sum(size) != 0`,
  )
