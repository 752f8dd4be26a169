import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, type ArgsDef } from 'citty'
import { withWholeTables } from '../../composition/server.ts'
import { accountData } from '../../export/account-data.ts'
import { userArgument } from '../base/common-arguments.ts'
import type { Program } from '../base/program.ts'
import { configArgument, readConfig } from '../base/read-config.ts'
import { userIDFrom, userNotFound } from '../base/user-argument.ts'

const args = { ...userArgument, ...configArgument } satisfies ArgsDef

export const userData = (program: Program) =>
  defineCommand({
    meta: {
      name: 'data',
      description: 'Print all that is stored about a user as JSON, without passwords, secrets and contents',
    },
    args,
    async run({ args: options }) {
      const id = userIDFrom(options.user)
      const stop = new AbortController()
      program.onStopSignal(() => {
        stop.abort()
      })
      await withWholeTables(
        readConfig(program, options.config),
        (tables) =>
          tables.accountSnapshot(async (reads) => {
            const { value: user } = await reads.rows('users', [id]).next()
            if (user === undefined || user.removedAt !== null) throw userNotFound(id)
            const text = accountData(reads, user, program.clock.now())
            await pipeline(Readable.from(text), program.output, { signal: stop.signal, end: false })
          }),
        'bulk read',
      )
    },
  })
