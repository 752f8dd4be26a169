import type { NewPushSubscription } from '@svc/contract'
import {
  describePush,
  putPushSubscription,
  removePushSubscription,
} from '../../../core/notifications/push-subscriptions.ts'
import type { UserRecord } from '../../../domain/records.ts'
import { pathParameter } from '../../request/path-parameters.ts'
import { plainText } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'

type MyContext = RequestContext & { readonly user: UserRecord }

export const getMyPush = ({ service, user }: MyContext) => describePush(service, user.id)

export const putMyPush = ({ service, request, user }: MyContext) =>
  putPushSubscription(service, user.id, request.body as NewPushSubscription)

export async function removeMyPush({ service, request, reply, user }: MyContext) {
  await removePushSubscription(service, user.id, pathParameter(request, 'pushID'))
  return plainText(reply, 'ok')
}
