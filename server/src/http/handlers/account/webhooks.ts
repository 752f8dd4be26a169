import type { NewWebhook, WebhookUpdate } from '@svc/contract'
import {
  createWebhook,
  describeDelivery,
  findWebhook,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  rotateSecret,
  updateWebhook,
} from '../../../core/notifications/webhooks.ts'
import type { UserRecord } from '../../../domain/records.ts'
import { pageQueryOf, pageResponse, type PageParameters } from '../../request/paging.ts'
import { pathParameter } from '../../request/path-parameters.ts'
import { plainText } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'

type MyContext = RequestContext & { readonly user: UserRecord }

export const listMyWebhooks = ({ service, user }: MyContext) => listWebhooks(service, user.id)

export const createMyWebhook = ({ service, request, user }: MyContext) =>
  createWebhook(service, user.id, request.body as NewWebhook)

export const updateMyWebhook = ({ service, request, user }: MyContext) =>
  updateWebhook(service, user.id, pathParameter(request, 'webhookID'), request.body as WebhookUpdate)

export async function removeMyWebhook({ service, request, reply, user }: MyContext) {
  await removeWebhook(service, user.id, pathParameter(request, 'webhookID'))
  return plainText(reply, 'ok')
}

export const rotateMyWebhookSecret = ({ service, request, user }: MyContext) =>
  rotateSecret(service, user.id, pathParameter(request, 'webhookID'))

export async function listMyDeliveries({ service, request, user }: MyContext) {
  const { id } = await findWebhook(service, user.id, pathParameter(request, 'webhookID'))
  const query = pageQueryOf(request.query as PageParameters, 'createdAt')
  const page = await service.store.outbox.page(id, query)
  return pageResponse(page, page.results.map(describeDelivery), 'createdAt')
}

export const replayMyDelivery = ({ service, request, user }: MyContext) =>
  replayDelivery(service, user.id, {
    webhookID: pathParameter(request, 'webhookID'),
    deliveryID: pathParameter(request, 'deliveryID'),
  })
