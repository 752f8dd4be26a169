import { encodeFileName, limits, partialBytes, tusBytes, type NewUser } from '@svc/contract'
import { routes, type Route } from '../../../src/http/routes.ts'
import { root, userPassword } from '../../support/clients/accounts.ts'
import type { TestRequest } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { absentUser, type Scene } from '../fixture/actors.ts'
import { declaredName, storedName } from '../fixture/uploads.ts'

/** The parts of a request except its route and the credentials of its sender. */
interface Details {
  readonly method?: 'HEAD' | 'OPTIONS'
  readonly parameters?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly json?: unknown
  readonly form?: Uint8Array
  readonly bytes?: string
}

export interface FullScene extends Scene {
  /** A command-line login that waits for approval. */
  readonly cliLogin: { readonly code: string; readonly secret: string }
}

type RequestParts = (scene: FullScene) => Details

const nothing: RequestParts = () => ({})
/** The whole listing, so that a leaked entry would appear in it. */
const whole: RequestParts = () => ({ query: `limit=${String(limits.pageMax)}` })
const withJson =
  (json: unknown): RequestParts =>
  () => ({ json })
const at = (userID: string): Details => ({ parameters: { userID } })

const ofRequest = ({ uploadRequest }: Scene) => ({ requestID: uploadRequest.id })
const inUpload = ({ upload }: Scene) => ({ uploadID: upload.id })
const stored = ({ upload }: Scene) => ({ uploadID: upload.id, fileID: upload.stored, filename: storedName })
const archive = ({ upload }: Scene) => ({ uploadID: upload.id, filename: 'all.zip' })
const declared = ({ upload }: Scene) => ({
  uploadID: upload.id,
  fileID: upload.declared,
  filename: declaredName,
})

const ofWebhook = ({ people }: Scene): Details => ({ parameters: { webhookID: people.owner.webhookID } })

const tus = { 'tus-resumable': '1.0.0' }
const tusPart = { 'content-type': tusBytes.type, 'upload-offset': '7' }

const wrong = { login: root.login, password: 'not the password' }
let users = 0
const someUser = (): NewUser => {
  users += 1
  return { provider: 'local', login: `created-${String(users)}`, password: userPassword }
}

/**
 * The request for each route, some in several variants. The first word names the route; for a provider, the
 * second names the provider.
 */
