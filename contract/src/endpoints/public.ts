import * as Type from 'typebox'
import { endpoint, json, text } from './endpoint.ts'
import { limits } from '../base/limits.ts'
import { Configuration } from '../resources/service/configuration.ts'
import { ShareX } from '../resources/service/share-x.ts'
import { Version } from '../resources/service/version.ts'

const tag = 'Service'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  chain: 'empty',
  tag,
  summary: 'Check that the server is running',
  description:
    '`ok` as long as the process responds, also while its database or data store is unreachable. Monitoring of the process uses this, and load balancers `/ready`.',
  response: text,
  errors: [],
})

export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  chain: 'empty',
  tag,
  summary: 'Check that the server is ready for requests',
  description:
    'For load balancers: the database and the data store are reachable, and the server is not stopping. The state is ' +
    'at most one second old. After `ok`, one line follows for each restriction, such as ' +
    '`clock_wrong: …`.',
  response: text,
  errors: ['not_ready'],
})

export const getConfiguration = endpoint({
  method: 'GET',
  path: '/config',
  chain: 'standard',
  tag,
  summary: 'Get limits, feature flags and domains',
  description:
    'The limits of the server, which an account may extend, and the state of each feature. Clients read it before they offer options.',
  response: json(Configuration),
  errors: [],
})

export const getVersion = endpoint({
  method: 'GET',
  path: '/version',
  chain: 'standard',
  tag,
  summary: 'Get build, available clients and release history',
  description: 'The build is for admins only. The notes of a release are at `/changelog/{name}`.',
  response: json(Version),
  errors: [],
})

export const getQrCode = endpoint({
  method: 'GET',
  path: '/qrcode',
  chain: 'standard',
  tag,
  summary: 'Create a QR code as a PNG image',
  description: 'The server draws the code and does not store it.',
  query: Type.Object({
    url: Type.String({ minLength: 1, maxLength: limits.qrCodeURLLength }),
    size: Type.Optional(
      Type.Integer({
        minimum: limits.qrCodeMinPixels,
        maximum: limits.qrCodeMaxPixels,
        default: limits.qrCodeDefaultPixels,
        description: 'Width and height in pixels.',
      }),
    ),
  }),
  response: { type: 'image/png' },
  errors: ['invalid_request', 'unavailable', 'budget_reached'],
})

export const getShareX = endpoint({
  method: 'GET',
  path: '/clients/sharex.sxcu',
  chain: 'standard',
  tag,
  summary: 'Get a ShareX custom uploader for this server',
  description:
    'The file contains no token. If uploads require an account, users add their token as a header.',
  response: json(ShareX),
  errors: ['not_found'],
})
