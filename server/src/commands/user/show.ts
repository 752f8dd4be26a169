import { defineCommand, type ArgsDef } from 'citty'
import { facts, roughSize } from '@svc/terminal'
import { meantUser } from '../../admin/find-user.ts'
import { describeUser } from '../../core/accounts/users.ts'
import { answer } from '../terminal/read-answer.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { date, lifetimeLimit, sizeLimit, yesNo } from '../terminal/formats.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = { ...userArgument, ...commonArguments } satisfies ArgsDef

export const showUser = (program: Program) =>
  defineCommand({
    meta: { name: 'show', description: 'Show a user, with limits and what is stored' },
    args,
    async run({ args: given }) {
      const { user, stats } = await onService(program, given, async (service) => {
        const user = await meantUser(service, given.user)
        return { user, stats: await service.store.totals.ofUser(user.id) }
      })
      answer(program, given, { ...describeUser(user), stats }, () =>
        facts([
          ['id', user.id],
          ['login', user.login],
          ...(user.provider === 'local' ? [] : ([['account', user.accountId ?? 'not yet']] as const)),
          ['name', user.name],
          ['e-mail', user.email],
          ['admin', yesNo(user.admin === 1)],
          ['largest file', sizeLimit(user.maxFileSize)],
          ['largest sum', sizeLimit(user.maxUserSize)],
          ['longest time to live', lifetimeLimit(user.maxTTL)],
          ['created', date(user.createdAt)],
          ['uploads', stats.uploads],
          ['files', stats.files],
          ['size', roughSize(stats.totalSize)],
        ]),
      )
    },
  })
