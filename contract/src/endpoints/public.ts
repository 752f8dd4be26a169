import * as Type from 'typebox'
import { endpoint, json, text } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Configuration } from '../resources/configuration.ts'
import { ShareX } from '../resources/share-x.ts'
import { Version } from '../resources/version.ts'

const tag = 'Service'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  chain: 'empty',
  tag,
  summary: 'Check that the server is alive',
  response: text,
  errors: [],
})

export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  chain: 'empty',
  tag,
  summary: 'Check that the server can do its work',
  description:
    'For load balancers: the database and the data store answer, and the server is not about to stop. Answered from ' +
    'a look that is at most a second old. After `ok` there is a line for each thing that does not work all the same, such as ' +
    '`clock_wrong: …`.',
  response: text,
  errors: ['not_ready'],
})

export const getConfiguration = endpoint({
  method: 'GET',
  path: '/config',
  chain: 'standard',
  tag,
  summary: 'Limits, feature flags and domains of this server',
  response: json(Configuration),
  errors: [],
})

export const getVersion = endpoint({
  method: 'GET',
  path: '/version',
  chain: 'standard',
  tag,
  summary: 'Build, available clients and release history',
  response: json(Version),
  errors: [],
})

export const getQrCode = endpoint({
  method: 'GET',
  path: '/qrcode',
  chain: 'standard',
  tag,
  summary: 'A QR code as a PNG image',
  query: Type.Object({
    url: Type.String({ minLength: 1, maxLength: limits.qrCodeUrlLength }),
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
  summary: 'A file that makes ShareX send to this server',
  description:
    'It carries no token: where only people with an account may send, they add theirs as a header.',
  response: json(ShareX),
  errors: ['not_found'],
})