export const requestBuilders: Readonly<Record<string, RequestParts>> = {
  health: nothing,
  ready: nothing,
  getConfiguration: nothing,
  getVersion: nothing,
  getQrCode: () => ({ query: 'url=https://svc.test' }),
  getShareX: nothing,

  quickUpload: () => ({ form: fileForm('quick') }),
  quickUploadRaw: () => ({ parameters: { filename: 'raw' }, bytes: 'raw' }),
  createUpload: withJson({}),

  getUpload: (scene) => ({ parameters: inUpload(scene) }),
  previewLink: (scene) => ({ parameters: inUpload(scene) }),
  listDownloads: (scene) => ({ parameters: inUpload(scene) }),
  changeUpload: (scene) => ({ parameters: inUpload(scene), json: { alias: null } }),
  mailLink: (scene) => ({ parameters: inUpload(scene), json: { addresses: ['eve@x.example'] } }),
  removeUpload: (scene) => ({ parameters: inUpload(scene) }),
  addFile: (scene) => ({ parameters: inUpload(scene), form: fileForm('new', 'new') }),
  addDeclaredFile: (scene) => ({ parameters: declared(scene), form: fileForm('new') }),
  removeFile: (scene) => ({ parameters: stored(scene) }),
  downloadFile: (scene) => ({ parameters: stored(scene) }),
  'downloadFile HEAD': (scene) => ({ parameters: stored(scene), method: 'HEAD' }),
  'downloadFile OPTIONS': (scene) => ({ parameters: stored(scene), method: 'OPTIONS' }),
  browseFiles: (scene) => ({ parameters: { ...inUpload(scene), filename: '' } }),
  'browseFiles HEAD': (scene) => ({ parameters: { ...inUpload(scene), filename: '' }, method: 'HEAD' }),
  'browseFiles OPTIONS': (scene) => ({ parameters: { ...inUpload(scene), filename: '' }, method: 'OPTIONS' }),
  'browseFiles by name': (scene) => ({ parameters: { ...inUpload(scene), filename: storedName } }),
  sendStream: (scene) => ({ parameters: declared(scene), form: fileForm('new') }),
  cancelStream: (scene) => ({ parameters: stored(scene) }),
  downloadStream: (scene) => ({ parameters: stored(scene) }),
  'downloadStream HEAD': (scene) => ({ parameters: stored(scene), method: 'HEAD' }),
  'downloadStream OPTIONS': (scene) => ({ parameters: stored(scene), method: 'OPTIONS' }),
  // Neither file has a preview, and the declared one is not stored: who may add and see one gets that error.
  putPreview: (scene) => ({ parameters: declared(scene), bytes: 'no image' }),
  getPreview: (scene) => ({ parameters: stored(scene) }),
  'getPreview HEAD': (scene) => ({ parameters: stored(scene), method: 'HEAD' }),
  'getPreview OPTIONS': (scene) => ({ parameters: stored(scene), method: 'OPTIONS' }),
  downloadArchive: (scene) => ({ parameters: archive(scene) }),
  'downloadArchive HEAD': (scene) => ({ parameters: archive(scene), method: 'HEAD' }),
  'downloadArchive OPTIONS': (scene) => ({ parameters: archive(scene), method: 'OPTIONS' }),

  createRequest: withJson({ title: 'More files' }),
  listRequests: whole,
  'listRequests all': () => ({ query: `all=true&limit=${String(limits.pageMax)}` }),
  getRequest: (scene) => ({ parameters: ofRequest(scene) }),
  updateRequest: (scene) => ({ parameters: ofRequest(scene), json: { title: 'New title', seen: true } }),
  removeRequest: (scene) => ({ parameters: ofRequest(scene) }),
  listRequestUploads: (scene) => ({ ...whole(scene), parameters: ofRequest(scene) }),
  showRequest: (scene) => ({ parameters: ofRequest(scene) }),
  sendToRequest: (scene) => ({ parameters: ofRequest(scene), json: { files: [{ fileName: 'a' }] } }),

  tusOptions: (scene) => ({ parameters: inUpload(scene) }),
  tusCreate: (scene) => ({
    parameters: inUpload(scene),
    headers: { ...tus, 'upload-length': '4', 'upload-metadata': 'filename bmV3' },
  }),
  tusHead: (scene) => ({ parameters: stored(scene), headers: tus }),
  'tusOverride for the offset': (scene) => ({
    parameters: stored(scene),
    headers: { ...tus, 'x-http-method-override': 'HEAD' },
  }),
  tusPatch: (scene) => ({ parameters: stored(scene), headers: { ...tus, ...tusPart }, bytes: 'more' }),
  'tusOverride PATCH': (scene) => ({
    parameters: stored(scene),
    headers: { ...tus, ...tusPart, 'x-http-method-override': 'PATCH' },
    bytes: 'more',
  }),
  tusDelete: (scene) => ({ parameters: stored(scene), headers: tus }),
  'tusOverride DELETE': (scene) => ({
    parameters: stored(scene),
    headers: { ...tus, 'x-http-method-override': 'DELETE' },
  }),
  resumableOptions: (scene) => ({ parameters: inUpload(scene) }),
  resumableCreate: (scene) => ({
    parameters: inUpload(scene),
    query: 'fileName=new',
    headers: { 'upload-complete': '?0', 'upload-length': '4' },
  }),
  resumableHead: (scene) => ({ parameters: stored(scene) }),
  resumableAppend: (scene) => ({
    parameters: stored(scene),
    headers: { 'content-type': partialBytes.type, 'upload-offset': '7', 'upload-complete': '?0' },
    bytes: 'more',
  }),
  resumableCancel: (scene) => ({ parameters: stored(scene) }),

  localLogin: ({ people }) => ({ json: { login: people.owner.login, password: userPassword } }),
  'localLogin wrong': withJson(wrong),
  logout: nothing,
  'providerLogin idp1': nothing,
  'providerLogin idp2': nothing,
  'providerLogin idp3': nothing,
  'providerLogin oidc': nothing,
  'providerCallback idp1': () => ({ query: 'code=x&state=x' }),
  'providerCallback idp2': () => ({ query: 'code=x&state=x' }),
  'providerCallback idp3': () => ({ query: 'code=x&state=x' }),
  'providerCallback oidc': () => ({ query: 'code=x&state=x' }),
  startCliLogin: withJson({ hostname: 'host' }),
  describeCliLogin: ({ cliLogin }) => ({ json: { code: cliLogin.code } }),
  'describeCliLogin unknown': withJson({ code: 'BBBB-BBBB' }),
  approveCliLogin: ({ cliLogin }) => ({ json: { code: cliLogin.code } }),
  'approveCliLogin unknown': withJson({ code: 'BBBB-BBBB' }),
  pollCliLogin: ({ cliLogin }) => ({ json: cliLogin }),
  'pollCliLogin wrong': ({ cliLogin: { code } }) => ({ json: { code, secret: 'x'.repeat(32) } }),
  'pollCliLogin unknown': withJson({ code: 'BBBB-BBBB', secret: 'x'.repeat(32) }),

  getMe: nothing,
  updateMe: withJson({ name: 'New name' }),
  'updateMe rights': withJson({ admin: true, maxFileSize: -1, maxUserSize: -1, maxTTL: -1 }),
  removeMe: nothing,
  listMySessions: nothing,
  'revokeMySession of owner': ({ people }) => ({ parameters: { sessionID: people.owner.sessionID } }),
  listMyTokens: whole,
  createMyToken: withJson({ comment: 'new' }),
  'revokeMyToken of owner': ({ people }) => ({ parameters: { token: people.owner.token } }),
  listMyUploads: whole,
  'listMyUploads of owner': ({ people }) => ({ query: `user=${encodeURIComponent(people.owner.id)}` }),
  'listMyUploads by token': ({ people }) => ({ query: `token=${people.owner.token}` }),
  removeMyUploads: nothing,
  getMyStats: nothing,
  streamMyEvents: () => ({ query: 'wait=0' }),
  streamUploadEvents: ({ upload }) => ({ query: `wait=0&id=${upload.id}` }),
  getMyNotifications: nothing,
  updateMyNotifications: withJson({ email: { events: ['limits.near'] } }),
  sendMyEmailConfirmation: nothing,
  'confirmMyEmail wrong': withJson({ code: 'x' }),
  getMyPush: nothing,
  putMyPush: withJson({
    endpoint: 'https://push.example/1',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    events: ['limits.near'],
  }),
  'removeMyPush unknown': () => ({ parameters: { pushID: 'x' } }),
  listMyWebhooks: nothing,
  createMyWebhook: withJson({ url: 'https://hooks.example/svc', events: ['upload.downloaded'] }),
  'updateMyWebhook of owner': (scene) => ({ ...ofWebhook(scene), json: { enabled: false } }),
  'rotateMyWebhookSecret of owner': ofWebhook,
  'listMyDeliveries of owner': ofWebhook,
  'replayMyDelivery unknown': () => ({ parameters: { webhookID: 'x', deliveryID: 'x' } }),
  'removeMyWebhook of owner': ofWebhook,

  'getUser owner': ({ people }) => at(people.owner.id),
  'getUser absent': () => at(absentUser),
  'updateUser owner': ({ people }) => ({ ...at(people.owner.id), json: { name: 'New name' } }),
  'updateUser quota': ({ people }) => ({ ...at(people.owner.id), json: { maxUserSize: -1 } }),
  'updateUser admin': ({ people }) => ({ ...at(people.owner.id), json: { admin: true } }),
  'updateUser password': ({ people }) => ({ ...at(people.owner.id), json: { password: userPassword } }),
  'updateUser absent': () => ({ ...at(absentUser), json: { name: 'New name' } }),
  'removeUser owner': ({ people }) => at(people.owner.id),
  'removeUser admin': ({ people }) => at(people.admin.id),
  'removeUser absent': () => at(absentUser),

  createUser: () => ({ json: someUser() }),
  listUsers: whole,
  searchUsers: () => ({ query: 'q=canary' }),
  listUploads: whole,
  'listUploads of owner': ({ people }) => ({ query: `user=${encodeURIComponent(people.owner.id)}` }),
  getStats: nothing,
  getDailyStats: nothing,
}

