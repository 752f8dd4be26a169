import { providers } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { type Column, roughSize, table } from '@svc/terminal'
import { firstRows } from '../../admin/first-rows.ts'
import { describeUser } from '../../core/accounts/users.ts'
import type { UserRecord } from '../../domain/records.ts'
import { answer, remainder } from '../terminal/read-answer.ts'
import { commonArguments, limitArgument } from '../base/common-arguments.ts'
import { date, sizeLimit, yesNo } from '../terminal/formats.ts'
import { onService } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'

const args = {
  provider: { type: 'enum', options: [...providers], description: 'Only users who sign in there' },
  admin: { type: 'boolean', description: 'Only admins', negativeDescription: 'Only ordinary users' },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

const columns: readonly Column<UserRecord>[] = [
  ['ID', ({ id }) => id],
  ['ADMIN', ({ admin }) => yesNo(admin === 1)],
  ['USES', ({ usedSize }) => roughSize(usedSize)],
  ['OF AT MOST', ({ maxUserSize }) => sizeLimit(maxUserSize)],
  ['CREATED', ({ createdAt }) => date(createdAt)],
  ['E-MAIL', ({ email }) => email],
  ['NAME', ({ name }) => name],
]

export const listUsers = (program: Program) =>
  defineCommand({
    meta: { name: 'list', description: 'List users, the newest first' },
    args,
    async run({ args: given }) {
      const limit = rowsOption(given.limit)
      const filter = {
        provider: providers.find((name) => name === given.provider),
        admin: given.admin,
      }
      const listing = await onService(program, given, ({ store }) =>
        firstRows(limit, (query) => store.users.page(filter, query)),
      )
      answer(program, given, listing.rows.map(describeUser), () => [
        ...table(columns, listing.rows),
        ...remainder(listing),
      ])
    },
  })
