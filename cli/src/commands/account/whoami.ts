import { randomUUID } from 'node:crypto'
import type { UploadOptions } from '@svc/contract'
import { ApiError, type Client } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { facts, printableJson } from '@svc/terminal'
import { outputArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { findTarget, requireServer } from '../../config/target.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { Failure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { connect } from '../../http/connect.ts'

const argsDef = { ...serverArgsDef, ...outputArgsDef } as const satisfies ArgsDef

export const whoami = (program: Program) =>
  defineCommand({
    meta: { name: 'whoami', description: 'Show the server and the user' },
    args: argsDef,
    async run({ args }) {
      const target = await requireServer(program, await findTarget(program, args))
      const user =
        target.token === undefined ? null : await fetchOwner(connect(program, target, target.server))
      const identity = { server: target.server, profile: target.profileName, user }
      if (args.json === true) program.print(printableJson(identity))
      else
        for (const line of facts([
          ['server', identity.server],
          ['profile', identity.profile],
          ['user', user ?? 'not signed in (svc login)'],
        ]))
          program.print(line)
    },
  })

/** Options that the server requires for every upload and does not set itself. */
async function fetchRequiredOptions(client: Client): Promise<UploadOptions> {
  const { feature_password: password, feature_comments: comments } = await client.configuration()
  return {
    ...(password === 'forced' && { password: randomUUID() }),
    ...(comments === 'forced' && { comments: 'svc whoami' }),
  }
}

/**
 * The user of a token. A token only allows requests for uploads (docs/protocol.md#request-handling), so an empty upload, which
 * names its owner, is created and removed.
 */
async function fetchOwner(client: Client): Promise<string> {
  try {
    const upload = await client.createUpload({ ttl: 60, ...(await fetchRequiredOptions(client)) })
    await client.removeUpload(upload.id, upload)
    return upload.user ?? 'unknown'
  } catch (error) {
    if (error instanceof ApiError && error.status === 403)
      throw new Failure(`the server does not accept the token: ${error.message}`, exitCodes.refused, error)
    throw error
  }
}
