import { providers } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { type Column, roughSize, table } from '@svc/terminal'
import { firstRows } from '../base/first-rows.ts'
import { describeUser } from '../../core/accounts/users.ts'
import type { UserRecord } from '../../domain/records.ts'
import { printResult, remainder } from '../terminal/print-result.ts'
import { commonArguments, limitArgument } from '../base/common-arguments.ts'
import { date, sizeLimit, yesNo } from '../terminal/formats.ts'
import { onServiceToRead } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'

const args = {
  provider: { type: 'enum', options: [...providers], description: 'Only users of this provider' },
  admin: {
    type: 'boolean',
    description: 'Only admins',
    negativeDescription: 'Only users who are not admins',
  },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

const columns: readonly Column<UserRecord>[] = [
  ['ID', ({ id }) => id],
  ['ADMIN', ({ admin }) => yesNo(admin === 1)],
  ['USED', ({ usedSize }) => roughSize(usedSize)],
  ['QUOTA', ({ maxUserSize }) => sizeLimit(maxUserSize)],
  ['CREATED', ({ createdAt }) => date(createdAt)],
  ['EMAIL', ({ email }) => email],
  ['NAME', ({ name }) => name],
]

export const listUsers = (program: Program) =>
  defineCommand({
    meta: { name: 'list', description: 'List users, newest first' },
    args,
    async run({ args: options }) {
      const limit = rowsOption(options.limit)
      const filter = {
        provider: providers.find((name) => name === options.provider),
        admin: options.admin,
      }
      const listing = await onServiceToRead(program, options, ({ store }) =>
        firstRows(limit, (query) => store.users.page(filter, query)),
      )
      const described = listing.rows.map((user) => ({ ...describeUser(user), usedSize: user.usedSize }))
      printResult(program, options, described, () => [...table(columns, listing.rows), ...remainder(listing)])
    },
  })
