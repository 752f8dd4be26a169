import { defineCommand, type ArgsDef } from 'citty'
import { type Column, table } from '@svc/terminal'
import { firstRows } from '../base/first-rows.ts'
import { userOfArgument } from '../base/user-argument.ts'
import { describeToken } from '../../core/accounts/user-tokens.ts'
import type { TokenRecord } from '../../domain/records.ts'
import { printResult, remainder } from '../terminal/print-result.ts'
import { commonArguments, limitArgument, userArgument } from '../base/common-arguments.ts'
import { date } from '../terminal/formats.ts'
import { onServiceToRead } from '../base/on-service.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'

const args = { ...userArgument, ...limitArgument, ...commonArguments } satisfies ArgsDef

const columns: readonly Column<TokenRecord>[] = [
  ['ID', ({ id }) => id],
  ['TOKEN', ({ prefix }) => `${prefix}…`],
  ['SCOPES', ({ scopes }) => scopes ?? 'all'],
  ['CREATED', ({ createdAt }) => date(createdAt)],
  ['USED', ({ usedAt }) => (usedAt === null ? 'never' : date(usedAt))],
  ['EXPIRES', ({ expireAt }) => (expireAt === null ? 'never' : date(expireAt))],
  ['COMMENT', ({ comment }) => comment],
]

export const listTokens = (program: Program) =>
  defineCommand({
    meta: { name: 'list', description: 'List the tokens of a user, newest first' },
    args,
    async run({ args: options }) {
      const limit = rowsOption(options.limit)
      const listing = await onServiceToRead(program, options, async (service) => {
        const { id } = await userOfArgument(service, options.user)
        return firstRows(limit, (query) => service.store.tokens.page(id, query))
      })
      printResult(program, options, listing.rows.map(describeToken), () => [
        ...table(columns, listing.rows),
        ...remainder(listing),
      ])
    },
  })
