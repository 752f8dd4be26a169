import { defineCommand, type ArgsDef } from 'citty'
import { facts, roughSize } from '@svc/terminal'
import { userOfArgument } from '../base/user-argument.ts'
import { describeUser } from '../../core/accounts/users.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { date, lifetimeLimit, sizeLimit, yesNo } from '../terminal/formats.ts'
import { onServiceToRead } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'

const args = { ...userArgument, ...commonArguments } satisfies ArgsDef

export const showUser = (program: Program) =>
  defineCommand({
    meta: { name: 'show', description: 'Show a user with limits and usage' },
    args,
    async run({ args: options }) {
      const { user, stats } = await onServiceToRead(program, options, async (service) => {
        const user = await userOfArgument(service, options.user)
        return { user, stats: await service.store.totals.ofUser(user.id) }
      })
      printResult(program, options, { ...describeUser(user), stats }, () =>
        facts([
          ['id', user.id],
          ['login', user.login],
          ...(user.provider === 'local' ? [] : ([['account', user.accountId ?? 'not yet']] as const)),
          ['name', user.name],
          ['email', user.email],
          ['admin', yesNo(user.admin === 1)],
          ['max file size', sizeLimit(user.maxFileSize)],
          ['quota', sizeLimit(user.maxUserSize)],
          ['max TTL', lifetimeLimit(user.maxTTL)],
          ['created', date(user.createdAt)],
          ['uploads', stats.uploads],
          ['files', stats.files],
          ['size', roughSize(stats.totalSize)],
        ]),
      )
    },
  })
