import type { EndpointName } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { generatedUser } from '../../../scripts/many-uploads.ts'
import { actors, type Actor } from '../access/fixture/actors.ts'
import type { Block } from '../access/tables/block.ts'
import { freshAddress } from '../access/fixture/users.ts'
import { requestOf, requestBuilders, routeOf, spends } from '../access/requests/requests.ts'
import type { AccessFixture } from '../access/fixture/fixture.ts'
import type { Kind } from '../access/fixture/uploads.ts'
import { begin, head, newTarget, patch, tus } from '../resumable/tus.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeManifested } from '../support/clients/manifested-upload.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { until } from '../support/until.ts'

const ours: Block = { title: 'all routes', server: 'accounts', table: '' }

/** Sends every request of the server, in all variants with different database statements. */
export async function exerciseRoutes(fixture: AccessFixture): Promise<ReadonlySet<EndpointName>> {
  const exercised = new Set<EndpointName>()
  for (const label of Object.keys(requestBuilders))
    for (const kind of kindsOf(label))
      for (const actor of actorsOf(label)) {
        const scene = await fixture.sceneOf(ours, kind)
        const { path, headers, ...request } = requestOf(label, scene)
        const response = await sendRequest(fixture.main.url, path, {
          ...request,
          headers: { 'x-forwarded-for': freshAddress(), ...headers, ...actors[actor](scene) },
        })
        if (response.status >= 500) throw new Error(`${label}: ${response.text}`)
        exercised.add(routeOf(label).name)
        if (response.status < 400) for (const part of spentBy(label, kind)) fixture.spend(part)
      }
  await exerciseLists(fixture)
  await exerciseBrokenDownloads(fixture)
  await exerciseManifests(fixture)
  await exerciseActivity(fixture)
  await exerciseAliases(fixture)
  await exercisePreviews(fixture)
  await exerciseRequests(fixture)
  for (const name of await exerciseResumable(fixture)) exercised.add(name)
  return exercised
}

/** Downloads of files with a limit have different statements. */
const kindsOf = (label: string): readonly Kind[] =>
  label.startsWith('download') ? ['plain', 'one-shot', 'limited'] : ['plain']

/** A client with an upload token and one with a session; an admin where only admins are allowed. */
const actorsOf = (label: string): readonly Actor[] =>
  routeOf(label).endpoint.chain === 'admin' ? ['admin'] : ['holds', 'owner']

const spentBy = (label: string, kind: Kind) => {
  const part = spends[label]
  return [...(part === undefined ? [] : [part]), ...(kind === 'plain' ? [] : (['upload'] as const))]
}

const options = ['oneShot', 'removable', 'stream', 'extendTTL', 'password', 'e2ee']

/** Each filter alone and with another, each order, and later pages. */
async function exerciseLists(fixture: AccessFixture): Promise<void> {
  const { people } = await fixture.sceneOf(ours, 'plain')
  const heavy = `user=${encodeURIComponent(generatedUser(0))}`
  const filters = ['', ...options.flatMap((name) => [`${name}=true`, `${name}=false`])]
  const lists = [
    ...filters.map((filter) => `/uploads?${filter}`),
    ...filters.map((filter) => `/uploads?${heavy}&${filter}`),
    `/uploads?token=${people.owner.token}`,
    '/uploads?stream=true&oneShot=true',
    ...['', 'provider=local', 'admin=true', 'provider=oidc&admin=false'].map((filter) => `/users?${filter}`),
  ]
  for (const list of lists)
    for (const sort of list.startsWith('/uploads') ? ['', '&sort=size'] : [''])
      for (const order of ['', '&order=asc']) {
        const headers = people.admin.session.headers
        const read = (path: string) => sendRequest(fixture.main.url, path, { headers })
        const first = JSON.parse((await read(`${list}&limit=2${sort}${order}`)).text) as {
          readonly after: string | null
        }
        if (first.after === null) continue
        await read(`${list}&limit=2${sort}${order}&after=${first.after}`)
        await read(`${list}&limit=2${sort}${order}&before=${first.after}`)
      }
}

/** Downloads of a file with a limit that break off, and one that finds no claim. */
async function exerciseBrokenDownloads({ main }: AccessFixture): Promise<void> {
  const size = 48 * mebibyte
  const { path, upload } = await storeUpload(main, randomBytes(size), { maxDownloads: 2 })
  /** A download that is not read further, once a claim is free. */
  const beginReaders = async (length: number) => {
    const begin = async () => {
      const connection = await rawConnection(main.url)
      await connection.send(requestHead('GET', path))
      return { connection, isServed: (await connection.head()).status === 200 }
    }
    let { connection, isServed } = await begin()
    await until('a claim is free', async () => {
      if (!isServed) ({ connection, isServed } = await begin())
      return isServed
    })
    await connection.take(length)
    return connection
  }
  const running = [await beginReaders(1), await beginReaders(1)]
  await sendRequest(main.url, path)
  for (const connection of running) connection.cut()
  for (let round = 0; round < 6; round++) (await beginReaders(size / 2 + mebibyte)).cut()
  const isUsedUp = async () => (await main.client.upload(upload.id)).files[0]?.status === 'removed'
  await until('the broken downloads count', isUsedUp)
}