/** What a request has changed after it was granted. */
export const spends: Readonly<Record<string, keyof FullScene>> = {
  removeUpload: 'upload',
  addDeclaredFile: 'upload',
  sendStream: 'upload',
  cancelStream: 'upload',
  removeFile: 'upload',
  tusDelete: 'upload',
  'tusOverride DELETE': 'upload',
  resumableCancel: 'upload',
  removeRequest: 'uploadRequest',
  localLogin: 'people',
  logout: 'people',
  approveCliLogin: 'cliLogin',
  removeMe: 'people',
  'revokeMySession of owner': 'people',
  'revokeMyToken of owner': 'people',
  'updateMyWebhook of owner': 'people',
  'rotateMyWebhookSecret of owner': 'people',
  'removeMyWebhook of owner': 'people',
  'updateUser admin': 'people',
  'updateUser password': 'people',
  'removeUser owner': 'people',
}

/**
 * The line of the route table for a label.
 * @throws if there is none
 */
export function routeOf(label: string): Route {
  const [name, provider = ''] = label.split(' ')
  const found = routes.filter((route) => route.name === name)
  const line =
    found.length > 1 ? found.find(({ endpoint }) => endpoint.path.includes(`/${provider}/`)) : found[0]
  if (line === undefined) throw new Error(`${label}: there is no such route`)
  return line
}

/** The request for a label, without credentials. */
export function requestOf(label: string, scene: FullScene): TestRequest & { readonly path: string } {
  const details = requestBuilders[label]?.(scene)
  if (details === undefined) throw new Error(`${label}: no request for this label`)
  const { endpoint } = routeOf(label)
  const { parameters = {}, headers, query, json, form, bytes, method = endpoint.method } = details
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) =>
    encodeFileName(parameters[name] ?? ''),
  )
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    ...(headers !== undefined && { headers }),
    ...(json !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
    ...(form !== undefined && { headers: { 'content-type': formType }, body: form }),
    ...(bytes !== undefined && { body: bytes }),
  }
}
