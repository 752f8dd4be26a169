import * as Type from 'typebox'
import type { Static } from 'typebox'
import { flagValues, switchValues } from '../../base/flags.ts'

const optionFlag = Type.Enum([...flagValues])
const switchFlag = Type.Enum([...switchValues])

/** The response of `GET /config` (docs/protocol.md#service). */
export const Configuration = Type.Object(
  {
    svcDomain: Type.String({ description: 'Public server URL, without a path.' }),
    downloadDomain: Type.String(),
    downloadURL: Type.Optional(Type.String()),
    maxFileSize: Type.Integer({ description: 'Bytes; -1 means unlimited.' }),
    maxUserSize: Type.Integer({ description: 'Bytes; -1 means unlimited.' }),
    maxTTL: Type.Integer({ description: 'Seconds; 0 or less means no limit.' }),
    defaultTTL: Type.Integer({ description: 'Seconds.' }),
    maxFilePerUpload: Type.Integer(),
    streamTimeout: Type.Integer({ description: 'Seconds.' }),
    feature_authentication: optionFlag,
    feature_one_shot: optionFlag,
    feature_removable: optionFlag,
    feature_stream: optionFlag,
    feature_password: optionFlag,
    feature_comments: optionFlag,
    feature_set_ttl: optionFlag,
    feature_extend_ttl: optionFlag,
    feature_text: optionFlag,
    feature_requests: optionFlag,
    feature_e2ee: switchFlag,
    feature_local_login: switchFlag,
    feature_delete_account: switchFlag,
    feature_clients: switchFlag,
    feature_api_tokens: switchFlag,
    feature_mail: switchFlag,
    feature_previews: switchFlag,
    idp1Authentication: Type.Boolean(),
    idp2Authentication: Type.Boolean(),
    idp3Authentication: Type.Boolean(),
    oidcAuthentication: Type.Boolean(),
    idp1Name: Type.String({ description: 'Label of the provider’s button.' }),
    idp2Name: Type.String(),
    idp3Name: Type.String(),
    oidcProviderName: Type.String(),
    abuseContact: Type.String(),
  },
  { title: 'Configuration' },
)
export type Configuration = Static<typeof Configuration>