/** The manifest of an upload with a download limit, which is removed with the last other file. */
async function exerciseManifests({ main }: AccessFixture): Promise<void> {
  const { files, manifest } = await storeManifested(main, ['a'], { oneShot: true })
  for (const { path } of [manifest, ...files]) await sendRequest(main.url, path)
}

/** Aliases that are taken, changed, removed and refused. */
async function exerciseAliases(fixture: AccessFixture): Promise<void> {
  const { main } = fixture
  const { people } = await fixture.sceneOf(ours, 'plain')
  const owner = createClient({ baseURL: main.url, userToken: people.owner.token })
  const upload = await owner.createUpload({ alias: 'holiday-2026' })
  await owner.createUpload({ alias: 'holiday-2026' }).catch(() => undefined)
  for (const alias of ['holiday-2027', null, 'holiday-2027']) await owner.changeUpload(upload.id, { alias })
  await sendRequest(main.url, '/s/holiday-2027')
}

/** A preview that is added, shown and refused. */
async function exercisePreviews({ main }: AccessFixture): Promise<void> {
  const { upload, file, uploadToken } = await storeUpload(main, 'a longer content')
  const image = new Blob([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')])
  await main.client.addPreview(upload.id, file, image, { uploadToken })
  await main.client.preview(upload, file)
  await main.client.addPreview(upload.id, file, image, { uploadToken }).catch(() => undefined)
}

/** More downloads than an upload keeps. */
async function exerciseActivity({ main }: AccessFixture): Promise<void> {
  const { path, upload, uploadToken } = await storeUpload(main)
  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: 200 }, () => sendRequest(main.url, path)))
    await main.client.downloads(upload.id, {}, { uploadToken })
  }
}

/** Upload requests with limits: filled, listed, changed, expired and removed. */
async function exerciseRequests(fixture: AccessFixture): Promise<void> {
  const { main } = fixture
  const { people } = await fixture.sceneOf(ours, 'plain')
  const owner = createClient({ baseURL: main.url, userToken: people.owner.token })
  const settings = { title: 'Photos', maxFiles: 3, maxSize: 10, extensions: ['txt'] }
  for (const client of [owner, main.client]) {
    const { id, requestToken } = await client.createUploadRequest(settings)
    const access = { requestToken }
    for (const content of ['12345', '123456', '1234']) {
      const { id: uploadID, uploadToken = '' } = await main.client.sendToUploadRequest(id, { sender: 'Ada' })
      const form = { fileName: 'a.txt', uploadToken }
      await client.addFile(uploadID, new Blob([content]), form).catch(() => undefined)
    }
    await main.client.sendToUploadRequest(id, { files: [{ fileName: 'b.txt' }] })
    for (const order of ['asc', 'desc'] as const) {
      const first = await client.receivedUploads(id, { limit: 1, order }, access)
      await client.receivedUploads(id, { limit: 1, order, after: first.after ?? '' }, access)
      await client.receivedUploads(id, { limit: 1, order, before: first.after ?? '' }, access)
    }
    await client.updateUploadRequest(id, { closed: true, seen: true }, access)
    await client.removeUploadRequest(id, access)
  }
  for (let count = 0; count < 3; count++) await owner.createUploadRequest(settings)
  const headers = people.admin.session.headers
  for (const list of ['/requests?', '/requests?all=true&'])
    for (const order of ['asc', 'desc']) {
      const read = async (query: string) => {
        const sent = list.includes('all') ? headers : { 'x-svctoken': people.owner.token }
        const { text } = await sendRequest(main.url, `${list}limit=1&order=${order}${query}`, {
          headers: sent,
        })
        return JSON.parse(text) as { readonly after: string | null }
      }
      const { after } = await read('')
      await read(`&after=${after ?? ''}`)
      await read(`&before=${after ?? ''}`)
    }
}

/** A resumable upload: created, continued, finished, and abandoned. */
async function exerciseResumable({ main }: AccessFixture): Promise<readonly EndpointName[]> {
  const target = await newTarget(main)
  const whole = await begin(main, target, { size: 4 })
  await patch(main, whole, 0, Buffer.from('ab'))
  await head(main, whole)
  await patch(main, whole, 2, Buffer.from('cd'))
  const givenUp = await begin(main, target, { size: 4 })
  await tus(main, target, 'DELETE', { path: givenUp.path })
  const resumable = ['resumableCreate', 'resumableHead', 'resumableAppend', 'resumableCancel'] as const
  // The other protocol for resumable uploads uses the same functions (core/resumable).
  return [
    'tusOptions',
    'tusCreate',
    'tusHead',
    'tusPatch',
    'tusDelete',
    'tusOverride',
    'resumableOptions',
    ...resumable,
  ]
}
