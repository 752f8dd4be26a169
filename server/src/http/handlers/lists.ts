import { listUploads as list } from '../../core/uploads/list-uploads.ts'
import { notAllowed } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userTokenIdFrom } from '../../domain/user-token-keys.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { UploadFilter } from '../../metadata/uploads/upload-listing.ts'
import { sendPage } from '../response/large-responses.ts'
import type { RequestContext } from '../steps/chain.ts'
import { pageResponse, pageQueryOf, type PageParameters } from '../request/paging.ts'

type ListContext = RequestContext & { readonly principal: Principal }

/** Query parameters of upload lists (docs/protocol.md#lists). */
interface UploadParameters extends PageParameters {
  readonly sort: 'createdAt' | 'date' | 'size'
  readonly user?: string
  readonly token?: string
  readonly oneShot?: boolean
  readonly removable?: boolean
  readonly stream?: boolean
  readonly extendTTL?: boolean
  readonly password?: boolean
  readonly e2ee?: boolean
}

export const listUploads = (context: ListContext) => respondWithUploads(context, parametersOf(context), {})

export function listMyUploads(context: ListContext & { readonly user: UserRecord }) {
  const { user } = context
  const parameters = parametersOf(context)
  if (parameters.user !== undefined && parameters.user !== user.id)
    throw notAllowed('list the uploads of another user here')
  return respondWithUploads(context, parameters, { userId: user.id })
}

const parametersOf = ({ request }: ListContext) => request.query as UploadParameters

/** @param fixed the part of the filter that the query cannot change */
export async function respondWithUploads(
  { service, principal, reply }: ListContext,
  parameters: UploadParameters,
  fixed: UploadFilter,
) {
  const {
    sort: requestedSort,
    user,
    token,
    extendTTL,
    oneShot,
    removable,
    stream,
    password,
    e2ee,
  } = parameters
  const sort = requestedSort === 'size' ? 'size' : 'createdAt'
  const query = pageQueryOf(parameters, sort)
  const filter: UploadFilter = {
    ...withoutUndefined({
      userId: user,
      // An invalid token matches no upload.
      userToken: token === undefined ? undefined : (userTokenIdFrom(token) ?? ''),
      oneShot,
      removable,
      stream,
      extendTtl: extendTTL,
      password,
      e2ee,
    }),
    ...fixed,
  }
  const page = await list(service, principal, { filter, sort, query })
  return sendPage(reply, pageResponse(page, [], sort), page)
}

/** Removes undefined values. */
const withoutUndefined = <Values extends object>(
  values: Values,
): { [Key in keyof Values]?: NonNullable<Values[Key]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
